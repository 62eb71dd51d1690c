import { diffSnapshots } from "../../../sql/tables/diff.ts"
import { EMPTY_SNAPSHOT } from "../../../sql/tables/snapshot.ts"
import { splitStatements } from "../../../sql/text/split-statements.ts"
import type { Migration } from "./migration.ts"

/** The difference between a migration's SQL file and the statements that kit wrote into it. */
export interface AddedSql {
  /** The statements in the file that kit did not write, in the order of the file. */
  readonly added: readonly string[]
  /** The statements that kit wrote and that the file no longer contains. */
  readonly missing: readonly string[]
}

/**
 * Finds the SQL that was added to a migration by hand. `previous` is the migration before it: if the files do not list
 * the statements that kit wrote, they are derived from the two snapshots.
 */
export function findAddedSql(migration: Migration, previous: Migration | undefined): AddedSql {
  const expected = countByKey(migration.statements ?? derivedStatements(migration, previous))
  const added = splitStatements(migration.sql).filter(({ key }) => {
    const left = expected.get(key) ?? 0
    expected.set(key, left - 1)
    return left <= 0
  })
  const missing = [...expected].filter(([, left]) => left > 0).map(([key]) => key)
  return { added: added.map(({ text }) => text), missing }
}

function derivedStatements({ snapshot }: Migration, previous: Migration | undefined): readonly string[] {
  return diffSnapshots(previous?.snapshot ?? EMPTY_SNAPSHOT, snapshot).steps.flatMap(({ sql }) => sql)
}

function countByKey(statements: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of statements.flatMap(splitStatements)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
