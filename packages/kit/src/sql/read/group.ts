import type { Statement } from "../../ports/database.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { guardedField } from "../filter/guarded-filter.ts"
import { visibleSql, whereSql } from "../filter/where.ts"
import type { Grouping } from "../parse/parse-group.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { aliased, condition, orderList, type PageRead, selectList } from "./select.ts"
import { tablesOfRead } from "./tables-read.ts"

/** A read of grouped records, parsed and checked. The limit and offset of its window count groups, not records. */
export interface GroupRead extends PageRead {
  readonly grouping: Grouping
}

/**
 * The columns that follow the record's columns in each row. If there are no groups, a single row holds only the totals.
 */
export const GROUP_COLUMNS = ["value", "count", "place", "rank", "totalGroups", "totalDocs"] as const

/**
 * Returns the statement that reads one page of groups, each with its first records. The statement counts all groups,
 * but ranks only the records of the groups on the page, in a single pass.
 */
export function selectGroups(read: GroupRead): Statement {
  const parameters = new Parameters()
  const groups = `_groups as materialized (${groupsSql(read, parameters)})`
  const page = `_page as materialized (${pageSql(read, parameters)})`
  const totals = "(select count(*)::int as groups, coalesce(sum(_groups.count), 0)::int as docs from _groups) _total"
  const docs = read.grouping.docs === 0 ? NO_DOCS : docsSql(read, parameters)
  const columns = [
    ...docs.columns,
    "_page.value",
    "_page.count",
    "_page.place",
    docs.rank,
    "_total.groups",
    "_total.docs",
  ]
  return {
    text: `with ${groups}, ${page} select ${aliased(columns)} from ${totals} left join _page on true${docs.joins} order by _page.place, ${docs.rank}`,
    values: parameters.values,
    tablesRead: () => tablesOfRead(read),
  }
}

function groupsSql({ selection, predicate, grouping }: GroupRead, parameters: Parameters): string {
  const alias = parameters.alias()
  const from = `${quote(selection.resource.table)} ${alias}${condition(predicate, alias, parameters)}`
  return `select ${visibleSql(grouping.field, alias, parameters)} as value, count(*)::int as count from ${from} group by 1`
}

function pageSql({ grouping, window }: GroupRead, parameters: Parameters): string {
  const place = `row_number() over (order by value ${grouping.direction} nulls last)::int as place`
  const limits = `limit ${parameters.add(window.limit)} offset ${parameters.add(window.offset)}`
  return `select value, count, ${place} from _groups order by place ${limits}`
}

interface DocsSql {
  readonly columns: readonly string[]
  readonly joins: string
  readonly rank: string
}

const NO_DOCS: DocsSql = { columns: [], joins: "", rank: "null::bigint" }

function docsSql(read: GroupRead, parameters: Parameters): DocsSql {
  const { resource } = read.selection
  const ranked = `(${rankedSql(read, parameters)}) _ranked`
  const isSame = "(_ranked.value = _page.value or (_ranked.value is null and _page.value is null))"
  const isFirst = `_ranked.rank <= ${docsPerGroup(read, parameters)}`
  const alias = parameters.alias()
  const list = selectList(read.selection, { alias, parameters })
  // `offset 0` keeps Postgres from merging this subquery into the join. The planner cannot know how few records have a
  // low rank, and would read the whole table.
  const byId = `select * from ${quote(resource.table)} where ${quote(resource.id.name)} = _ranked.id offset 0`
  const record = `lateral (${byId}) ${alias} on true`
  return {
    columns: list.columns,
    joins: ` left join ${ranked} on ${isFirst} and ${isSame} left join ${record}${list.joins.join("")}`,
    rank: "_ranked.rank",
  }
}

function rankedSql({ selection, predicate, order, visibility, grouping }: GroupRead, parameters: Parameters): string {
  const { resource } = selection
  const alias = parameters.alias()
  const value = visibleSql(guardedField(predicate, grouping.field), alias, parameters)
  const sort = orderList(order, { alias, parameters, visibility })
  const rank = `row_number() over (partition by ${value} order by ${sort.keys.join(", ")}) as rank`
  const isOnPage =
    `(${value} in (select _page.value from _page where _page.value is not null) or ` +
    `(${value} is null and exists (select 1 from _page where _page.value is null)))`
  const where = `${whereSql(predicate, alias, parameters)} and ${isOnPage}`
  const id = column(alias, resource.id.name)
  return `select ${id} as id, ${value} as value, ${rank} from ${quote(resource.table)} ${alias}${sort.joins.join("")} where ${where}`
}

// Returns the SQL of the maximum number of records per group. Unless the request sets the number, a page with many
// groups has fewer records per group.
function docsPerGroup({ grouping }: GroupRead, parameters: Parameters): string {
  if (grouping.docs !== undefined) return parameters.add(grouping.docs)
  const { defaultGroupDocs, maxGroupedDocs } = QUERY_LIMITS
  return `least(${defaultGroupDocs}, ${maxGroupedDocs} / (select greatest(count(*), 1) from _page))`
}
