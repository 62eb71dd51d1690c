import { canReturnOldRows } from "../../engine/database/server-version.ts"
import { applyMigrations, checkMigrated, type MigrationReport } from "../../engine/migrate/apply-migrations.ts"
import type { Migration } from "../../engine/migrate/files/migration.ts"
import { rehearseSync } from "../../engine/migrate/rehearse-sync.ts"
import { NOTHING_SYNCED, type SyncReport, syncSchema } from "../../engine/migrate/sync-schema.ts"
import { watchContentTables } from "../../engine/search/index/content-functions.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { DevHooks } from "../app-inputs.ts"
import type { AppDefinition } from "../definition/app-definition.ts"
import type { Part } from "../part-list.ts"
import type { DatabaseState } from "./database-part.ts"

interface TablesDependencies {
  readonly definition: MigrationOptions
  readonly devHooks: Pick<DevHooks, "beforeTableChanges">
  readonly schema: AppSchema
  readonly logger: Logger
  readonly hasTables: boolean
  readonly database: Database
  readonly databaseState: Pick<DatabaseState, "pool" | "tables">
}

type MigrationOptions = Pick<AppDefinition, "migrations">

interface TableReports {
  readonly syncReport: SyncReport
  readonly migrationReport: MigrationReport
}

interface OpenTables extends TableReports {
  /** True if `update … returning` of the database server can return a row as it was before the update. */
  readonly returnsOldRows: boolean
}

const NOTHING_MIGRATED: MigrationReport = { applied: [], adopted: [] }

/** The app's tables. They are changed to match the schema, unless the database has them already. */
export const tablesPart: Part<TablesDependencies, OpenTables> = {
  open: async (dependencies) => {
    const reports = await (dependencies.hasTables ? trustTables(dependencies) : startTables(dependencies))
    return { ...reports, returnsOldRows: await canReturnOldRows(dependencies.database) }
  },
}

// Accepts the tables as they are.
async function trustTables({ databaseState: { tables } }: TablesDependencies): Promise<TableReports> {
  await tables.acceptCurrent()
  return { syncReport: NOTHING_SYNCED, migrationReport: NOTHING_MIGRATED }
}

// Prepares the tables. Then checks whether a newer version of the app has changed the tables so that this version cannot
// use them.
async function startTables(dependencies: TablesDependencies): Promise<TableReports> {
  const { definition, devHooks, schema, logger, databaseState } = dependencies
  const { pool, tables } = databaseState
  await devHooks.beforeTableChanges?.(() => rehearseSync(pool, schema))
  const reports = await prepareTables(definition, { schema, database: pool, logger })
  await tables.refresh()
  return reports
}

/** Changes the tables to match the schema: applies the migrations if there are any, otherwise syncs the tables. */
export async function prepareTables(
  { migrations = [] }: MigrationOptions,
  { schema, database, logger }: { readonly schema: AppSchema; readonly database: Database; readonly logger?: Logger },
): Promise<TableReports> {
  const reports = await changeTables(migrations, { schema, database, ...(logger && { logger }) })
  await watchContentTables(database, schema, logger)
  return reports
}

async function changeTables(
  migrations: readonly Migration[],
  { schema, database, logger }: { readonly schema: AppSchema; readonly database: Database; readonly logger?: Logger },
): Promise<TableReports> {
  if (migrations.length === 0) {
    return { syncReport: await syncSchema(database, schema, logger), migrationReport: NOTHING_MIGRATED }
  }
  checkMigrated(schema, migrations)
  return { syncReport: NOTHING_SYNCED, migrationReport: await applyMigrations(database, migrations, { logger }) }
}
