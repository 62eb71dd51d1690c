import { join } from "node:path"
import { chooseBinaries } from "../app/config/defaults.ts"
import { readVariable } from "../app/config/environment.ts"
import { startEmbeddedPostgres } from "../drivers/embedded-postgres/start.ts"
import { openPostgres } from "../drivers/postgres/open-postgres.ts"
import type { Database } from "../ports/database.ts"

/** The PostgreSQL server that holds the test databases. */
export interface TestServer {
  readonly url: string
  /** True if `strategy file_copy` is the server's fastest way to copy a database. */
  readonly prefersFileCopy: boolean
  /** The pool for CREATE, ALTER and DROP DATABASE. Idle connections close soon, so that they keep no process alive. */
  readonly admin: Database
  /** The pool for holding advisory locks. It is separate, so that lock holders never use up connections of `admin`. */
  readonly lockPool: Database
}

// Settings for speed instead of durability, because test data may be lost and is copied often: PostgreSQL neither waits
// for the disk nor writes data twice.
export const NON_DURABLE_SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  checkpoint_timeout: "30min",
  autovacuum: "off",
}

// How long the server keeps running after the last process has left it. A test runner may start a process for each
// file, and the next process should find the server still running.
const LINGER_MS = 5_000
const ADMIN_CONNECTIONS = 10
const ADMIN_IDLE_MS = 250
const ADMIN_TIMEOUT_MS = 120_000

// SQL that returns true if copying files is the fastest way to copy a database. With fsync, a file copy is slow,
// because it needs two checkpoints. Before PostgreSQL 15, the way of copying cannot be chosen.
const PREFERS_FILE_COPY =
  "select current_setting('fsync') = 'off' and current_setting('server_version_num')::integer >= 150000"

const servers = new Map<string, Promise<TestServer>>()

/** Returns the server at KIT_TEST_DATABASE_URL or DATABASE_URL, or else the project's own server in `.kit/test-db`. */
export function testServer(root: string): Promise<TestServer> {
  const url = readVariable("KIT_TEST_DATABASE_URL") ?? readVariable("DATABASE_URL")
  const place = url ?? join(root, ".kit", "test-db")
  const known = servers.get(place)
  if (known) return known
  const started = url === undefined ? startOwnServer(root, place) : connectToServer(url)
  servers.set(place, started)
  // A failed start is not cached, so that the next test tries again.
  started.catch(() => servers.delete(place))
  return started
}

/** Returns the server's URL with the name of another database. */
export function urlOfDatabase(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)
}

async function startOwnServer(root: string, directory: string): Promise<TestServer> {
  const binaries = chooseBinaries({ config: {}, root })
  const settings = NON_DURABLE_SETTINGS
  const { url } = await startEmbeddedPostgres({ directory, binaries, settings, lingerMs: LINGER_MS })
  return connectToServer(url)
}

async function connectToServer(url: string): Promise<TestServer> {
  const options = {
    url,
    maxConnections: ADMIN_CONNECTIONS,
    idleTimeoutMs: ADMIN_IDLE_MS,
    acquireTimeoutMs: ADMIN_TIMEOUT_MS,
    statementTimeoutMs: ADMIN_TIMEOUT_MS,
    preparedStatements: false,
  }
  const admin = openPostgres(options)
  const { rows } = await admin.query({ text: PREFERS_FILE_COPY, values: [] })
  return { url, admin, lockPool: openPostgres(options), prefersFileCopy: rows[0]?.[0] === true }
}
