import type { DocumentOwner } from "../documents/document-trigger.ts"
import type { FollowedPart } from "../references/reference-trigger.ts"

/** The tables of an app's database, as plain JSON. Snapshots are stored in the database and beside each migration. */
export interface SchemaSnapshot {
  readonly version: typeof SNAPSHOT_VERSION
  /**
   * True if the columns of select fields list their options. Snapshots that were stored by earlier versions of kit do
   * not, so that nothing is known about the options.
   */
  readonly hasOptions?: true
  readonly tables: readonly TableSnapshot[]
  /**
   * The localized columns that a schema sync kept although the app no longer declares them. In the Postgres catalog
   * they look like plain JSON columns.
   */
  readonly kept?: readonly KeptLocalized[]
  /** The names of the tables that a schema sync kept although the app no longer declares them. */
  readonly keptTables?: readonly string[]
}

export interface KeptLocalized {
  readonly table: string
  readonly name: string
  readonly localized: LocalizedColumn
}

export const SNAPSHOT_VERSION = 1

export interface TableSnapshot {
  readonly name: string
  readonly columns: readonly ColumnSnapshot[]
  readonly indexes: readonly IndexSnapshot[]
  readonly foreignKeys: readonly ForeignKeySnapshot[]
  /** Set if the table's records are searched: the trigger that keeps the search columns. */
  readonly search?: SearchSnapshot
  /** Set if the table's rows have shared documents: the resource under which these are stored. */
  readonly documents?: DocumentOwner
  /** Set if parts of the table's columns refer to records: the parts that a trigger follows. */
  readonly references?: readonly FollowedPart[]
}

export interface SearchSnapshot {
  /** The body of the function that the trigger calls. Indexes with different bodies count as different. */
  readonly body: string
  /** The columns whose changes call the trigger. */
  readonly columns: readonly string[]
  /** Set if deletes call the trigger, too. */
  readonly onDelete?: true
  /** The text search configurations that the function needs. */
  readonly configurations: readonly string[]
}

export interface ColumnSnapshot {
  readonly name: string
  /** The column type as Postgres reports it, such as `numeric(10,2)`. */
  readonly type: string
  readonly nullable: boolean
  readonly primaryKey?: true
  /** Set if the column is localized: the type of the value in one locale, and the default locale. */
  readonly localized?: LocalizedColumn
  /** Set if the column belongs to a select field: the values that it can hold. */
  readonly options?: readonly string[]
}

export interface LocalizedColumn {
  readonly type: string
  readonly locale: string
}

export interface IndexSnapshot {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /**
   * The statement that creates the index. Indexes with different statements count as different, even under the same
   * name.
   */
  readonly sql: string
}

export interface ForeignKeySnapshot {
  readonly name: string
  readonly column: string
  readonly target: string
  readonly sql: string
}

export const EMPTY_SNAPSHOT: SchemaSnapshot = Object.freeze({ version: SNAPSHOT_VERSION, tables: [] })

/**
 * Returns the snapshot that was read from a file or a database, or undefined if this version of kit cannot read it. A
 * file may hold more than the snapshot.
 */
export function readSnapshot(value: unknown): SchemaSnapshot | undefined {
  if (typeof value !== "object" || value === null) return undefined
  // The cast is safe: kit itself wrote the snapshot, so with this version number it also has the current shape.
  const { version, hasOptions, tables, kept, keptTables } = value as Partial<SchemaSnapshot>
  if (version !== SNAPSHOT_VERSION || !Array.isArray(tables) || !tables.every(isTable)) return undefined
  return {
    version,
    ...(hasOptions && { hasOptions }),
    tables,
    ...(kept && { kept }),
    ...(keptTables && { keptTables }),
  }
}

function isTable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { name, columns, indexes, foreignKeys } = value as Partial<TableSnapshot>
  return typeof name === "string" && [columns, indexes, foreignKeys].every(Array.isArray)
}
