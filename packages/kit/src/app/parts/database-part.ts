import { openPostgres, type PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import { SchemaWatch } from "../../engine/database/schema-watch.ts"
import { SLOW_READ_MS, SlowReads } from "../../engine/database/slow-reads.ts"
import { StorageWatch } from "../../engine/database/storage-watch.ts"
import { watchDatabase } from "../../engine/database/watched-database.ts"
import type { HealthDependencies } from "../../http/endpoints/health.ts"
import type { Database, DatabaseError, TablesRead } from "../../ports/database.ts"
import type { FileStore } from "../../ports/file-store.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { INSERT_CHANGES } from "../../sql/changes/changes.ts"
import { PROBE_DISK_SPACE } from "../../sql/internal/probe-disk-space.ts"
import { Emitter } from "../emitter.ts"
import type { Part } from "../part-list.ts"

interface DatabaseDependencies {
  readonly schema: AppSchema
  readonly logger: Logger
  readonly postgres: PostgresOptions
  readonly fileStore: FileStore
}

interface OpenDatabase {
  /** The connection pool for all parts of the app. Its errors explain problems with the tables or the disk. */
  readonly database: Database
  readonly databaseState: DatabaseState
  /** Emits an event when this process has committed changes. */
  readonly commits: Emitter<void>
  readonly slowReads: SlowReads
}

/** The state of the tables and the disks. */
export interface DatabaseState extends HealthDependencies {
  /** The connection pool behind `database`, with the errors as the driver throws them. */
  readonly pool: Database
  readonly tables: SchemaWatch
  readonly storage: StorageWatch
  /** Checks tables and disk in the background if the last check is too old; cheap enough to call for every request. */
  checkInBackground(): void
  /** True if the tables fit this version of the app, so that jobs can run. */
  canRunJobs(): boolean
}

/** The app's connection pool. The state of the tables and of the disks is watched with it. */
export const databasePart: Part<DatabaseDependencies, OpenDatabase> = {
  open: ({ schema, logger, postgres, fileStore }) => {
    const commits = new Emitter<void>()
    const onError = (error: Error) => logger.warn("A database connection failed.", { error })
    const watch = { authorText: INSERT_CHANGES, onCommit: () => commits.emit() }
    const onSlow = (read: TablesRead, tookMs: number) => slowReads.note(read, tookMs)
    const pool = openPostgres({ ...postgres, onError, watch, slowReads: { afterMs: SLOW_READ_MS, onSlow } })
    const slowReads = new SlowReads({ database: pool, logger })
    const tables = new SchemaWatch({ database: pool, schema, logger })
    const probes = { database: () => probeDatabase(pool), files: () => probeFiles(fileStore) }
    const storage = new StorageWatch({ logger, probes })
    const database = watchDatabase(pool, (error) => tables.explain(storage.explain("database", error)))
    return { database, databaseState: databaseStateOf({ pool, tables, storage }), commits, slowReads }
  },
  close: async ({ database, slowReads }) => {
    slowReads.close()
    await database.close()
  },
}

function databaseStateOf(watched: Pick<DatabaseState, "pool" | "tables" | "storage">): DatabaseState {
  const { pool, tables, storage } = watched
  return {
    pool,
    tables,
    storage,
    checkInBackground: () => {
      tables.refreshIfStale()
      storage.probeIfDue()
    },
    canRunJobs: () => {
      tables.refreshIfStale()
      return tables.isCompatible
    },
    checkReady: async () => {
      await tables.check()
      await storage.probe()
      return storage.problems
    },
  }
}

const INSUFFICIENT_PRIVILEGE = "42501"

// Writes to a table to detect a full disk. If the database role may not create that table, this check detects nothing,
// and only the next write shows that the disk is full.
async function probeDatabase(pool: Database): Promise<void> {
  await pool.query(PROBE_DISK_SPACE).catch((error: Partial<DatabaseError>) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
  })
}

const PROBE_CHUNKS = 64
const CHUNK_BYTES = 64 * 1024

async function probeFiles(store: FileStore): Promise<void> {
  const file = await store.begin()
  try {
    const piece = new Uint8Array(CHUNK_BYTES)
    for (let written = 0; written < PROBE_CHUNKS; written++) await file.write(piece)
  } finally {
    await file.discard()
  }
}
