import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { guardedField } from "../filter/guarded-filter.ts"
import { isMasked } from "../filter/masked-field.ts"
import { isAlways, predicateOf } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import type { OrderKey } from "../parse/parse-order.ts"
import { isShared } from "../parse/shared-selection.ts"
import { Parameters, quote } from "../text/fragment.ts"
import { StatementCache } from "../text/statement-cache.ts"
import { type Boundary, type BoundarySql, boundarySql, type SideSql, type SortedValue } from "./order-boundary.ts"
import { countedUpTo, type PageTotal } from "./page-total.ts"
import { aliased, countAll, countSome, orderValues, type PageRead, selectList } from "./select.ts"
import { tablesOfRead } from "./tables-read.ts"

/** The part of an ordered list from which a page is read. */
export interface PageRange {
  readonly after: Boundary | undefined
  readonly before: Boundary | undefined
  /** True if the page has the last records of the range instead of the first ones. */
  readonly isFromEnd: boolean
}

/** A read of the records of a range, up to the limit of the page. */
export interface RangeRead extends PageRead {
  readonly range: PageRange
  readonly total: PageTotal
}

/**
 * Selects the records of a range, and at most one more, whose presence shows that the range has more of them; from the
 * end of the range in the opposite order. After the columns of a record come the values of its sort keys as text and,
 * the same in each row: whether the list has records on the other side of the page, the number of records in the list
 * (null if it is not counted), and the number of records found. If there are none, one row has null in all other
 * columns.
 */
export function selectRange(read: RangeRead): Statement {
  const parameters = new Parameters()
  const list = orderedList(read, parameters)
  const limit = parameters.add(read.window.limit + 1)
  const clauses = rangeClauses(list, { ...read.range, ...boundariesOf(read, list, parameters), limit })
  const make = () => {
    const columns = selectList(read.selection, { alias: list.alias, parameters })
    return rangeText(read, { list, clauses, columns, limit, most: `$${parameters.values.length + 1}` })
  }
  const { page, hasOthers } = clauses
  const shape = [page.from, page.where, page.keys, hasOthers, read.total.kind].join(" ")
  const text = isShared(read.selection) ? cache.get(read.selection, shape, make) : make()
  const most = countedUpTo(read.total)
  if (most !== undefined) parameters.add(most + 1)
  return { text, values: parameters.values, tablesRead: () => tablesOfRead(read) }
}

const cache = new StatementCache()

/** The list of which a range is read. */
interface OrderedList {
  readonly alias: string
  readonly table: string
  /** The joins that the sort keys need. */
  readonly joins: string
  readonly where: string
  readonly order: readonly OrderKey[]
  /** The SQL of the value of each sort key. */
  readonly values: readonly string[]
}

function orderedList(read: RangeRead, parameters: Parameters): OrderedList {
  const { selection, predicate, visibility } = read
  const order = comparableOrder(read)
  const alias = parameters.alias()
  const where = `where ${isAlways(predicate) ? "true" : whereSql(predicate, alias, parameters)}`
  const { values, joins } = orderValues(order, { alias, parameters, visibility })
  return { alias, table: `${quote(selection.resource.table)} ${alias}`, joins: joins.join(""), where, order, values }
}

// Returns the order with its virtual fields evaluated only in records of the list. A boundary compares them in the WHERE
// clause, where Postgres may evaluate them before the row rule: their SQL may fail in a hidden record.
function comparableOrder({ predicate, order, visibility, range }: RangeRead): readonly OrderKey[] {
  if (range.after === undefined && range.before === undefined) return order
  return order.map((key) => {
    const target = key.through.at(-1)?.target
    const rows = target === undefined ? predicate : predicateOf(visibility.rows(target))
    return { ...key, field: guardedField(rows, key.field) }
  })
}

interface RangeBoundaries {
  readonly after: BoundarySql | undefined
  readonly before: BoundarySql | undefined
}

function boundariesOf(
  { selection, range }: RangeRead,
  { order, values }: OrderedList,
  parameters: Parameters,
): RangeBoundaries {
  const sorted = order.map(
    (key, index): SortedValue => ({ key, sql: values[index] ?? "", isNullable: isNullable(selection.resource, key) }),
  )
  const sql = (boundary: Boundary | undefined) => boundary && boundarySql(sorted, boundary, parameters)
  return { after: sql(range.after), before: sql(range.before) }
}

// A newer version of the app may have made a required field of the author optional.
function isNullable({ id }: Resource, { through, field }: OrderKey): boolean {
  const isSetByKit = field === id || (field.system && field.required)
  return !isSetByKit || through.length > 0 || isMasked(field)
}

interface RangeClauses {
  readonly page: RowClauses
  /** The SQL of whether the list has records on the other side of the page. */
  readonly hasOthers: string
}

/** The range of a list, and the placeholder of the number of rows that are read. */
interface RangeSql extends RangeBoundaries, Pick<PageRange, "isFromEnd"> {
  readonly limit: string
}

function rangeClauses(list: OrderedList, { after, before, isFromEnd, limit }: RangeSql): RangeClauses {
  const sides = [after?.isBehind, before?.isAhead].filter((side) => side !== undefined)
  const page = rowClauses(isFromEnd ? inReverse(list) : list, { sides, limit })
  const others = isFromEnd ? before?.isBehind : after?.isAhead
  if (others === undefined) return { page, hasOthers: "false" }
  const { from, where, keys } = rowClauses(isFromEnd ? list : inReverse(list), { sides: [others], limit: "1" })
  // With an order, an index finds the nearest record. Postgres ignores the order of a subquery of `exists`.
  return { page, hasOthers: `(select true from ${from} ${where} order by ${keys} limit 1) is not null` }
}

function inReverse(list: OrderedList): OrderedList {
  return {
    ...list,
    order: list.order.map((key) => ({ ...key, direction: key.direction === "asc" ? "desc" : "asc" })),
  }
}

/** The clauses of a query for the first rows of a list that are on some sides of boundaries. */
interface RowClauses {
  readonly from: string
  readonly where: string
  readonly keys: string
}

interface FirstRows {
  readonly sides: readonly SideSql[]
  readonly limit: string
}

function rowClauses(list: OrderedList, { sides, limit }: FirstRows): RowClauses {
  const { table, alias, joins, order, values } = list
  const keys = order.map(({ direction }, index) => `${values[index]} ${direction}`).join(", ")
  // The values of joined tables are not known where the halves are read.
  const split = joins === "" ? sides.find(({ halves }) => halves !== undefined) : undefined
  const others = sides.filter((side) => side !== split).map(({ condition }) => condition)
  const where = [list.where, ...others].join(" and ")
  if (split?.halves === undefined) return { from: table + joins, where, keys }
  // An index finds the first rows of each half in their order, but not those of both together.
  const halves = split.halves.map(
    (half) => `(select * from ${table} ${where} and ${half} order by ${keys} limit ${limit})`,
  )
  return { from: `(${halves.join(" union all ")}) ${alias}`, where: "", keys }
}

interface RangeParts {
  readonly list: OrderedList
  readonly clauses: RangeClauses
  readonly columns: { readonly columns: readonly string[]; readonly joins: readonly string[] }
  /** The placeholder of the number of rows that are read. */
  readonly limit: string
  /** The placeholder of the number at which the count ends. */
  readonly most: string
}

function rangeText({ total }: RangeRead, { list, clauses, columns, limit, most }: RangeParts): string {
  const { from, where, keys } = clauses.page
  const selected = aliased([...columns.columns, ...list.values.map((value) => `(${value})::text`)])
  const page = `select ${selected} from ${from}${columns.joins.join("")} ${where} order by ${keys} limit ${limit}`
  const counted = countedSql(total, `from ${list.table} ${list.where}`, most)
  const found = "(select count(*)::int from _page)"
  // The order of the rows is that of the subquery: a nested loop with a single row keeps it.
  return `with _page as materialized (${page}) select _page.*, ${clauses.hasOthers}, ${counted}, ${found} from (select) _one left join _page on true`
}

function countedSql({ kind }: PageTotal, matching: string, most: string): string {
  switch (kind) {
    case "none":
      return "null"
    case "exact":
      return countAll(matching)
    case "estimate":
    case "atMost":
      return countSome(matching, most)
    default:
      return kind satisfies never
  }
}
