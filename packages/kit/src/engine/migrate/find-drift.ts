import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/resource.ts"
import { diffSnapshots, type SchemaDiff } from "../../sql/diff.ts"
import { hintsOf, snapshotOf } from "../../sql/schema-snapshot.ts"
import { readDatabase } from "./found-database.ts"
import { foundSnapshot } from "./found-snapshot.ts"
import { readStoredSchema } from "./stored-schema.ts"

/** What would have to happen to the tables as they are, for the schema to be true of them. Changes nothing. */
export async function findDrift(connection: Connection, schema: AppSchema): Promise<SchemaDiff> {
  const stored = (await readStoredSchema(connection))?.snapshot
  const [target, hints] = [snapshotOf(schema), hintsOf(schema)]
  const found = foundSnapshot(await readDatabase(connection), { stored, target, hints })
  return diffSnapshots(found, target, hints)
}
