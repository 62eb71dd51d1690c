import type { ChangeHints } from "../../sql/tables/schema-snapshot.ts"
import {
  type ColumnSnapshot,
  type LocalizedColumn,
  type SchemaSnapshot,
  SNAPSHOT_VERSION,
  type TableSnapshot,
} from "../../sql/tables/snapshot.ts"
import type { CatalogColumn, CatalogConstraint, DatabaseCatalog } from "./database-catalog.ts"

interface ComparedSchemas {
  /** The schema snapshot that the last sync or migration stored in the database, if any. */
  readonly stored: SchemaSnapshot | undefined
  readonly target: SchemaSnapshot
  readonly hints: ChangeHints
}

/** Returns a snapshot of the app's existing tables, including tables that the app no longer declares. */
export function snapshotOfCatalog(found: DatabaseCatalog, expected: ComparedSchemas): SchemaSnapshot {
  const { stored, target, hints } = expected
  const ours = new Set([
    ...[...hints.tables.values()].flat(),
    ...[...target.tables, ...(stored?.tables ?? [])].map(({ name }) => name),
  ])
  const tables = [...found.tables].filter(([name]) => ours.has(name))
  return {
    version: SNAPSHOT_VERSION,
    hasOptions: true,
    tables: tables.map(([name, columns]) => ({
      name,
      columns: withOptions(
        columnsOf(columns, declaredTable(name, expected), localizedColumns(name, expected)),
        expected.stored?.tables.find((table) => table.name === name),
      ),
      ...constraintsOf(name, found, expected),
      ...searchOf(name, found, expected),
      ...documentsOf(name, found),
      ...referencesOf(name, found),
    })),
  }
}

// Returns the trigger that keeps the search columns of a table. Its columns are not read, because they follow from the
// body of its function.
function searchOf(name: string, found: DatabaseCatalog, expected: ComparedSchemas): Pick<TableSnapshot, "search"> {
  const body = found.searchBodies.get(name)
  const needed = declaredTable(name, expected)?.search?.configurations ?? []
  const configurations = needed.filter((configuration) => found.configurations.has(configuration))
  return body === undefined ? {} : { search: { body, columns: [], configurations } }
}

function documentsOf(name: string, { documentOwners }: DatabaseCatalog): Pick<TableSnapshot, "documents"> {
  const documents = documentOwners.get(name)
  return documents === undefined ? {} : { documents }
}

function referencesOf(name: string, { followedParts }: DatabaseCatalog): Pick<TableSnapshot, "references"> {
  const references = followedParts.get(name)
  return references === undefined ? {} : { references }
}

function declaredTable(name: string, { target, hints }: ComparedSchemas): TableSnapshot | undefined {
  return target.tables.find((table) => table.name === name || hints.tables.get(table.name)?.includes(name))
}

// Returns the localized columns of a table. PostgreSQL's catalog does not say whether a JSON column is localized, so
// the stored snapshot decides or, if there is none, the declared schema.
function localizedColumns(name: string, { stored, target }: ComparedSchemas): ReadonlyMap<string, LocalizedColumn> {
  const { tables, kept = [] } = stored ?? target
  const columns = tables.find((table) => table.name === name)?.columns ?? []
  return new Map([
    ...kept.filter(({ table }) => table === name).map((column) => [column.name, column.localized] as const),
    ...columns.flatMap((column) => (column.localized ? [[column.name, column.localized] as const] : [])),
  ])
}

function columnsOf(
  columns: ReadonlyMap<string, CatalogColumn>,
  declared: TableSnapshot | undefined,
  localizedBy: ReadonlyMap<string, LocalizedColumn>,
): readonly ColumnSnapshot[] {
  const known = new Set(declared?.columns.map((column) => column.name))
  return [...columns].map(([name, { type, isRequired, hasDefault }]) => {
    // A column that is no longer declared counts as nullable if it has a database default, because inserts still
    // succeed.
    const needsValue = isRequired && (known.has(name) || !hasDefault)
    const localized = type === "jsonb" ? localizedBy.get(name) : undefined
    return { name, type, nullable: !needsValue, ...(localized && { localized }) }
  })
}

// Adds the options of select fields, which only the stored snapshot knows. Columns that it does not list may hold any
// text.
function withOptions(columns: readonly ColumnSnapshot[], stored: TableSnapshot | undefined): readonly ColumnSnapshot[] {
  const known = new Map(stored?.columns.map(({ name, options }) => [name, options]))
  return columns.map((column) => {
    const options = known.get(column.name)
    return options ? { ...column, options } : column
  })
}

function constraintsOf(table: string, found: DatabaseCatalog, expected: ComparedSchemas) {
  const known = new Map(
    [expected.target, expected.stored].flatMap((snapshot) => (snapshot ? constraintTexts(snapshot) : [])),
  )
  const ours = found.constraints.filter((constraint) => constraint.table === table && isOurs(constraint, known))
  const described = ours.map(({ name, kind }) => ({ name, kind, sql: known.get(name) ?? "" }))
  return {
    indexes: described
      .filter(({ kind }) => kind !== "key")
      .map(({ name, kind, sql }) => ({ name, columns: [], unique: kind === "unique", sql })),
    foreignKeys: described
      .filter(({ kind }) => kind === "key")
      .map(({ name, sql }) => ({ name, column: "", target: "", sql })),
  }
}

// True if kit made this constraint. Kit's names begin with the table's name or, where that would be too long, are known
// from a snapshot. Constraints that others have added are left alone.
function isOurs({ table, name }: CatalogConstraint, known: ReadonlyMap<string, string>): boolean {
  return known.has(name) || name.startsWith(`${table}.`)
}

// Returns the SQL of each index and foreign key in the snapshot, with its name. PostgreSQL's catalog is not used for
// this, because it words the same definition differently.
function constraintTexts({ tables }: SchemaSnapshot): (readonly [string, string])[] {
  return tables.flatMap(({ indexes, foreignKeys }) =>
    [...indexes, ...foreignKeys].map(({ name, sql }) => [name, sql] as const),
  )
}
