/** What a database holds for an app, as plain JSON: stored in the database and beside each migration. */
export interface SchemaSnapshot {
  readonly version: typeof SNAPSHOT_VERSION
  readonly tables: readonly TableSnapshot[]
  /** Columns that a sync has kept though nothing declares them, whose values the catalog cannot tell from plain JSON. */
  readonly kept?: readonly KeptLocalized[]
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
}

export interface ColumnSnapshot {
  readonly name: string
  /** As Postgres names it: `numeric(10,2)`. */
  readonly type: string
  readonly nullable: boolean
  readonly primaryKey?: true
  /** Set where the column holds values by locale: the type that one of them has, and the locale of those without one. */
  readonly localized?: LocalizedColumn
}

export interface LocalizedColumn {
  readonly type: string
  readonly locale: string
}

export interface IndexSnapshot {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** The statement that makes it; another statement is another index. */
  readonly sql: string
}

export interface ForeignKeySnapshot {
  readonly name: string
  readonly column: string
  readonly target: string
  readonly sql: string
}

export const EMPTY_SNAPSHOT: SchemaSnapshot = Object.freeze({ version: SNAPSHOT_VERSION, tables: [] })

/** A snapshot that was read from a file or a database, or undefined if it is none that this version knows. */
export function readSnapshot(value: unknown): SchemaSnapshot | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { version, tables } = value as Partial<SchemaSnapshot>
  if (version !== SNAPSHOT_VERSION || !Array.isArray(tables)) return undefined
  // Written by this code, which gives tables of this version that shape.
  return tables.every(isTable) ? (value as SchemaSnapshot) : undefined
}

function isTable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { name, columns, indexes, foreignKeys } = value as Partial<TableSnapshot>
  return typeof name === "string" && [columns, indexes, foreignKeys].every(Array.isArray)
}
