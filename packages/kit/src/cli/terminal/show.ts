import type { App } from "../../app/app.ts"
import type { MigrationReport } from "../../engine/migrate/apply-migrations.ts"
import type { AdoptedMigration } from "../../engine/migrate/files/adopt-migrations.ts"

/** Prints a line for the user. */
export function showLine(message: string): void {
  process.stdout.write(`  ${message}\n`)
}

/**
 * Shows the progress of long work: on a terminal one line that is updated, otherwise a new line after each tenth of the
 * work.
 */
export function showProgressLine(label: string, done: number, total: number): void {
  const line = `  ${label} ${done}/${total}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done >= total ? "\n" : ""}`)
  else if (done >= total || done % Math.max(1, Math.ceil(total / 10)) === 0) process.stdout.write(`${line}\n`)
}

/** Shows the changes that this start has made to the tables, except for added tables and columns. */
export function showTableChanges({ syncReport, migrationReport }: App): void {
  for (const change of syncReport.changes) showLine(change)
  for (const place of syncReport.kept) showLine(`${place} is no longer declared; its data is kept`)
  for (const warning of syncReport.warnings) showLine(warning)
  showMigrations(migrationReport)
}

/** Shows which migrations were applied to the database. */
export function showMigrations({ applied, adopted }: MigrationReport): void {
  for (const migration of adopted) showLine(adoptedLine(migration))
  for (const name of applied) showLine(`applied ${name}`)
}

function adoptedLine({ name, ranStatements, skippedStatements }: AdoptedMigration): string {
  if (ranStatements > 0) return `${name} was there already, except for SQL added by hand: ran ${counted(ranStatements)}`
  const skipped = skippedStatements > 0 ? `; skipped ${counted(skippedStatements)} added by hand` : ""
  return `${name} was there already${skipped}`
}

function counted(statements: number): string {
  return statements === 1 ? "1 statement" : `${statements} statements`
}
