import { isWidening } from "../text/column-types.ts"
import {
  changeType,
  createTable,
  describeCount,
  describeMissingTrigrams,
  dropColumn,
  dropConstraint,
  dropIndex,
  dropNotNull,
  dropTable,
  localizeColumn,
  needsTrigrams,
  quoteAny,
  refuseIfAny,
  renameColumn,
  renameTable,
  reorderKey,
} from "./ddl.ts"
import type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot, TableSnapshot } from "./snapshot.ts"

export type StepKind =
  | "rename table"
  | "rename column"
  | "reorder key"
  | "drop key"
  | "drop index"
  | "drop unique"
  | "create table"
  | "add column"
  | "change type"
  | "change options"
  | "replace options"
  | "require column"
  | "release column"
  | "drop column"
  | "drop table"
  | "drop empty"
  | "create index"
  | "add key"
  | "index search"
  | "drop search"
  | "follow deletes"
  | "follow references"
  | "drop references"

/** One change to a database on the way from one schema snapshot to another. */
export interface Step {
  readonly kind: StepKind
  readonly table: string
  /** The name of the column, index or key; absent if the step changes the whole table. */
  readonly name?: string
  /** The table to which the foreign key points that the step adds. */
  readonly target?: string
  /** A description of the step, for people to read. */
  readonly title: string
  readonly sql: readonly string[]
  readonly losesData: boolean
  readonly loss?: Loss
  /** The condition that existing records must meet before the step can run. */
  readonly precondition?: Precondition
  /**
   * Set if existing records need the values of a default function. A sync calls it before the step. SQL cannot call it,
   * so that this is the SQL for the author of a migration to complete.
   */
  readonly backfill?: string
}

/** Describes the data that a step loses. */
interface Loss {
  /** The SQL that counts the rows that will lose data. It runs before the step. */
  readonly count: string
  /** The SQL to run in place of the step in order to keep the data. */
  readonly keep: readonly string[]
}

export interface Precondition {
  readonly problem: string
  readonly remedy: string
  /**
   * The SQL that describes the rows that violate the precondition, as one sentence; null if there are none. It runs
   * before any step. Absent if only the step itself can detect a violation.
   */
  readonly violations?: string | undefined
}

/** The name of a table before (`from`) and after (`to`) a change. */
export interface TableNames {
  readonly from: string
  readonly to: string
}

export function renamedTable({ from, to }: TableNames): Step {
  return step("rename table", { table: to, title: `rename table "${from}" to "${to}"`, sql: [renameTable(from, to)] })
}

export function renamedColumn(table: string, from: string, to: string): Step {
  const title = `rename column "${table}.${from}" to "${to}"`
  return step("rename column", { table, name: to, title, sql: [renameColumn(table, from, to)] })
}

export function reorderedKey(table: string, columns: readonly string[]): Step {
  const title = `reorder the primary key of "${table}" by ${columns.map((name) => `"${name}"`).join(", ")}`
  return step("reorder key", { table, title, sql: [reorderKey(table, columns)] })
}

export function createdTable(table: TableSnapshot): Step {
  return step("create table", { table: table.name, title: `create table "${table.name}"`, sql: [createTable(table)] })
}

export function droppedTable(table: string): Step {
  const title = `drop table "${table}" with all its records`
  const loss = { count: `select count(*) from ${quoteAny(table)}`, keep: [] }
  return { ...step("drop table", { table, title, sql: [dropTable(table)] }), losesData: true, loss }
}

export function droppedColumn({ from, to: table }: TableNames, { name, nullable }: ColumnSnapshot): Step {
  const title = `drop column "${table}.${name}" with all its values`
  // To be kept, an undeclared column must become nullable: no write sets it, so as a required column it would make
  // every insert fail.
  const keep = nullable ? [] : [dropNotNull(table, name)]
  const loss = { count: `select count(${quoteAny(name)}) from ${quoteAny(from)}`, keep }
  const dropped = {
    ...step("drop column", { table, name, title, sql: [dropColumn(table, name)] }),
    losesData: true,
    loss,
  }
  return name === DELETED_COLUMN ? refusingWhileDeleted(dropped, from) : dropped
}

/**
 * The column that marks soft-deleted records. A table has soft delete if it has this column; authors cannot use the
 * name for a field.
 */
const DELETED_COLUMN = "deletedAt"

// Makes the step fail while the table has soft-deleted records. Without the `deletedAt` column, they could not be
// distinguished from active records.
function refusingWhileDeleted(dropped: Step, from: string): Step {
  const isDeleted = `${quoteAny(DELETED_COLUMN)} is not null`
  const refusal = { code: "23514", message: "deleted records would reappear" }
  return {
    ...dropped,
    sql: [refuseIfAny(dropped.table, isDeleted, refusal), ...dropped.sql],
    precondition: {
      problem: `Without softDelete, the deleted records of "${dropped.table}" would reappear.`,
      remedy: "Restore or purge them first, or keep the option.",
      violations: describeCount(from, "Deleted records", isDeleted),
    },
  }
}

/** A column that exists both before and after a change. */
export interface KeptColumn {
  readonly before: ColumnSnapshot
  readonly after: ColumnSnapshot
}

export function optionalColumn(table: string, name: string): Step {
  const title = `make column "${table}.${name}" nullable`
  return step("release column", { table, name, title, sql: [dropNotNull(table, name)] })
}

/** Returns the step that changes a column to a wider type, or the reason why the column's type cannot be changed. */
export function changedType(table: string, before: ColumnSnapshot, after: ColumnSnapshot): Step | string {
  const { name, type } = after
  if (before.localized || after.localized) return changedLocales(table, before, after)
  if (after.primaryKey && before.type === "text") {
    return (
      `Table "${table}" stores ids as text in "${name}", but the server is to generate them as UUIDs. ` +
      'Keep .options({ id: "client" }), or change the columns yourself.'
    )
  }
  if (!isWidening(before.type, type)) {
    return (
      `Table "${table}" stores "${name}" as ${before.type}, but the field is declared as ${type}. ` +
      "Give the field a new name, or change the column yourself."
    )
  }
  const isRounding = before.type === "bigint" && type === "double precision"
  const title = `change column "${table}.${name}" from ${before.type} to ${type}`
  const sql = [...(isRounding ? [refuseRounding(table, name)] : []), changeType(table, after)]
  const problem = `Not all values of "${name}" of "${table}" fit into ${type}.`
  const remedy = "Change the records first, or give the field a new name."
  return { ...step("change type", { table, name, title, sql }), precondition: { problem, remedy } }
}

// Returns the step that makes a column localized, so that its values become the default locale's values. The reverse is
// refused, because it would lose the values in all other locales.
function changedLocales(table: string, before: ColumnSnapshot, after: ColumnSnapshot): Step | string {
  const { name, localized } = after
  if (localized && before.localized === undefined && before.type === localized.type) {
    const title = `store column "${table}.${name}" by locale, its values as "${localized.locale}"`
    return step("change type", { table, name, title, sql: [localizeColumn(table, name, localized)] })
  }
  const stored = before.localized ? `${before.localized.type} by locale` : before.type
  const declared = localized ? `${localized.type} by locale` : after.type
  return (
    `Table "${table}" stores "${name}" as ${stored}, but the field is declared as ${declared}. ` +
    "Give the field a new name, or change the column yourself."
  )
}

/** Returns the step that creates an index. `duplicates` is the SQL that describes the values that violate it. */
export function createdIndex(
  table: string,
  { name, columns, unique, sql }: IndexSnapshot,
  duplicates: string | undefined,
): Step {
  const title = `create index "${name}"`
  if (needsTrigrams(sql)) return trigramIndex(step("create index", { table, name, title, sql: [sql] }))
  const created = step("create index", { table, name, title, sql: [sql] })
  if (!unique) return created
  const fields = columns.map((column) => `"${column}"`).join(" with ")
  const problem = `The field ${fields} of "${table}" is unique, but some records have the same value.`
  return { ...created, precondition: { problem, remedy: CHANGE_RECORDS, violations: duplicates } }
}

function trigramIndex(created: Step): Step {
  const problem = `The index "${created.name}" needs the extension pg_trgm of PostgreSQL.`
  const remedy = 'Have it created by a superuser ("create extension pg_trgm"), or remove .index("contains").'
  return {
    ...created,
    sql: ["create extension if not exists pg_trgm", ...created.sql],
    precondition: { problem, remedy, violations: describeMissingTrigrams() },
  }
}

export function droppedIndex(table: string, { name, unique }: IndexSnapshot): Step {
  const kind = unique ? "drop unique" : "drop index"
  return step(kind, { table, name, title: `drop index "${name}"`, sql: [dropIndex(name)] })
}

export function addedKey(table: string, { name, column, target, sql }: ForeignKeySnapshot): Step {
  const problem = `The field "${column}" of "${table}" points to "${target}", but some of its values match no record.`
  const title = `add foreign key "${name}"`
  const added = step("add key", { table, name, target, title, sql: [sql] })
  return { ...added, precondition: { problem, remedy: CHANGE_RECORDS } }
}

export function droppedKey(table: string, name: string): Step {
  return step("drop key", { table, name, title: `drop foreign key "${name}"`, sql: [dropConstraint(table, name)] })
}

const CHANGE_RECORDS = "Change the records first, or the field."

export function step(
  kind: StepKind,
  parts: Omit<Step, "kind" | "losesData" | "loss" | "precondition" | "backfill">,
): Step {
  return { kind, ...parts, losesData: false }
}

// Returns the SQL that fails if a double would round a value: from 2^53 on, a double cannot represent every integer.
// The error has the code of a number out of range.
function refuseRounding(table: string, column: string): string {
  const name = quoteAny(column)
  const isRounded = `${name}::double precision::numeric <> ${name}`
  return refuseIfAny(table, isRounded, { code: "22003", message: "a value would be rounded" })
}
