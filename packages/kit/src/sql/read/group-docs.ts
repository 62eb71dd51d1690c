import { type Direction, QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { guardedField } from "../filter/guarded-filter.ts"
import { hasUsableIndex } from "../filter/usable-index.ts"
import { visibleSql, whereSql } from "../filter/where.ts"
import { column, type Parameters, quote } from "../text/fragment.ts"
import type { GroupRead } from "./group-read.ts"
import { orderList, selectList } from "./select.ts"

/** The first records of each group of `_page`. */
export interface GroupDocsSql {
  readonly columns: readonly string[]
  readonly joins: string
  /** The SQL of a value that is null in a row without a record. */
  readonly id: string
  /** The sort keys by which the records of a group are in order. */
  readonly keys: readonly string[]
}

/** Returns the SQL of the first records of each group of `_page`, of which the read requests at least one. */
export function groupDocsSql(read: GroupRead, parameters: Parameters): GroupDocsSql {
  const { selection, grouping } = read
  return hasUsableIndex(selection.resource, grouping.field) || hasFewGroups(read)
    ? docsOfEach(read, parameters)
    : rankedDocs(read, parameters)
}

// A boolean has three groups at most. To sort the whole table takes longer than to read it once for each.
function hasFewGroups({ grouping: { field } }: GroupRead): boolean {
  return field.isStored && field.type.name === "boolean"
}

// Reads the first records of one group after the other. With an index on the grouping field, Postgres reads only the
// records of the group, and with one that has them in order, only the first of them. Equality and null are two queries,
// because Postgres uses no index for `is not distinct from`.
function docsOfEach(read: GroupRead, parameters: Parameters): GroupDocsSql {
  const most = docsPerGroup(read, parameters)
  const filled = firstDocs(read, parameters, { most, isIn: (value) => `${value} = _page.value` })
  const empty = firstDocs(read, parameters, { most, isIn: (value) => `_page.value is null and ${value} is null` })
  const alias = parameters.alias()
  const list = selectList(read.selection, { alias, parameters })
  return {
    columns: list.columns,
    joins: ` left join lateral ((${filled}) union all (${empty})) ${alias} on true${list.joins.join("")}`,
    id: column(alias, read.selection.resource.id.name),
    keys: read.order.map(({ direction }, place) => `${alias}._key${place} ${direction}`),
  }
}

interface FirstDocs {
  readonly most: string
  readonly isIn: (value: string) => string
}

function firstDocs(read: GroupRead, parameters: Parameters, { most, isIn }: FirstDocs): string {
  const { selection, predicate, order, visibility, grouping } = read
  const alias = parameters.alias()
  const value = visibleSql(guardedField(predicate, grouping.field), alias, parameters)
  const sort = orderList(order, { alias, parameters, visibility })
  const keys = order.map(({ direction }, place) => `, ${withoutDirection(sort.keys[place], direction)} as _key${place}`)
  const from = `${quote(selection.resource.table)} ${alias}${sort.joins.join("")}`
  const where = `${whereSql(predicate, alias, parameters)} and ${isIn(value)}`
  return `select ${alias}.*${keys.join("")} from ${from} where ${where} order by ${sort.keys.join(", ")} limit ${most}`
}

function withoutDirection(key: string | undefined, direction: Direction): string {
  if (!key?.endsWith(` ${direction}`)) throw new Error("A sort key ends with its direction.")
  return key.slice(0, -direction.length - 1)
}

// Ranks the records of all groups on the page, in a single pass.
function rankedDocs(read: GroupRead, parameters: Parameters): GroupDocsSql {
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
    id: "_ranked.id",
    keys: ["_ranked.rank"],
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
