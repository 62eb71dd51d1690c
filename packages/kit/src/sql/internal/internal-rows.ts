import type { Statement } from "../../ports/database.ts"
import type { InternalColumn, InternalTable } from "../../schema/compile/internal-table.ts"
import { touchedRecordsSql } from "../changes/changes.ts"
import { Parameters, quote } from "../text/fragment.ts"

type InternalRow = Readonly<Record<string, unknown>>

/** A condition on a column. Conditions that are marked as alternatives are joined by OR, all others by AND. */
export interface InternalCondition {
  readonly column: string
  readonly operator: string
  readonly value: unknown
  readonly isAlternative?: boolean
}

interface InternalPage {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly sortBy?: { readonly column: string; readonly direction: "asc" | "desc" } | undefined
}

/** Inserts a row into an internal table and returns all columns of the row. */
export function insertInternal(table: InternalTable, row: InternalRow): Statement {
  const parameters = new Parameters()
  const columns = Object.keys(row).map((name) => columnSql(table, name))
  const values = Object.values(row).map((value) => parameters.add(value))
  const into = `insert into ${quote(table.name)} (${columns.join(", ")}) values (${values.join(", ")})`
  return { text: `${into} returning ${columnList(table)}`, values: parameters.values }
}

export function selectInternal(
  table: InternalTable,
  where: readonly InternalCondition[],
  { limit, offset, sortBy }: InternalPage = {},
): Statement {
  const parameters = new Parameters()
  const order = sortBy ? ` order by ${columnSql(table, sortBy.column)} ${sortBy.direction}` : ""
  const rows = `select ${columnList(table)} from ${quote(table.name)}${whereSql(table, where, parameters)}${order}`
  const page = [
    limit === undefined ? "" : ` limit ${parameters.add(limit)}`,
    offset === undefined ? "" : ` offset ${parameters.add(offset)}`,
  ]
  return { text: rows + page.join(""), values: parameters.values }
}

export function countInternal(table: InternalTable, where: readonly InternalCondition[]): Statement {
  const parameters = new Parameters()
  const text = `select count(*)::integer from ${quote(table.name)}${whereSql(table, where, parameters)}`
  return { text, values: parameters.values }
}

/** Updates the matching rows of an internal table and returns their new values. */
export function updateInternal(
  table: InternalTable,
  where: readonly InternalCondition[],
  change: InternalRow,
): Statement {
  const parameters = new Parameters()
  const set = Object.entries(change).map(([name, value]) => `${columnSql(table, name)} = ${parameters.add(value)}`)
  const update = `update ${quote(table.name)} set ${set.join(", ")}${whereSql(table, where, parameters)}`
  return { text: `${update} returning ${columnList(table)}`, values: parameters.values }
}

/**
 * Deletes the matching rows of an internal table and returns them. Appends a change for each record that owned a
 * deleted row.
 */
export function deleteInternal(table: InternalTable, where: readonly InternalCondition[]): Statement {
  const parameters = new Parameters()
  const list = columnList(table)
  const removal = `delete from ${quote(table.name)}${whereSql(table, where, parameters)} returning ${list}`
  const owned = table.columns.find(({ owner }) => owner !== undefined)
  const note = owned && ownerChangesSql(owned)
  if (note === undefined) return { text: removal, values: parameters.values }
  return {
    text: `with _gone as (${removal}), _noted as (${note}) select ${list} from _gone`,
    values: parameters.values,
    appendsChanges: true,
  }
}

function ownerChangesSql({ name, owner = "" }: InternalColumn): string {
  return touchedRecordsSql({ kind: "collection", name: owner }, `select distinct ${quote(name)}::text as id from _gone`)
}

/** Returns the row as an object whose keys are the column names. */
export function internalRow({ columns }: InternalTable, values: readonly unknown[]): InternalRow {
  return Object.fromEntries(columns.map(({ name }, index) => [name, values[index]]))
}

const COMPARISONS: Readonly<Record<string, string>> = {
  ne: "is distinct from",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
}

function whereSql(table: InternalTable, where: readonly InternalCondition[], parameters: Parameters): string {
  if (where.length === 0) return ""
  const sql = (condition: InternalCondition) => conditionSql(table, condition, parameters)
  const all = where.filter(({ isAlternative }) => !isAlternative).map(sql)
  const any = where.filter(({ isAlternative }) => isAlternative).map(sql)
  return ` where ${[...all, ...(any.length > 0 ? [`(${any.join(" or ")})`] : [])].join(" and ")}`
}

function conditionSql(table: InternalTable, condition: InternalCondition, parameters: Parameters): string {
  const { operator, value } = condition
  const column = columnSql(table, condition.column)
  if (value === null && operator === "eq") return `${column} is null`
  // A plain `=` lets Postgres use an index; a null value is already handled by `is null` above.
  if (operator === "eq") return `${column} = ${parameters.add(value)}`
  if (operator === "in") return `${column} = any(${parameters.add(value)})`
  const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined
  if (comparison === undefined)
    throw new Error(`The tables of the framework do not support the operator "${operator}".`)
  return `${column} ${comparison} ${parameters.add(value)}`
}

function columnList({ columns }: InternalTable): string {
  return columns.map(({ name }) => quote(name)).join(", ")
}

// Returns the quoted column name. Names can come from the identity library, so they are checked before they become SQL.
function columnSql({ name: table, columns }: InternalTable, name: string): string {
  if (!columns.some((column) => column.name === name)) throw new Error(`Table "${table}" has no column "${name}".`)
  return quote(name)
}
