import { findFieldNameProblem } from "../../../schema/compile/names.ts"
import type { ColumnSnapshot, SchemaSnapshot } from "../../../sql/tables/snapshot.ts"
import type { Step } from "../../../sql/tables/step.ts"

/** The proposal to declare a rename. */
export interface RenameProposal {
  /** The names of the new tables, or the paths of the new columns, that may have had the old name. */
  readonly candidates: readonly string[]
  readonly text: string
}

/** The declared tables before and after a change, and the steps from one to the other. */
interface SchemaChange {
  readonly before: SchemaSnapshot
  readonly after: SchemaSnapshot
  readonly steps: readonly Step[]
}

/**
 * Returns a proposal for each table and column that is no longer declared while a similar one is new, because it may
 * have been renamed.
 */
export function proposeRenames(change: SchemaChange): readonly RenameProposal[] {
  return change.steps.flatMap(({ kind, table, name = "" }) => {
    // The tables of stage copies and links have a dot in their names. They follow the tables of their records.
    if (table.includes(".")) return []
    if (kind === "drop table") return proposeTable(table, change)
    return kind === "drop column" ? proposeColumn(table, name, change) : []
  })
}

function proposeTable(table: string, { before, after, steps }: SchemaChange): RenameProposal[] {
  const created = steps.filter(({ kind }) => kind === "create table").map((step) => step.table)
  const shape = shapeOf(before, table)
  const similar = created.filter((name) => isGlobal(name) === isGlobal(table) && shapeOf(after, name) === shape)
  const place = isGlobal(table) ? "the global" : "the collection"
  return propose({ old: table, name: table.replace(GLOBAL_PREFIX, ""), place }, similar)
}

function proposeColumn(table: string, column: string, { before, after, steps }: SchemaChange): RenameProposal[] {
  if (findFieldNameProblem(column) !== undefined) return []
  const type = typeOf(before, table, column)
  const added = steps.flatMap(({ kind, table: place, name = "" }) =>
    kind === "add column" && place === table ? [name] : [],
  )
  const similar = added.filter((name) => type !== undefined && typeOf(after, table, name) === type)
  const paths = similar.map((name) => `${table}.${name}`)
  return propose({ old: `${table}.${column}`, name: column, place: "the field" }, paths)
}

interface LeftOver {
  readonly old: string
  /** The old name, as the author declares it. */
  readonly name: string
  readonly place: string
}

function propose({ old, name, place }: LeftOver, candidates: readonly string[]): RenameProposal[] {
  if (candidates.length === 0) return []
  const remedy = `write .renamedFrom("${name}") on ${place}.`
  const text =
    candidates.length === 1
      ? `${candidates[0]} is new and ${old} is left over: if this is a rename, ${remedy}`
      : `${candidates.join(", ")} are new and ${old} is left over: if one of them is its new name, ${remedy}`
  return [{ candidates, text }]
}

const GLOBAL_PREFIX = /^global_/

function isGlobal(table: string): boolean {
  return GLOBAL_PREFIX.test(table)
}

// Returns the names and types of a table's columns, for a comparison.
function shapeOf(snapshot: SchemaSnapshot, table: string): string {
  const columns = columnsOf(snapshot, table).map(({ name }) => `${name} ${typeOf(snapshot, table, name)}`)
  return columns.sort().join()
}

function typeOf(snapshot: SchemaSnapshot, table: string, column: string): string | undefined {
  const found = columnsOf(snapshot, table).find(({ name }) => name === column)
  return found?.localized ? `${found.localized.type} by locale` : found?.type
}

function columnsOf({ tables }: SchemaSnapshot, table: string): readonly ColumnSnapshot[] {
  return tables.find(({ name }) => name === table)?.columns ?? []
}
