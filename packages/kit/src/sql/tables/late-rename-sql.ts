import { dropColumn, dropTable, quoteAny, refuseIfAny } from "./ddl.ts"
import { type Step, step } from "./step.ts"

/** A column that a sync created under a field's new name, before the author declared the old name. */
export interface LateColumn {
  readonly table: string
  readonly name: string
  /** The SQL of the default that existing rows got when the column was created, if any. */
  readonly fill: string | undefined
}

/** Returns the SQL that counts the rows with a value in the column that is not the column's default. */
export function countOwnValues(column: LateColumn): string {
  return `select count(*) from ${quoteAny(column.table)} where ${hasOwnValue(column)}`
}

export function countValues(table: string, column: string): string {
  return `select count(${quoteAny(column)}) from ${quoteAny(table)}`
}

export function countRows(table: string): string {
  return `select count(*) from ${quoteAny(table)}`
}

/** Returns the step that makes room for the column with the old name. It fails if the column has values meanwhile. */
export function droppedLateColumn(column: LateColumn): Step {
  const { table, name } = column
  return step("drop empty", {
    ...{ table, name, title: `drop the empty column "${table}.${name}"` },
    sql: [lock(table), refuseIfAny(table, hasOwnValue(column), NOT_EMPTY), dropColumn(table, name)],
  })
}

/** Returns the step that makes room for the table with the old name. It fails if the table has rows meanwhile. */
export function droppedLateTable(table: string): Step {
  return step("drop empty", {
    ...{ table, title: `drop the empty table "${table}"` },
    sql: [lock(table), refuseIfAny(table, "true", NOT_EMPTY), dropTable(table)],
  })
}

const NOT_EMPTY = { code: "23514", message: "a record was written during the rename; start again" }

function hasOwnValue({ name, fill }: LateColumn): string {
  const isOther = fill === undefined ? "" : ` and ${quoteAny(name)} is distinct from ${fill}`
  return `${quoteAny(name)} is not null${isOther}`
}

function lock(table: string): string {
  return `lock table ${quoteAny(table)} in access exclusive mode`
}
