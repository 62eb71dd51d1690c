import { join } from "node:path"
import { startEmbeddedPostgres } from "../drivers/embedded-postgres/start.ts"
import { openPostgres } from "../drivers/postgres.ts"
import type { Database } from "../ports/database.ts"

/** The Postgres in which tests have their databases. */
export interface TestServer {
  readonly url: string
  /** How a database is copied the fastest. */
  readonly copyStrategy: "file_copy" | "wal_log"
  /** For statements about databases; its connections close soon after their use, so that they keep no process alive. */
  readonly admin: Database
}

// What tests store may be lost, and is copied often: nothing waits for the disk or is written twice.
export const FORGETFUL_SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  checkpoint_timeout: "30min",
  autovacuum: "off",
}

// A test runner may start a process for each file: the next one finds the server still up.
const LINGER_MS = 5_000
const ADMIN_CONNECTIONS = 10
const ADMIN_IDLE_MS = 250
const ADMIN_TIMEOUT_MS = 120_000

const servers = new Map<string, Promise<TestServer>>()

/** The server of KIT_TEST_DATABASE_URL or DATABASE_URL, or else one of the project's own in `.kit/test-db`. */
export function testServer(root: string): Promise<TestServer> {
  const url = process.env["KIT_TEST_DATABASE_URL"] || process.env["DATABASE_URL"]
  const place = url ?? join(root, ".kit", "test-db")
  const known = servers.get(place)
  if (known) return known
  const started = url === undefined ? startOwnServer(place) : joinServer(url)
  servers.set(place, started)
  // A failure is not kept: the next test tries again.
  started.catch(() => servers.delete(place))
  return started
}

/** The address of another database on the same server. */
export function addressOf(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)
}

async function startOwnServer(directory: string): Promise<TestServer> {
  const { url } = await startEmbeddedPostgres({ directory, settings: FORGETFUL_SETTINGS, lingerMs: LINGER_MS })
  return joinServer(url)
}

async function joinServer(url: string): Promise<TestServer> {
  const admin = openPostgres({
    url,
    maxConnections: ADMIN_CONNECTIONS,
    idleTimeoutMs: ADMIN_IDLE_MS,
    acquireTimeoutMs: ADMIN_TIMEOUT_MS,
    statementTimeoutMs: ADMIN_TIMEOUT_MS,
    preparedStatements: false,
  })
  const { rows } = await admin.query({ text: "show fsync", values: [] })
  // Copying files asks for two checkpoints, which are dear where they wait for the disk.
  return { url, admin, copyStrategy: rows[0]?.[0] === "off" ? "file_copy" : "wal_log" }
}
