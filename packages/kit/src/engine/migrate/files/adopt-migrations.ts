import type { Connection } from "../../../ports/database.ts"
import { isSameSchema } from "../../../sql/tables/diff.ts"
import { SchemaMismatchError } from "../schema-mismatch.ts"
import { readStoredSchema, storeSchema } from "../stored-schema.ts"
import { type AddedSql, findAddedSql } from "./added-sql.ts"
import { insertApplied } from "./applied-migrations.ts"
import type { Migration } from "./migration.ts"
import { runScript } from "./run-script.ts"

/** A migration that was recorded as applied, because a sync had already made its changes to the tables. */
export interface AdoptedMigration {
  readonly name: string
  /** The number of statements that were added to the file by hand, and that ran. */
  readonly ranStatements: number
  /** The number of statements that were added to the file by hand, and that did not run. */
  readonly skippedStatements: number
}

interface PendingMigrations {
  readonly migrations: readonly Migration[]
  readonly pending: readonly Migration[]
  /** True if SQL that was added by hand is not to run. */
  readonly skipAddedSql: boolean
}

/**
 * Records migrations as applied whose changes a sync has already made: if a sync has brought the database to a
 * migration's result, that migration and all earlier migrations count as applied. A sync knows nothing of SQL that was
 * added to a file by hand, so that this SQL runs now.
 */
export async function adoptSynced(
  connection: Connection,
  { migrations, pending, skipAddedSql }: PendingMigrations,
): Promise<readonly AdoptedMigration[]> {
  const stored = await readStoredSchema(connection)
  if (stored?.source !== "sync") return []
  const reached = pending.findLastIndex(({ snapshot }) => isSameSchema(snapshot, stored.snapshot)) + 1
  const found = pending.slice(0, reached).map((migration) => ({
    migration,
    ...findAddedSql(migration, migrations[migrations.indexOf(migration) - 1]),
  }))
  if (!skipAddedSql) refuseInseparable(found)
  for (const each of found) {
    await insertApplied(connection, each.migration)
    if (!skipAddedSql) await runAdded(connection, each)
  }
  if (found.length > 0) await storeSchema(connection, { ...stored, source: "migration" })
  return found.map(({ migration: { name }, added: { length } }) =>
    skipAddedSql
      ? { name, ranStatements: 0, skippedStatements: length }
      : { name, ranStatements: length, skippedStatements: 0 },
  )
}

interface FoundMigration extends AddedSql {
  readonly migration: Migration
}

async function runAdded(connection: Connection, { migration: { name }, added }: FoundMigration): Promise<void> {
  if (added.length === 0) return
  await runScript(connection, {
    sql: added.join(";\n"),
    explain: (reason) =>
      `${name}.sql: a sync has already made its changes to the tables, so that only the SQL that was added by hand was run. ` +
      `It failed and was rolled back: ${reason}\n${statementLines(added)}\n${REMEDY}`,
  })
}

// Throws if statements that kit wrote have been changed. Then it is not known which of the other statements replace
// them, so that neither running nor skipping all of them would be right.
function refuseInseparable(found: readonly FoundMigration[]): void {
  const problems = found.flatMap(({ migration: { name }, added, missing }) => {
    if (added.length === 0 || missing.length === 0) return []
    return [
      `${name}.sql: a sync has already made its changes to the tables, but the file was edited, and these statements would be skipped:\n${statementLines(added)}`,
    ]
  })
  if (problems.length > 0) throw new SchemaMismatchError([...problems, REMEDY].join("\n"))
}

const REMEDY =
  "Run what this database still needs yourself (psql $(kit db url)), then record the migration with: kit migrate up --skip-added-sql"

function statementLines(statements: readonly string[]): string {
  return statements.map((text) => `  ${text.replaceAll("\n", "\n  ")};`).join("\n")
}
