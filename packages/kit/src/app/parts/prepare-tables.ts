import { applyMigrations, checkMigrated, type MigrationReport } from "../../engine/migrate/apply-migrations.ts"
import { NOTHING_SYNCED, type SyncReport, syncSchema } from "../../engine/migrate/sync-schema.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppDefinition } from "../definition/app-definition.ts"
import type { OpenDatabase } from "./open-database.ts"

type MigrationOptions = Pick<AppDefinition, "migrations">

interface TableReports {
  readonly syncReport: SyncReport
  readonly migrationReport: MigrationReport
}

const NOTHING_MIGRATED: MigrationReport = { applied: [], adopted: [] }

/**
 * Prepares the tables at the app's start. Then checks whether a newer version of the app has changed the tables so that
 * this version cannot use them.
 */
export async function startTables(
  definition: MigrationOptions,
  { schema, state, logger }: { readonly schema: AppSchema; readonly state: OpenDatabase; readonly logger: Logger },
): Promise<TableReports> {
  const reports = await prepareTables(definition, { schema, database: state.pool, logger })
  await state.tables.refresh()
  return reports
}

/** Accepts the tables as they are, for a database that the caller has already prepared. */
export async function trustTables({ tables }: OpenDatabase): Promise<TableReports> {
  await tables.acceptCurrent()
  return { syncReport: NOTHING_SYNCED, migrationReport: NOTHING_MIGRATED }
}

/** Changes the tables to match the schema: applies the migrations if there are any, otherwise syncs the tables. */
export async function prepareTables(
  { migrations = [] }: MigrationOptions,
  { schema, database, logger }: { readonly schema: AppSchema; readonly database: Database; readonly logger?: Logger },
): Promise<TableReports> {
  if (migrations.length > 0) {
    checkMigrated(schema, migrations)
    return { syncReport: NOTHING_SYNCED, migrationReport: await applyMigrations(database, migrations, logger) }
  }
  return { syncReport: await syncSchema(database, schema, logger), migrationReport: NOTHING_MIGRATED }
}
