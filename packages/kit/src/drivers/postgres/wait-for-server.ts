import { setTimeout as delay } from "node:timers/promises"
import pg from "pg"
import { codeOf, connectFailed, toError, UNREACHABLE_CODES } from "./errors.ts"
import { endClient, startSession } from "./session.ts"

interface WaitOptions {
  readonly url: string
  /** How long to wait before the last connection error is thrown. */
  readonly waitMs: number
  /** Called with each connection error after which another attempt follows. */
  onAway(error: Error): void
}

const CONNECT_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 2_000
// Failures that pass when the server, or the network in front of it, has started: no host of this name, no socket file,
// and the server's own answers while it shuts down or starts (admin_shutdown, crash_shutdown, cannot_connect_now).
const STARTING_CODES: ReadonlySet<string | undefined> = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  ...["57P01", "57P02", "57P03"],
])
// The message of `pg` if the connection ends before the server has answered, such as behind a proxy without a server.
const ENDED_EARLY = "Connection terminated unexpectedly"

/**
 * Resolves when the PostgreSQL server accepts a connection. Throws immediately if the server is there but refuses it,
 * for example because of a wrong password or an unknown database.
 */
export async function waitForServer({ url, waitMs, onAway }: WaitOptions): Promise<void> {
  const giveUpAt = performance.now() + waitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const error = await tryToConnect(url)
    if (error === undefined) return
    const leftMs = giveUpAt - performance.now()
    if (!isAway(error) || leftMs <= 0) throw connectFailed(error)
    onAway(error)
    await delay(Math.min(pauseMs, leftMs))
  }
}

async function tryToConnect(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, fallback_application_name: "kit start" })
  client.on("error", () => {})
  try {
    await startSession(client, { connectTimeoutMs: CONNECT_TIMEOUT_MS, isSessionExclusive: false })
  } catch (error) {
    return toError(error)
  }
  await endClient(client)
  return undefined
}

function isAway(error: Error): boolean {
  const code = codeOf(error)
  return UNREACHABLE_CODES.has(code) || STARTING_CODES.has(code) || error.message === ENDED_EARLY
}
