import { chooseDatabase } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { readMigrations } from "../../app/definition/migration-files.ts"
import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import {
  type DatabaseStatus,
  readDatabaseStatus,
  type SchemaStatus,
  type TableStatus,
} from "../../engine/migrate/database-status.ts"
import { sizeText } from "../terminal/size-text.ts"
import { printJson } from "../terminal/standard-output.ts"
import { indented, textTable } from "../terminal/text-table.ts"

interface StatusOptions {
  /** The migrations folder's path, relative to the app's folder. */
  readonly migrationsFolder: string
  readonly asJson: boolean
}

/** Shows the location, version and contents of the app's database, and who is connected to it. */
export async function showDatabase(place: DatabaseOptions, { migrationsFolder, asJson }: StatusOptions): Promise<void> {
  const migrations = await readMigrations(place.root, migrationsFolder)
  const { url, isEmbedded, databaseNote, release } = await chooseDatabase(place)
  // Opens a single connection, which is left out of the list of the database's sessions.
  const database = openPostgres({ ...place.config.db, url, maxConnections: 1 })
  try {
    const status = await readDatabaseStatus(database, migrations)
    if (asJson) printJson({ isEmbedded, place: databaseNote, ...status })
    else process.stdout.write(indented(statusLines(databaseNote, status)))
  } finally {
    await database.close()
    await release()
  }
}

function statusLines(databaseNote: string, status: DatabaseStatus): readonly string[] {
  const { version, database, role, bytes, schema, tables } = status
  const sessions = status.sessions.map(({ name, role, count }) => `${name} as ${role} (${count})`)
  return [
    databaseNote,
    `PostgreSQL ${version}, database ${database}, role ${role}, ${sizeText(bytes)}`,
    schemaLine(schema),
    sessions.length === 0 ? "no other connections" : `connected: ${sessions.join(", ")}`,
    ...(tables.length === 0 ? ["there are no tables yet"] : tableLines(tables)),
  ]
}

function tableLines(tables: readonly TableStatus[]): readonly string[] {
  const rows = tables.map(({ name, rows, isExact, bytes }) => [name, rowsText(rows, isExact), sizeText(bytes)])
  return textTable([["table", "rows", "size"], ...rows])
}

function schemaLine({ source, applied, pending }: SchemaStatus): string {
  if (pending.length > 0) return `${applied} migrations applied, pending: ${pending.join(", ")}`
  if (source === "nothing") return "no app has made its tables here yet"
  return source === "sync" ? "synced to the schema of the app" : `${applied} migrations applied, none pending`
}

function rowsText(rows: number, isExact: boolean): string {
  return isExact ? String(rows) : `about ${rows}`
}
