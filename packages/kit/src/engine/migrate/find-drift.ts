import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/resource.ts"
import { diffSnapshots, type SchemaDiff } from "../../sql/diff.ts"
import { type ChangeHints, hintsOf, snapshotOf } from "../../sql/schema-snapshot.ts"
import type { SchemaSnapshot } from "../../sql/snapshot.ts"
import { readDatabase } from "./found-database.ts"
import { foundSnapshot } from "./found-snapshot.ts"
import { readStoredSchema } from "./stored-schema.ts"

/** What would have to happen to the tables as they are, for the schema to be true of them. */
export interface Drift extends SchemaDiff {
  /** What the last sync or migration left, if it was recorded. */
  readonly stored: SchemaSnapshot | undefined
  readonly target: SchemaSnapshot
  readonly hints: ChangeHints
}

/** Looks at the database, and changes nothing. */
export async function findDrift(connection: Connection, schema: AppSchema): Promise<Drift> {
  const stored = (await readStoredSchema(connection))?.snapshot
  const [target, hints] = [snapshotOf(schema), hintsOf(schema)]
  const found = foundSnapshot(await readDatabase(connection), { stored, target, hints })
  return { ...diffSnapshots(found, target, hints), stored, target, hints }
}
