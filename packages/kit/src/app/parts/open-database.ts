import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import { SchemaWatch } from "../../engine/database/schema-watch.ts"
import { StorageWatch } from "../../engine/database/storage-watch.ts"
import { watchDatabase } from "../../engine/database/watched-database.ts"
import type { HealthDependencies } from "../../http/endpoints/health.ts"
import type { Database, DatabaseError } from "../../ports/database.ts"
import type { FileStore } from "../../ports/file-store.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { INSERT_CHANGES } from "../../sql/changes/changes.ts"
import { PROBE_DISK_SPACE } from "../../sql/internal/probe-disk-space.ts"
import type { Drivers } from "../config/defaults.ts"

interface DatabaseDependencies {
  readonly drivers: Drivers
  readonly schema: AppSchema
  /** Returns the store of uploaded files. It is a function, because the app opens the store after the database. */
  files(): FileStore
  onChanges(): void
}

export interface OpenDatabase extends HealthDependencies {
  /** The connection pool for all parts of the app. Its errors explain problems with the tables or the disk. */
  readonly database: Database
  /** The connection pool behind `database`, with the errors as the driver throws them. */
  readonly pool: Database
  readonly tables: SchemaWatch
  readonly storage: StorageWatch
  /** Checks tables and disk in the background if the last check is too old; cheap enough to call for every request. */
  checkInBackground(): void
  /** True if the tables fit this version of the app, so that jobs can run. */
  canRunJobs(): boolean
}

/** Opens the app's connection pool, and watches the state of the tables and the disk. */
export function openDatabase({ drivers, schema, files, onChanges }: DatabaseDependencies): OpenDatabase {
  const { postgres, logger } = drivers
  const onError = (error: Error) => logger.warn("A database connection failed.", { error })
  const pool = openPostgres({ ...postgres, onError, watch: { authorText: INSERT_CHANGES, onCommit: onChanges } })
  const tables = new SchemaWatch({ database: pool, schema, logger })
  const storage = new StorageWatch({
    logger,
    probes: { database: () => probeDatabase(pool), files: () => probeFiles(files()) },
  })
  return {
    database: watchDatabase(pool, (error) => tables.explain(storage.explain("database", error))),
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
