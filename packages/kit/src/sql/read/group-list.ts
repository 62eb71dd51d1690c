import { hasUsableIndex, isPlainFilter } from "../filter/usable-index.ts"
import { visibleSql, whereSql } from "../filter/where.ts"
import { type Parameters, quote } from "../text/fragment.ts"
import type { GroupRead } from "./group-read.ts"
import { condition } from "./select.ts"

/** The groups of a read as common table expressions. */
interface GroupListSql {
  /** The expressions, of which `_page` has the groups of the page: their `value`, `count` and `place`, from 1. */
  readonly tables: string
  /** The number of groups, and the number of records in them. */
  readonly totals: string
}

/** Returns the SQL that finds the groups of a page, and counts as much as the read requests. */
export function groupListSql(read: GroupRead, parameters: Parameters): GroupListSql {
  return canSkip(read) ? skippedGroups(read, parameters) : scannedGroups(read, parameters)
}

// The most groups that are found one by one. Each takes a descent in the index; for more of them, one pass over the
// index is as fast.
const MAX_SKIPS = 10_000

// A row rule on related records, a search or a pattern may match few rows, or none. To find the next group would then
// read the index up to its end.
function canSkip({ selection: { resource }, predicate, grouping, counting, window }: GroupRead): boolean {
  if (counting.kind === "exact" || window.offset + window.limit > MAX_SKIPS) return false
  return hasUsableIndex(resource, grouping.field) && isPlainFilter(predicate)
}

// Reads all records that match, in one pass.
function scannedGroups(read: GroupRead, parameters: Parameters): GroupListSql {
  const { selection, predicate, grouping, window } = read
  const alias = parameters.alias()
  const from = `${quote(selection.resource.table)} ${alias}${condition(predicate, alias, parameters)}`
  const { count, docs } = scannedCounts(read, parameters)
  const groups = `select ${visibleSql(grouping.field, alias, parameters)} as value, ${count} as count from ${from} group by 1`
  const place = `row_number() over (order by value ${grouping.direction} nulls last)::int as place`
  const limits = `limit ${parameters.add(window.limit)} offset ${parameters.add(window.offset)}`
  const page = `select value, count, ${place} from _groups order by place ${limits}`
  return {
    tables: `with _groups as materialized (${groups}), _page as materialized (${page})`,
    totals: `select count(*)::int as groups, ${docs} as docs from _groups`,
  }
}

function scannedCounts({ counting }: GroupRead, parameters: Parameters): { count: string; docs: string } {
  const docs = "coalesce(sum(_groups.count), 0)::int"
  switch (counting.kind) {
    case "exact":
      return { count: "count(*)::int", docs }
    case "none":
      return { count: "-1", docs: "-1" }
    case "atMost": {
      const most = `${parameters.add(counting.max)}::int`
      return { count: `least(count(*), ${most})::int`, docs: `least(${docs}, ${most})` }
    }
    default:
      return counting satisfies never
  }
}

// Finds one group after the other: the next one has the least value that is greater than the last group's. An index
// leads there without a look at the other records of the group. One group more than the page has shows whether there is
// a next page.
function skippedGroups(read: GroupRead, parameters: Parameters): GroupListSql {
  const { window, counting } = read
  const end = window.offset + window.limit
  const most = parameters.add(Math.min(MAX_SKIPS, Math.max(end + 1, counting.kind === "atMost" ? counting.max : 0)))
  const found = foundValues(read, { parameters, most: `${most}::int` })
  const empty = rowsSql(read, parameters, (value) => `${value} is null`)
  const isLast = `(select count(*) from _found) < ${most}::int and exists (select 1 ${empty})`
  const groups = `select value, place from _found union all select null, (select count(*)::int + 1 from _found) where ${isLast}`
  const counts = skippedCounts(read, parameters)
  const bounds = `place > ${parameters.add(window.offset)}::int and place <= ${parameters.add(end)}::int`
  const page = `select value, ${counts.count} as count, place from _groups where ${bounds}`
  const lists = [`_found(value, place) as (${found})`, `_groups as materialized (${groups})`]
  return {
    tables: `with recursive ${lists.join(", ")}, _page as materialized (${page})`,
    totals: `select count(*)::int as groups, ${counts.docs} as docs from _groups`,
  }
}

function foundValues(read: GroupRead, { parameters, most }: { parameters: Parameters; most: string }): string {
  const { direction } = read.grouping
  const beyond = direction === "asc" ? ">" : "<"
  const next = (place: string, isNext: (value: string) => string) => {
    let column = ""
    const rows = rowsSql(read, parameters, (value) => {
      column = value
      return isNext(value)
    })
    return `select ${column} as value, ${place} as place ${rows} order by ${column} ${direction} limit 1`
  }
  const first = next("1", (value) => `${value} is not null`)
  const later = next("_found.place + 1", (value) => `${value} ${beyond} _found.value`)
  return `(${first}) union all select _next.* from _found cross join lateral (${later}) _next where _found.place < ${most}`
}

function skippedCounts(read: GroupRead, parameters: Parameters): { count: string; docs: string } {
  const { counting } = read
  if (counting.kind !== "atMost") return { count: "-1", docs: "-1" }
  const most = parameters.add(counting.max)
  const countOf = (rows: string) => `(select count(*)::int from (select 1 ${rows} limit ${most}) _counted)`
  const filled = countOf(rowsSql(read, parameters, (value) => `${value} = _groups.value`))
  const empty = countOf(rowsSql(read, parameters, (value) => `${value} is null`))
  return {
    count: `case when _groups.value is null then ${empty} else ${filled} end`,
    docs: countOf(rowsSql(read, parameters, () => "true")),
  }
}

// Returns the SQL of the matching rows whose value in the grouping field satisfies a condition.
function rowsSql(
  { selection, predicate, grouping }: GroupRead,
  parameters: Parameters,
  isIn: (value: string) => string,
): string {
  const alias = parameters.alias()
  const value = visibleSql(grouping.field, alias, parameters)
  const where = `${whereSql(predicate, alias, parameters)} and ${isIn(value)}`
  return `from ${quote(selection.resource.table)} ${alias} where ${where}`
}
