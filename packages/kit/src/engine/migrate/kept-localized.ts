import type { ChangeHints } from "../../sql/tables/schema-snapshot.ts"
import type { KeptLocalized, SchemaSnapshot } from "../../sql/tables/snapshot.ts"

interface SchemaChange {
  readonly stored: SchemaSnapshot | undefined
  readonly target: SchemaSnapshot
  readonly hints: ChangeHints
}

/**
 * Returns the localized columns that are no longer declared. They are listed in the stored snapshot, so that a column
 * that is declared again is still known to be localized, and keeps all its locales.
 */
export function keptLocalized({ stored, target, hints }: SchemaChange): readonly KeptLocalized[] {
  const renamed = new Map([...hints.tables].flatMap(([to, names]) => names.map((from) => [from, to] as const)))
  const before = stored ? [...localizedColumns(stored), ...(stored.kept ?? [])] : []
  const left = before.map((column) => ({ ...column, table: renamed.get(column.table) ?? column.table }))
  return left.filter(({ table, name }) => !isDeclared({ target, hints }, table, name))
}

function localizedColumns({ tables }: SchemaSnapshot): KeptLocalized[] {
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, localized }) => (localized ? [{ table, name, localized }] : [])),
  )
}

function isDeclared({ target, hints }: Omit<SchemaChange, "stored">, table: string, name: string): boolean {
  const columns = target.tables.find((each) => each.name === table)?.columns ?? []
  return columns.some(
    (column) => column.name === name || hints.columns.get(table)?.get(column.name)?.renamedFrom === name,
  )
}
