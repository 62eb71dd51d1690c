import type { Statement } from "../../ports/database.ts"
import { isAlways } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { type GroupDocsSql, groupDocsSql } from "./group-docs.ts"
import { groupListSql } from "./group-list.ts"
import type { GroupRead } from "./group-read.ts"
import { aliased, selectList } from "./select.ts"
import { tablesOfRead } from "./tables-read.ts"

/**
 * The last columns of each row. If there are no groups on the page, a single row holds only the totals. Unless the groups
 * are counted exactly, `totalGroups` is the number of groups that were found, which is greater than the last place of the
 * page if another page follows.
 */
export const GROUP_COLUMNS = ["value", "count", "place", "doc", "totalGroups", "totalDocs"] as const

/**
 * Returns the statement that reads one page of groups, each with its first records. The columns of a record come first,
 * then those of the group's title.
 */
export function selectGroups(read: GroupRead): Statement {
  const parameters = new Parameters()
  const { tables, totals } = groupListSql(read, parameters)
  const docs = read.grouping.docs === 0 ? NO_DOCS : groupDocsSql(read, parameters)
  const titles = titlesSql(read, parameters)
  const own = ["_page.value", "_page.count", "_page.place", docs.id, "_total.groups", "_total.docs"]
  const columns = aliased([...docs.columns, ...titles.columns, ...own])
  const from = `(${totals}) _total left join _page on true${docs.joins}${titles.joins}`
  return {
    text: `${tables} select ${columns} from ${from} order by ${["_page.place", ...docs.keys].join(", ")}`,
    values: parameters.values,
    tablesRead: () => tablesOfRead(read),
  }
}

const NO_DOCS: GroupDocsSql = { columns: [], joins: "", id: "null", keys: [] }

interface TitlesSql {
  readonly columns: readonly string[]
  readonly joins: string
}

function titlesSql({ grouping: { titles } }: GroupRead, parameters: Parameters): TitlesSql {
  if (titles?.selection === undefined) return { columns: [], joins: "" }
  const { selection, predicate } = titles
  const alias = parameters.alias()
  const rule = isAlways(predicate) ? "" : ` and ${whereSql(predicate, alias, parameters)}`
  const list = selectList(selection, { alias, parameters })
  const isRelated = `${column(alias, selection.resource.id.name)} = _page.value`
  const joins = ` left join ${quote(selection.resource.table)} ${alias} on ${isRelated}${rule}${list.joins.join("")}`
  return { columns: list.columns, joins }
}
