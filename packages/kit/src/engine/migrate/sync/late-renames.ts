import type { Connection } from "../../../ports/database.ts"
import {
  countOwnValues,
  countRows,
  countValues,
  droppedLateColumn,
  droppedLateTable,
  type LateColumn,
} from "../../../sql/tables/late-rename-sql.ts"
import type { ChangeHints } from "../../../sql/tables/schema-snapshot.ts"
import type { SchemaSnapshot, TableSnapshot } from "../../../sql/tables/snapshot.ts"
import { droppedKey, type Step } from "../../../sql/tables/step.ts"

interface FoundTables {
  /** The existing tables. */
  readonly found: SchemaSnapshot
  readonly target: SchemaSnapshot
  readonly hints: ChangeHints
}

/** The renames that were declared after a sync had already created a table or column with the new name. */
interface LateRenames {
  /** The steps that drop the empty tables and columns with the new names. */
  readonly steps: readonly Step[]
  /** The existing tables after these steps. The other renames follow from them. */
  readonly found: SchemaSnapshot
  /** A sentence, with a remedy, for each rename that is not possible, because both names have data. */
  readonly warnings: readonly string[]
}

/**
 * Finds the declared renames for which both names exist in the database. While nothing is stored under the new name, it
 * is dropped, so that the table or column with the old name can take its place.
 */
export async function findLateRenames(connection: Connection, tables: FoundTables): Promise<LateRenames> {
  const ofTables = await findLateTables(connection, tables)
  const ofColumns = await findLateColumns(connection, { ...tables, found: ofTables.found })
  return {
    steps: [...ofTables.steps, ...ofColumns.steps],
    found: ofColumns.found,
    warnings: [...ofTables.warnings, ...ofColumns.warnings],
  }
}

interface TablePair {
  readonly from: string
  readonly to: string
  readonly oldRows: number
  readonly newRows: number
}

// Tables are replaced together or not at all: stage copies and links must stay with the records they belong to.
async function findLateTables(connection: Connection, { found, target, hints }: FoundTables): Promise<LateRenames> {
  const names = new Set(found.tables.map(({ name }) => name))
  const pairs: TablePair[] = []
  for (const { name: to } of target.tables) {
    const from = hints.tables.get(to)?.find((name) => names.has(name))
    if (from === undefined || !names.has(to)) continue
    const [oldRows, newRows] = [await count(connection, countRows(from)), await count(connection, countRows(to))]
    pairs.push({ from, to, oldRows, newRows })
  }
  const filled = pairs.filter(({ newRows }) => newRows > 0)
  if (pairs.every(({ oldRows }) => oldRows === 0)) return { steps: [], found, warnings: [] }
  if (filled.length > 0) return { steps: [], found, warnings: filled.filter(hasOldRows).map(tableWarning) }
  return withoutTables(new Set(pairs.map(({ to }) => to)), { found, target })
}

function withoutTables(gone: ReadonlySet<string>, { found, target }: Omit<FoundTables, "hints">): LateRenames {
  const declared = target.tables.flatMap(({ foreignKeys }) => foreignKeys)
  const pointing = new Set(declared.filter((key) => gone.has(key.target)).map(({ name }) => name))
  const isDropped = (table: TableSnapshot, name: string) => gone.has(table.name) || pointing.has(name)
  const keys = found.tables.flatMap((table) =>
    table.foreignKeys.filter(({ name }) => isDropped(table, name)).map(({ name }) => droppedKey(table.name, name)),
  )
  const left = found.tables.filter(({ name }) => !gone.has(name))
  const tables = left.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.filter(({ name }) => !pointing.has(name)),
  }))
  return { steps: [...keys, ...[...gone].map(droppedLateTable)], found: { ...found, tables }, warnings: [] }
}

interface ColumnPair extends LateColumn {
  readonly from: string
  readonly oldValues: number
  readonly newValues: number
}

// A column is replaced in a table and in the tables of its stage copies together, or in none of them.
async function findLateColumns(connection: Connection, tables: FoundTables): Promise<LateRenames> {
  const pairs: ColumnPair[] = []
  for (const pair of columnPairs(tables)) {
    const oldValues = await count(connection, countValues(pair.table, pair.from))
    pairs.push({ ...pair, oldValues, newValues: await count(connection, countOwnValues(pair)) })
  }
  const isSame = (one: ColumnPair, other: ColumnPair) =>
    rootOf(one.table) === rootOf(other.table) && one.name === other.name
  const groupOf = (pair: ColumnPair) => pairs.filter((other) => isSame(pair, other))
  const wanted = pairs.filter((pair) => groupOf(pair).some(({ oldValues }) => oldValues > 0))
  const late = wanted.filter((pair) => groupOf(pair).every(({ newValues }) => newValues === 0))
  const filled = wanted.filter(({ oldValues, newValues }) => oldValues > 0 && newValues > 0)
  return {
    steps: late.map(droppedLateColumn),
    found: withoutColumns(late, tables),
    warnings: filled.map(columnWarning),
  }
}

function columnPairs({ found, target, hints }: FoundTables): (LateColumn & { from: string })[] {
  return target.tables.flatMap(({ name: table, columns }) => {
    const existing = new Set(found.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name))
    return columns.flatMap(({ name }) => {
      const { renamedFrom: from, fill } = hints.columns.get(table)?.get(name) ?? {}
      return from !== undefined && existing.has(from) && existing.has(name) ? [{ table, name, from, fill }] : []
    })
  })
}

// Removes columns from the existing tables, with their indexes and foreign keys, which PostgreSQL drops with them.
function withoutColumns(late: readonly LateColumn[], { found, target }: FoundTables): SchemaSnapshot {
  const tables = found.tables.map((table) => {
    const gone = new Set(late.filter((column) => column.table === table.name).map(({ name }) => name))
    const declared = target.tables.find(({ name }) => name === table.name)
    const indexes = declared?.indexes.filter(({ columns }) => columns.some((name) => gone.has(name))) ?? []
    const keys = declared?.foreignKeys.filter(({ column }) => gone.has(column)) ?? []
    const dropped = new Set([...indexes, ...keys].map(({ name }) => name))
    return {
      ...table,
      columns: table.columns.filter(({ name }) => !gone.has(name)),
      indexes: table.indexes.filter(({ name }) => !dropped.has(name)),
      foreignKeys: table.foreignKeys.filter(({ name }) => !dropped.has(name)),
    }
  })
  return { ...found, tables }
}

// Returns the name of the table with the working copies. The name of a table of stage copies begins with it.
function rootOf(table: string): string {
  return table.split(".", 1)[0] ?? table
}

async function count(connection: Connection, text: string): Promise<number> {
  const { rows } = await connection.query({ text, values: [] })
  return Number(rows[0]?.[0])
}

function hasOldRows({ oldRows }: TablePair): boolean {
  return oldRows > 0
}

function tableWarning({ from, to, oldRows, newRows }: TablePair): string {
  return (
    `${to} cannot be renamed from ${from}: both have records (${newRows} and ${oldRows}). ` +
    `Delete those of ${to}, or copy those of ${from} yourself, drop that table, and remove .renamedFrom(…).`
  )
}

function columnWarning({ table, name, from, oldValues, newValues }: ColumnPair): string {
  return (
    `${table}.${name} cannot be renamed from ${table}.${from}: both have values (${newValues} and ${oldValues}). ` +
    `Copy those that you need (update "${table}" set "${name}" = "${from}"), drop the old column ` +
    `(alter table "${table}" drop column "${from}"), and remove .renamedFrom("${from}").`
  )
}
