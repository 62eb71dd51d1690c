/** The tables of an app's database, as plain JSON: stored in the database and beside each migration. */
export interface SchemaSnapshot {
  readonly version: typeof SNAPSHOT_VERSION
  readonly tables: readonly TableSnapshot[]
  /** Undeclared columns, kept by a sync, with values by locale: to the catalog these look like plain JSON. */
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
  /** As Postgres reports it: `numeric(10,2)`. */
  readonly type: string
  readonly nullable: boolean
  readonly primaryKey?: true
  /** Set if the column holds values by locale: the type of one value, and the default locale. */
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
  /** The statement that creates it; if the statement differs, it is a different index. */
  readonly sql: string
}

export interface ForeignKeySnapshot {
  readonly name: string
  readonly column: string
  readonly target: string
  readonly sql: string
}

export const EMPTY_SNAPSHOT: SchemaSnapshot = Object.freeze({ version: SNAPSHOT_VERSION, tables: [] })

/** Returns a snapshot that was read from a file or a database, or undefined if this version cannot read it. */
export function readSnapshot(value: unknown): SchemaSnapshot | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { version, tables } = value as Partial<SchemaSnapshot>
  if (version !== SNAPSHOT_VERSION || !Array.isArray(tables)) return undefined
  // This code wrote it, so the rest has the shape of this version.
  return tables.every(isTable) ? (value as SchemaSnapshot) : undefined
}

function isTable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { name, columns, indexes, foreignKeys } = value as Partial<TableSnapshot>
  return typeof name === "string" && [columns, indexes, foreignKeys].every(Array.isArray)
}
