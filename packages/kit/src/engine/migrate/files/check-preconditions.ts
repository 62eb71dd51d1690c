import type { Connection } from "../../../ports/database.ts"
import { findViolations, refusalOf } from "../inspect-step.ts"
import { SchemaMismatchError } from "../schema-mismatch.ts"
import { findAddedSql } from "./added-sql.ts"
import type { Migration } from "./migration.ts"

interface PendingMigrations {
  readonly migrations: readonly Migration[]
  readonly pending: readonly Migration[]
}

/**
 * Throws before any migration runs if a pending migration would fail on the existing records. The check ends at the
 * first file with SQL that was added by hand, because that SQL may change the records.
 */
export async function checkPreconditions(
  connection: Connection,
  { migrations, pending }: PendingMigrations,
): Promise<void> {
  const isEdited = (each: Migration) => findAddedSql(each, migrations[migrations.indexOf(each) - 1]).added.length > 0
  const edited = pending.findIndex(isEdited)
  const problems: string[] = []
  for (const migration of edited === -1 ? pending : pending.slice(0, edited)) {
    problems.push(...(await problemsOf(connection, migration)))
  }
  if (problems.length > 0) throw new SchemaMismatchError([...problems, REMEDY].join("\n"))
}

const REMEDY = "No migration was run. Change the records first, or add SQL to the file that does so before."

async function problemsOf(connection: Connection, { name, preconditions = [] }: Migration): Promise<string[]> {
  const problems = new Set<string>()
  for (const precondition of preconditions) {
    const violations = await findViolations(connection, precondition)
    if (violations !== undefined) problems.add(`${name}.sql cannot run: ${refusalOf(precondition, violations)}`)
  }
  return [...problems]
}
