import {
  addColumn,
  addFilledColumn,
  describeCount,
  fillColumn,
  isMissing,
  quoteAny,
  refuseIfAny,
  setNotNull,
} from "./ddl.ts"
import type { ColumnHint } from "./schema-snapshot.ts"
import type { ColumnSnapshot } from "./snapshot.ts"
import { type KeptColumn, type Precondition, type Step, step, type TableNames } from "./step.ts"

/**
 * Returns the steps that add a column. If the values for existing rows come from a default function, the column becomes
 * required in a second step, when the rows have their values.
 */
export function addedColumns(names: TableNames, column: ColumnSnapshot, hint: ColumnHint | undefined): readonly Step[] {
  if (column.nullable || !hint?.hasDefaultFunction) return [addedColumn(names, column, hint)]
  const optional = { ...column, nullable: true }
  const required = requiredColumn(names, { before: optional, after: column }, hint)
  // The column does not exist before the steps, so that each row counts.
  const violations = describeCount(names.from, "Records without it")
  const precondition = { ...requiredPrecondition(names.to, column.name, hint), violations }
  return [addedColumn(names, optional, hint), { ...required, precondition }]
}

function addedColumn({ from, to: table }: TableNames, column: ColumnSnapshot, hint?: ColumnHint): Step {
  const { name, type, nullable } = column
  const fill = hint?.fill
  const title = `add column "${table}.${name}" (${type}${nullable ? "" : ", required"})`
  if (!nullable && fill !== undefined) {
    return step("add column", { table, name, title, sql: [addFilledColumn(table, column, fill)] })
  }
  const fillRows = hint?.fillRows === undefined ? [] : [hint.fillRows]
  const added = step("add column", { table, name, title, sql: [addColumn(table, column), ...fillRows] })
  const violations = describeCount(from, hint?.isFileMetadata ? "Records without a file" : "Records without it")
  return nullable ? added : { ...added, precondition: { ...requiredPrecondition(table, name, hint), violations } }
}

/** Returns the step that makes an existing column required. */
export function requiredColumn(
  { from, to: table }: TableNames,
  { before, after }: KeptColumn,
  hint?: ColumnHint,
): Step {
  const { name, localized } = after
  const fill = hint?.fill
  const check = localized ? [refuseMissing(table, after)] : []
  const sql = [...(fill === undefined ? check : [fillColumn(table, after, fill)]), setNotNull(table, name)]
  const violations = describeCount(from, "Records without it", isMissing(before))
  const demand = requiredPrecondition(table, name, hint)
  const required = {
    ...step("require column", { table, name, title: `require column "${table}.${name}"`, sql }),
    precondition: fill === undefined ? { ...demand, violations } : demand,
  }
  return hint?.hasDefaultFunction ? { ...required, backfill: backfillSql(table, after) } : required
}

const DEFAULT_FUNCTION_REMEDY =
  "Its default is a function, which SQL cannot call: write the values into the migration, where it says so."

// Returns the SQL that gives existing rows a value, for the author to complete.
function backfillSql(table: string, column: ColumnSnapshot): string {
  return `update ${quoteAny(table)} set ${quoteAny(column.name)} = … where ${isMissing(column)};`
}

function requiredPrecondition(table: string, name: string, hint: ColumnHint | undefined): Precondition {
  if (hint?.isFileMetadata) {
    return {
      problem: `"${table}" has become a collection of files by .upload(), but has records without a file.`,
      remedy: 'Make another collection for the files and point to it with f.upload("…"), or delete those records.',
    }
  }
  const problem = `The field "${name}" of "${table}" is required, but the table already has records without it.`
  if (hint?.hasDefaultFunction) return { problem, remedy: DEFAULT_FUNCTION_REMEDY }
  return { problem, remedy: "Give it a value for them with .default(…), or leave out .required()." }
}

// Returns the SQL that fails if a row has no value in the default locale. Postgres does not treat such a locale map as
// null, so the SQL itself raises an error with the code of a null violation.
function refuseMissing(table: string, column: ColumnSnapshot): string {
  return refuseIfAny(table, isMissing(column), { code: "23502", message: "a value is missing in the default locale" })
}
