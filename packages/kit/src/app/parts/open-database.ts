import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import { SchemaWatch } from "../../engine/database/schema-watch.ts"
import { StorageWatch } from "../../engine/database/storage-watch.ts"
import { watchDatabase } from "../../engine/database/watched-database.ts"
import type { HealthParts } from "../../http/endpoints/health.ts"
import type { Database, DatabaseError } from "../../ports/database.ts"
import type { FileStore } from "../../ports/file-store.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { NOTING_TEXT } from "../../sql/changes/changes.ts"
import { PROBE_ROOM } from "../../sql/internal/probe-room.ts"
import type { Drivers } from "../config/defaults.ts"

interface DatabaseParts {
  readonly drivers: Drivers
  readonly schema: AppSchema
  /** Opened by the app later on. */
  files(): FileStore
  onChanges(): void
}

export interface OpenDatabase extends HealthParts {
  /** For all parts of the app: its errors say what is wrong with the tables, or with the disk. */
  readonly database: Database
  /** The same, its errors as the driver made them. */
  readonly pool: Database
  readonly tables: SchemaWatch
  readonly storage: StorageWatch
  /** Looks in the background after what may have changed; cheap enough for every request. */
  lookNowAndThen(): void
  /** Whether jobs can be run: the tables are what this version of the app knows. */
  mayWork(): boolean
}

/** The pool of the app, and what is known of the state that its tables and its disk are in. */
export function openDatabase({ drivers, schema, files, onChanges }: DatabaseParts): OpenDatabase {
  const { postgres, logger } = drivers
  const onError = (error: Error) => logger.warn("A database connection failed.", { error })
  const pool = openPostgres({ ...postgres, onError, watch: { text: NOTING_TEXT, onCommit: onChanges } })
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
    lookNowAndThen: () => {
      tables.lookNowAndThen()
      storage.lookNowAndThen()
    },
    mayWork: () => {
      tables.lookNowAndThen()
      return tables.isFit
    },
    checkReady: async () => {
      await tables.check()
      await storage.look()
      return storage.problems
    },
  }
}

const NOT_ALLOWED = "42501"

// A role that may not make such a table cannot tell: the next write will.
async function probeDatabase(pool: Database): Promise<void> {
  await pool.query(PROBE_ROOM).catch((error: Partial<DatabaseError>) => {
    if (error.code !== NOT_ALLOWED) throw error
  })
}

const PROBED_PIECES = 64
const PIECE_BYTES = 64 * 1024

async function probeFiles(store: FileStore): Promise<void> {
  const file = await store.begin()
  try {
    const piece = new Uint8Array(PIECE_BYTES)
    for (let written = 0; written < PROBED_PIECES; written++) await file.write(piece)
  } finally {
    await file.discard()
  }
}
