import type { Statement } from "../../ports/database.ts"
import type { FieldType } from "../../schema/compile/field-type.ts"
import { COUNT } from "../../wire/options/query-options.ts"
import type { Operator } from "../filter/operator.ts"
import { both, type Predicate } from "../filter/predicate.ts"
import type { HydratedRelation, Selection } from "../parse/selection.ts"
import { idList, quote } from "../text/fragment.ts"
import { StatementCache } from "../text/statement-cache.ts"
import {
  aliased,
  countAll,
  countSome,
  matchingStatement,
  oneMore,
  type PageRead,
  pageStatement,
  type RelatedList,
  type StatementForm,
} from "./select.ts"

/**
 * Selects one page as JSON text, the number of records on the page, and the number of records on all pages. The latter
 * is null if the page is not full, because it then follows from the page. Returns undefined if Postgres would write
 * some value differently from kit's own JSON.
 */
export function selectPageAsJson(read: PageRead): Statement | undefined {
  const members = membersOf(read.selection)
  if (members === undefined) return undefined
  return pageStatement(pageForm, read, (page, { limit, matching }) => {
    const counted = `case when count(*) < ${limit} then null else ${countAll(matching)} end`
    const records = `(select ${members} from (${page}) _page) ${ROW}`
    return `select coalesce(json_agg(${ROW}), '[]')::text, count(*)::int, ${counted} from ${records}`
  })
}

/**
 * Selects one page as JSON text, and the number of records on the page and one more, if another page follows. With
 * `countTo`, the last column is that of `selectPageAndNext`. Returns undefined if Postgres would write some value
 * differently from kit's own JSON.
 */
export function selectPageAndNextAsJson(read: PageRead, countTo?: number): Statement | undefined {
  const members = membersOf(read.selection)
  if (members === undefined) return undefined
  const form = countTo === undefined ? nextForm : nextAndCountForm
  const statement = pageStatement(form, oneMore(read), (page, { limit, matching, next }) => {
    const found = "(select count(*)::int from _page)"
    const counted = `case when ${found} < ${limit} then null else ${countSome(matching, next)} end`
    const records = `(select ${members} from (select * from _page limit ${limit} - 1) _page) ${ROW}`
    const columns = [`coalesce(json_agg(${ROW}), '[]')::text`, found, ...(countTo === undefined ? [] : [counted])]
    return `with _page as materialized (${page}) select ${columns.join(", ")} from ${records}`
  })
  return countTo === undefined ? statement : { ...statement, values: [...statement.values, countTo + 1] }
}

/**
 * Selects the records that satisfy the predicate, each as JSON text. Returns undefined if Postgres would write some
 * value differently from kit's own JSON.
 */
export function selectMatchingAsJson(selection: Selection, predicate: Predicate): Statement | undefined {
  const members = membersOf(selection)
  if (members === undefined) return undefined
  return matchingStatement(
    matchingForm,
    { selection, predicate },
    (rows) => `select row_to_json(${ROW})::text from (select ${members} from (${rows}) _page) ${ROW}`,
  )
}

// The name of the list of ids for whose rows a statement looks.
const ASKED = "_asked"
const IS_ASKED: Operator = { name: "eq", operand: "value", sql: ({ column }) => `${column} = ${ASKED}.id` }

/**
 * Selects, for each of these ids whose row satisfies the predicate, the place of the id, from 1, and the record as JSON
 * text. The selection must satisfy `canBeJson`.
 */
export function selectEachAsJson(
  { selection, predicate }: Pick<PageRead, "selection" | "predicate">,
  ids: readonly string[],
): Statement {
  const { resource } = selection
  const isAsked: Predicate = { kind: "compare", field: resource.id, operator: IS_ASKED, operand: undefined }
  const one = selectMatchingAsJson(selection, both(isAsked, predicate))
  if (one === undefined) throw new Error("Postgres cannot write these records as JSON.")
  const list = `unnest(${idList(resource, `$${one.values.length + 1}`)}) with ordinality ${ASKED}(id, place)`
  // With a lateral join, Postgres keeps one plan. With `id = any(…)` it makes a plan for each list, which takes as long
  // as reading four records.
  return {
    ...one,
    text: `select ${ASKED}.place, _found.* from ${list} cross join lateral (${one.text}) _found`,
    values: [...one.values, ids],
  }
}

/** True if Postgres writes the records of this selection exactly like kit's own JSON. */
export function canBeJson(selection: Selection): boolean {
  return membersOf(selection) !== undefined
}

/** The rows of a statement that writes them, and how their columns are selected. */
interface WrittenRecords {
  /** The SQL of each field of the selection. */
  readonly columns: readonly string[]
  /** The SQL of values that are selected after the JSON text. */
  readonly others: readonly string[]
  /** The table expression with the rows. */
  readonly from: string
}

/** Returns the query that selects the JSON text of each written record. The selection must satisfy `canBeJson`. */
export function writtenRecordsAsJson(selection: Selection, { columns, others, from }: WrittenRecords): string {
  const list = [`row_to_json(${ROW})::text`, ...others].join(", ")
  const record = `(select ${membersOf(selection)} from (select ${aliased(columns)}) _page) ${ROW}`
  return `select ${list} from ${from} cross join lateral ${record}`
}

// The alias of a row. A field with the same name would shadow the row, but field names cannot begin with an underscore.
const ROW = "_row"

const pageForm: StatementForm = { cache: new StatementCache(), writeRelatedList: recordsAsJson }
const nextForm: StatementForm = { cache: new StatementCache(), writeRelatedList: recordsAsJson }
const nextAndCountForm: StatementForm = { cache: new StatementCache(), writeRelatedList: recordsAsJson }
const matchingForm: StatementForm = { cache: new StatementCache(), writeRelatedList: recordsAsJson }

// Returns the SQL of a list of related records as JSON. It is called only for selections that Postgres can write as
// JSON, so `membersOf` never returns undefined here.
function recordsAsJson(selection: Selection, { columns, from, name }: RelatedList): string {
  const rows = `(select ${aliased(columns)} ${from}) ${name}`
  return `(select coalesce(json_agg(${ROW}), '[]'::json) from (select ${membersOf(selection)} from ${rows}) ${ROW})`
}

const AS_IS = (column: string): string => column
const AS_TEXT = (column: string): string => `${column}::text`

/**
 * For each SQL type, the function that turns a column into an SQL expression that Postgres writes exactly like kit's
 * own JSON. Records with a field of any other type are written as JSON by kit itself.
 */
const JSON_FORMS: ReadonlyMap<string, (column: string) => string> = new Map([
  ["uuid", AS_IS],
  ["text", AS_IS],
  ["boolean", AS_IS],
  ["integer", AS_IS],
  ["jsonb", AS_IS],
  ["date", AS_IS],
  ["time(0)", AS_IS],
  ["text[]", AS_IS],
  ["integer[]", AS_IS],
  ["boolean[]", AS_IS],
  // The column is cast to bigint first: a newer version of the app may have changed it to numeric, whose text could
  // have a decimal point.
  ["bigint", (column) => `${column}::bigint::text`],
  // Adding 0 turns negative zero into 0, as kit's own JSON writes it.
  ["double precision", (column) => `(${column} + 0)`],
  ["timestamptz(3)", (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`],
])

function jsonForm({ sqlType, fromJson }: FieldType): ((column: string) => string) | undefined {
  // If `fromJson` converts the stored JSON into the field's value, Postgres cannot write that value, because it knows
  // only the stored JSON.
  if (sqlType === "jsonb" && fromJson) return undefined
  return /^numeric\([^)]*\)$/.test(sqlType) ? AS_TEXT : JSON_FORMS.get(sqlType)
}

const memberCache = new WeakMap<Selection, string | undefined>()

// Returns the select list in which each member of the record's JSON is a column, or undefined if Postgres cannot write
// the selection as JSON.
function membersOf(selection: Selection): string | undefined {
  if (!memberCache.has(selection)) {
    const members = jsonMembers(selection, 0)
    const list = members && [...members].map(([name, value]) => `${value} as ${quote(name)}`).join(", ")
    memberCache.set(selection, list)
  }
  return memberCache.get(selection)
}

// Returns the SQL of each member of the record's JSON, by name. Columns are numbered as in the select list, c0, c1 and
// so on: first the columns of the record, then those of each relation.
function jsonMembers(selection: Selection, start: number): ReadonlyMap<string, string> | undefined {
  // Postgres cannot write selections with masked fields as JSON. A masked field is missing only in the rows that hide
  // it, but a select list has the same columns in every row. Records inside of values are put there by kit.
  if (selection.masked || selection.computed || selection.parts) return undefined
  const own = selection.fields.map(({ name, type }, index) => [name, jsonForm(type)?.(`c${start + index}`)] as const)
  const members = new Map([...own, ...relatedMembers(selection, start + own.length)])
  return isComplete(members) ? members : undefined
}

function isComplete(members: ReadonlyMap<string, string | undefined>): members is ReadonlyMap<string, string> {
  return ![...members.values()].includes(undefined)
}

// The maximum number of members of a JSON object. A Postgres function takes at most 100 arguments, and each member
// needs two: a name and a value.
const MAX_MEMBERS = 50

function jsonObject(selection: Selection, start: number): string | undefined {
  const members = jsonMembers(selection, start)
  if (members === undefined || members.size > MAX_MEMBERS) return undefined
  return `json_build_object(${[...members].map(([name, value]) => `'${name}', ${value}`).join(", ")})`
}

type Member = [name: string, value: string | undefined]

// Returns a member for each relation and, as the last member, one object with the counts of all relations.
function relatedMembers(selection: Selection, start: number): Member[] {
  let next = start
  const counts: string[] = []
  const members = selection.relations.map((relation): Member => {
    const begin = next
    next += widthOf(relation)
    const { name } = relation.field
    if (relation.toMany === undefined) return [name, relatedObject(relation.selection, begin)]
    if (relation.toMany.isCounted) counts.push(`'${name}', c${begin + 1}`)
    return [name, membersOf(relation.selection) && `c${begin}`]
  })
  return counts.length === 0 ? members : [...members, [COUNT, `json_build_object(${counts.join(", ")})`]]
}

function relatedObject(selection: Selection, begin: number): string | undefined {
  const idAt = begin + selection.fields.indexOf(selection.resource.id)
  const object = jsonObject(selection, begin)
  return object && `case when c${idAt} is null then null else ${object} end`
}

function widthOf({ toMany, selection }: HydratedRelation): number {
  if (toMany) return toMany.isCounted ? 2 : 1
  return selection.relations.reduce((width, relation) => width + widthOf(relation), selection.fields.length)
}
