import type { Statement } from "../../ports/database.ts"
import type { FieldType } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import { isAlways, type Predicate, predicateOf, type Visibility } from "../filter/predicate.ts"
import { type RelatedRows, relatedRows } from "../filter/related-rows.ts"
import { visibleSql, whereSql, whereVisible } from "../filter/where.ts"
import type { OrderKey } from "../parse/parse-order.ts"
import type { ToManyOptions } from "../parse/parse-to-many.ts"
import type { HydratedPart, HydratedRelation, Selection } from "../parse/selection.ts"
import { isShared } from "../parse/shared-selection.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { StatementCache } from "../text/statement-cache.ts"
import { partRows } from "./part-rows.ts"
import { tablesOfRead } from "./tables-read.ts"

/** A read of many records, parsed and checked. */
export interface PageRead {
  readonly selection: Selection
  readonly predicate: Predicate
  readonly order: readonly OrderKey[]
  readonly window: PageWindow
  readonly visibility: Visibility
}

const pageForm: StatementForm = { cache: new StatementCache(), writeRelatedList: rowsAsJson }
const nextForm: StatementForm = { cache: new StatementCache(), writeRelatedList: rowsAsJson }
const nextAndCountForm: StatementForm = { cache: new StatementCache(), writeRelatedList: rowsAsJson }
const matchingForm: StatementForm = { cache: new StatementCache(), writeRelatedList: rowsAsJson }

/**
 * Selects one page of records and, in the last column, the total number of records on all pages. If the page is not
 * full, the total follows from the page. The column is then null, and nothing is counted.
 */
export function selectPageWithTotal(read: PageRead): Statement {
  return pageStatement(pageForm, read, (page, { limit, matching }) => {
    const counted = `case when (select count(*) from _page) < ${limit} then null else ${countAll(matching)} end`
    return `with _page as materialized (${page}) select _page.*, ${counted} from _page`
  })
}

/**
 * Selects one page of records and at most one more record, whose presence shows that another page follows. With
 * `countTo`, the last column is the number of records on all pages, counted to one more than `countTo`; it is null if no
 * page follows.
 */
export function selectPageAndNext(read: PageRead, countTo?: number): Statement {
  const longer = oneMore(read)
  if (countTo === undefined) return pageStatement(nextForm, longer, (page) => page)
  const statement = pageStatement(nextAndCountForm, longer, (page, { limit, matching, next }) => {
    const counted = `case when (select count(*) from _page) < ${limit} then null else ${countSome(matching, next)} end`
    return `with _page as materialized (${page}) select _page.*, ${counted} from _page`
  })
  return { ...statement, values: [...statement.values, countTo + 1] }
}

/** Returns the read with one record more than its page has. */
export function oneMore(read: PageRead): PageRead {
  return { ...read, window: { ...read.window, limit: read.window.limit + 1 } }
}

/** Returns the subquery that counts all rows of the clauses `from` and `where`. */
export function countAll(matching: string): string {
  return `(select count(*)::int ${matching})`
}

/** Like `countAll`, but ends at `most` rows. */
export function countSome(matching: string, most: string): string {
  return `(select count(*)::int from (select ${matching} limit ${most}) _some)`
}

/**
 * The difference between a SELECT of rows and one of JSON: the statement cache, and the SQL for lists of related records.
 */
export interface StatementForm {
  readonly cache: StatementCache
  readonly writeRelatedList: WriteRelatedList
}

/**
 * Writes the SQL that returns related records as a JSON list. Their rows have the columns c0, c1 and so on, as in the
 * selection.
 */
type WriteRelatedList = (selection: Selection, rows: RelatedList) => string

export interface RelatedList {
  readonly columns: readonly string[]
  /** The rest of the subquery, after its select list. */
  readonly from: string
  /** The alias of the subquery, which the statement does not use elsewhere. */
  readonly name: string
}

interface PageFragments {
  /** The placeholder of the page's limit. */
  readonly limit: string
  /** The clauses `from` and `where` of the records on all pages. */
  readonly matching: string
  /** The placeholder of a value that is added to those of the statement. */
  readonly next: string
}

/**
 * Returns the statement for a page. The function `write` completes the statement's text from the query for the page.
 * For a cached selection, the text is built only once for the same filter and sort order.
 */
export function pageStatement(
  { cache, writeRelatedList }: StatementForm,
  read: PageRead,
  write: (page: string, names: PageFragments) => string,
): Statement {
  const parameters = new Parameters()
  const parts = pageClauses(read, parameters)
  const make = () => {
    const list = selectList(read.selection, { alias: parts.alias, parameters, writeRelatedList })
    const from = `${parts.table}${parts.joins}${list.joins.join("")}${parts.where}`
    const rows = `select ${aliased(list.columns)} from ${from} order by ${parts.keys}`
    const bound = parameters.values.length
    const limit = `$${bound + 1}`
    const matching = `from ${parts.table}${parts.where}`
    return write(`${rows} limit ${limit} offset $${bound + 2}`, { limit, matching, next: `$${bound + 3}` })
  }
  const text = isShared(read.selection)
    ? cache.get(read.selection, `${parts.joins}${parts.where} ${parts.keys}`, make)
    : make()
  parameters.values.push(read.window.limit, read.window.offset)
  return { text, values: parameters.values, tablesRead: () => tablesOfRead(read) }
}

/** Selects the records that satisfy the predicate, in no particular order. */
export function selectMatching(selection: Selection, predicate: Predicate): Statement {
  return matchingStatement(matchingForm, { selection, predicate }, (rows) => rows)
}

/**
 * Returns the statement for the rows that satisfy the predicate. The function `write` completes the statement's text
 * from the query for the rows. For a cached selection, the text is built only once for the same filter.
 */
export function matchingStatement(
  { cache, writeRelatedList }: StatementForm,
  { selection, predicate }: Pick<PageRead, "selection" | "predicate">,
  write: (rows: string) => string,
): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const where = condition(predicate, alias, parameters)
  const make = () => {
    const list = selectList(selection, { alias, parameters, writeRelatedList })
    const from = `${quote(selection.resource.table)} ${alias}${list.joins.join("")}`
    return write(`select ${aliased(list.columns)} from ${from}${where}`)
  }
  return {
    text: isShared(selection) ? cache.get(selection, where, make) : make(),
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection, predicate }),
  }
}

/** Counts the records that satisfy the predicate. With `most`, the count ends there. */
export function countMatching(resource: Resource, predicate: Predicate, most?: number): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const matching = `from ${quote(resource.table)} ${alias}${condition(predicate, alias, parameters)}`
  return {
    text:
      most === undefined ? `select count(*)::int ${matching}` : `select ${countSome(matching, parameters.add(most))}`,
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection: { resource, fields: [], relations: [] }, predicate }),
  }
}

// The parts of a statement that differ between two reads with the same selection: the filter and the sort order. Their
// parameters are bound first. A cached text has no other parameters except the limit and the offset.
interface PageClauses {
  readonly alias: string
  readonly table: string
  readonly where: string
  readonly keys: string
  /** The joins that the sort keys need. */
  readonly joins: string
}

function pageClauses({ selection, predicate, order, visibility }: PageRead, parameters: Parameters): PageClauses {
  const alias = parameters.alias()
  const where = condition(predicate, alias, parameters)
  const sort = orderList(order, { alias, parameters, visibility })
  const table = `${quote(selection.resource.table)} ${alias}`
  return { alias, table, where, keys: sort.keys.join(", "), joins: sort.joins.join("") }
}

export function condition(predicate: Predicate, alias: string, parameters: Parameters): string {
  return isAlways(predicate) ? "" : ` where ${whereSql(predicate, alias, parameters)}`
}

// Gives each column an alias of its own. Joined tables share column names, but in a subquery each name must be unique.
export function aliased(columns: readonly string[]): string {
  let list = ""
  for (let index = 0; index < columns.length; index++)
    list += `${index === 0 ? "" : ", "}${columns[index]} as c${index}`
  return list
}

interface SelectList {
  readonly columns: string[]
  readonly joins: string[]
}

/** The context in which a select list is written. */
interface ListScope {
  readonly alias: string
  readonly parameters: Parameters
  /** Writes lists of related records. By default, these are rows of plain values, which are decoded later. */
  readonly writeRelatedList?: WriteRelatedList
}

// Returns the select list: first the fields, then a flag for each masked field, then the columns of each hydrated
// record in the same order, then a list for each hydrated part. Rows are decoded in this order.
export function selectList(selection: Selection, scope: ListScope): SelectList {
  const { alias, parameters } = scope
  const columns = selection.fields.map((field) => visibleSql(field, alias, parameters))
  for (const { mask } of selection.masked ?? []) columns.push(`(${whereSql(mask, alias, parameters)}) is true`)
  const joins: string[] = []
  for (const relation of selection.relations) {
    if (relation.toMany) {
      columns.push(...toManyColumns(relation, relation.toMany, scope))
      continue
    }
    const other = parameters.alias()
    const rule = isAlways(relation.predicate) ? "" : ` and ${whereSql(relation.predicate, other, parameters)}`
    const { field, selection: related } = relation
    joins.push(belongsToJoin({ field, target: related.resource, from: alias, to: other, parameters }, rule))
    const inner = selectList(relation.selection, { ...scope, alias: other })
    columns.push(...inner.columns)
    joins.push(...inner.joins)
  }
  for (const part of selection.parts ?? []) columns.push(partColumn(part, scope))
  return { columns, joins }
}

// Returns the columns of a to-many relation as scalar subqueries. A scalar subquery runs only for the rows of the page,
// whereas a join would run for every sorted row.
function toManyColumns(
  { field, selection, predicate }: HydratedRelation,
  many: ToManyOptions,
  { alias, parameters, writeRelatedList = rowsAsJson }: ListScope,
): string[] {
  const records = many.window.limit === 0 ? "'[]'::json" : manyRecords()
  const columns = many.isCounted ? [records, manyCount()] : [records]
  return columns.map((value) => whereVisible(field, { alias, parameters, value }))

  function manyRecords(): string {
    const rows = relatedRows(many.relation, alias, parameters)
    const list = selectList(selection, { alias: rows.alias, parameters, writeRelatedList })
    const sort = manyOrder(rows)
    const from = `${rows.from}${[...list.joins, ...sort.joins].join("")}`
    const where = `where ${rows.condition}${rule(rows.alias)}`
    const window = `limit ${parameters.add(many.window.limit)} offset ${parameters.add(many.window.offset)}`
    const ordered = `from ${from} ${where} order by ${sort.keys.join(", ")} ${window}`
    return writeRelatedList(selection, { columns: list.columns, from: ordered, name: parameters.alias() })
  }

  function manyOrder({ alias: related, order }: RelatedRows): OrderList {
    if (many.order) return orderList(many.order, { alias: related, parameters, visibility: many.visibility })
    return { keys: order ? [order] : [], joins: [] }
  }

  function manyCount(): string {
    const rows = relatedRows(many.relation, alias, parameters)
    return `(select count(*)::int from ${rows.from} where ${rows.condition}${rule(rows.alias)})`
  }

  function rule(target: string): string {
    return isAlways(predicate) ? "" : ` and ${whereSql(predicate, target, parameters)}`
  }
}

// Returns the records whose ids are in the field's value as a scalar subquery.
function partColumn(part: HydratedPart, { alias, parameters, writeRelatedList = rowsAsJson }: ListScope): string {
  const { selection, predicate } = part
  const rows = partRows(part, alias, parameters)
  const list = selectList(selection, { alias: rows.alias, parameters, writeRelatedList })
  const from = `from ${rows.from}${list.joins.join("")}${condition(predicate, rows.alias, parameters)}`
  return writeRelatedList(selection, { columns: list.columns, from, name: parameters.alias() })
}

// Returns the SQL of related records as a JSON list. Each record is an object with its values under the names c0, c1
// and so on, in the order of the select list.
function rowsAsJson(selection: Selection, { columns, from, name }: RelatedList): string {
  const types = columnTypes(selection)
  const exact = columns.map((text, index) => jsonColumn(text, types[index]))
  return `(select coalesce(json_agg(${name}), '[]'::json) from (select ${aliased(exact)} ${from}) ${name})`
}

// Converts bigint and numeric columns to text, because JSON numbers would lose some of their digits.
function jsonColumn(text: string, type: FieldType | undefined): string {
  const isExact = type !== undefined && /^(bigint|numeric)\b/.test(type.sqlType)
  if (!isExact) return text
  return type.sqlType.endsWith("[]") ? `${text}::text[]` : `${text}::text`
}

/** Returns the type of each column of the select list; undefined for a flag, a list of records or a count. */
export function columnTypes(selection: Selection): (FieldType | undefined)[] {
  const nested = selection.relations.flatMap(({ toMany, selection: inner }) => {
    if (toMany === undefined) return columnTypes(inner)
    return toMany.isCounted ? [undefined, undefined] : [undefined]
  })
  const flags = (selection.masked ?? []).map(() => undefined)
  const parts = (selection.parts ?? []).map(() => undefined)
  return [...selection.fields.map((field) => field.type), ...flags, ...nested, ...parts]
}

interface Join {
  readonly field: ResourceField
  readonly target: Resource
  readonly from: string
  readonly to: string
  readonly parameters: Parameters
}

function belongsToJoin({ field, target, from, to, parameters }: Join, rule: string): string {
  const id = visibleSql(field, from, parameters)
  return ` left join ${quote(target.table)} ${to} on ${column(to, target.id.name)} = ${id}${rule}`
}

interface OrderScope {
  readonly alias: string
  readonly parameters: Parameters
  readonly visibility: Visibility
}

interface OrderList {
  readonly keys: string[]
  readonly joins: string[]
}

export function orderList(order: readonly OrderKey[], scope: OrderScope): OrderList {
  const { values, joins } = orderValues(order, scope)
  return { keys: order.map(({ direction }, index) => `${values[index]} ${direction}`), joins }
}

interface OrderValues {
  /** The SQL of the value of each sort key. */
  readonly values: string[]
  readonly joins: string[]
}

/** Returns the SQL of the values by which records are sorted. */
export function orderValues(order: readonly OrderKey[], scope: OrderScope): OrderValues {
  const joins: string[] = []
  const values = order.map(({ through, field }) => {
    let alias = scope.alias
    for (const step of through) {
      const to = scope.parameters.alias()
      const target = targetOf(step)
      const join = { field: step, target, from: alias, to, parameters: scope.parameters }
      joins.push(belongsToJoin(join, rowRule(target, to, scope)))
      alias = to
    }
    return visibleSql(field, alias, scope.parameters)
  })
  return { values, joins }
}

function targetOf({ name, target }: ResourceField): Resource {
  if (target === undefined) throw new Error(`Field "${name}" is not a relation.`)
  return target
}

// Returns the join condition that leaves out records that are hidden from the caller: the sort order must not leak
// anything about them.
function rowRule(target: Resource, alias: string, { parameters, visibility }: OrderScope): string {
  const predicate = predicateOf(visibility.rows(target))
  return isAlways(predicate) ? "" : ` and ${whereSql(predicate, alias, parameters)}`
}
