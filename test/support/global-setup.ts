import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { NON_DURABLE_SETTINGS } from "../../packages/kit/src/testing/test-server.ts"
import { makeMemoryFolder } from "./memory-folder.ts"
import { buildNewsroomPages } from "./newsroom-pages.ts"

/** Builds what the tests of the newsroom serve, and starts the database of the run. */
export default async function setup(): Promise<() => Promise<void>> {
  const memory = await makeMemoryFolder()
  if (memory !== undefined) process.env["TMPDIR"] = memory
  const [, stop] = await Promise.all([buildNewsroomPages(), startDatabase()])
  return async () => {
    await stop()
    // A process that is still ending may write there; the next run removes what is left.
    if (memory !== undefined) await rm(memory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** One Postgres for the whole run: the one of DATABASE_URL, or an embedded one in a temporary folder. */
async function startDatabase(): Promise<() => Promise<void>> {
  if (process.env["DATABASE_URL"]) {
    process.env["KIT_TEST_DATABASE_URL"] = process.env["DATABASE_URL"]
    return async () => {}
  }
  const directory = await mkdtemp(join(tmpdir(), "kit-test-"))
  // PostgreSQL never runs as root: its own user must be able to enter the folder.
  await chmod(directory, 0o755)
  const binaries = process.env["KIT_POSTGRES_BIN"] || undefined
  const place = join(directory, "db")
  const embedded = await startEmbeddedPostgres({ directory: place, binaries, settings: NON_DURABLE_SETTINGS })
  process.env["KIT_TEST_DATABASE_URL"] = embedded.url
  return async () => {
    await embedded.release()
    await rm(directory, { recursive: true, force: true })
  }
}
