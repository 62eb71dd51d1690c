import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { diffSnapshots, type SchemaDiff } from "../../sql/tables/diff.ts"
import { type ChangeHints, hintsOf, snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import type { SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import { snapshotOfCatalog } from "./catalog-snapshot.ts"
import { readCatalog } from "./database-catalog.ts"
import { readStoredSchema } from "./stored-schema.ts"
import { findLateRenames } from "./sync/late-renames.ts"

/** The steps that would bring the existing tables to the declared schema, and the snapshots they were derived from. */
export interface Drift extends SchemaDiff {
  /** The schema snapshot that the last sync or migration stored in the database, if any. */
  readonly stored: SchemaSnapshot | undefined
  readonly target: SchemaSnapshot
  readonly hints: ChangeHints
  /**
   * The names of the declared tables that exist but are missing from the stored snapshot, because a collection was
   * removed and is now declared again.
   */
  readonly redeclared: ReadonlySet<string>
  /** A sentence, with a remedy, for each declared rename that is not possible, because both names have data. */
  readonly blockedRenames: readonly string[]
}

/** Compares the database's tables with the declared schema. Changes nothing. */
export async function findDrift(connection: Connection, schema: AppSchema): Promise<Drift> {
  const stored = (await readStoredSchema(connection))?.snapshot
  const [target, hints] = [snapshotOf(schema), hintsOf(schema)]
  const existing = snapshotOfCatalog(await readCatalog(connection), { stored, target, hints })
  const { found, steps: first, warnings } = await findLateRenames(connection, { found: existing, target, hints })
  const redeclared = stored ? redeclaredTables(found, { stored, target }) : new Set<string>()
  const { steps, refusals } = diffSnapshots(found, target, hints)
  return { steps: [...first, ...steps], refusals, stored, target, hints, redeclared, blockedRenames: warnings }
}

function redeclaredTables(
  found: SchemaSnapshot,
  { stored, target }: { readonly stored: SchemaSnapshot; readonly target: SchemaSnapshot },
): ReadonlySet<string> {
  const [known, declared] = [stored, target].map(({ tables }) => new Set(tables.map(({ name }) => name)))
  const names = found.tables.map(({ name }) => name)
  return new Set(names.filter((name) => declared?.has(name) && !known?.has(name)))
}
