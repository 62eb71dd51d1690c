import { setTimeout as delay } from "node:timers/promises"
import { openDatabaseHome } from "./files/database-home.ts"
import type { Hold } from "./hold.ts"
import { acquireHold, ReconnectingHold } from "./reconnecting-hold.ts"
import type { StateListener } from "./supervisor/server-state.ts"
import type { ReadyMessage, SupervisorMessage } from "./supervisor/supervisor-message.ts"

const SILENCE_LIMIT_MS = 60_000
const DEFAULT_LINGER_MS = 200

interface EmbeddedPostgres {
  /** The connection string of the default database, over the server's Unix socket. */
  readonly url: string
  readonly version: string
  /** True if the PostgreSQL server was already running, or another process started it at the same time. */
  readonly adopted: boolean
  readonly startedInMs: number
  /**
   * Calls the listener when the PostgreSQL server goes down and when it is up again. The server is restarted until
   * `release` is called.
   */
  watch(listener: StateListener): void
  /** Ends this process's use of the server. If no other process uses the server, it has stopped when this resolves. */
  release(): Promise<void>
}

interface EmbeddedPostgresOptions {
  /** The database directory, e.g. `.kit/db`. Processes with the same directory share one PostgreSQL server. */
  readonly directory: string
  readonly onProgress?: (message: string) => void
  /** Additional PostgreSQL settings, by name. A server that is already running keeps the settings it started with. */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of an installed PostgreSQL. Its programs are run instead of the programs that come with kit. */
  readonly binaries?: string | undefined
  /** How long the server keeps running after the last process has stopped using it. 0.2 s unless set. */
  readonly lingerMs?: number
}

/**
 * Starts the PostgreSQL server of a directory, or joins the server that is already running. The server stops when no
 * process uses it any more.
 *
 * const postgres = await startEmbeddedPostgres({ directory: ".kit/db" })
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const startedAt = performance.now()
  refuseWindows()
  const home = openDatabaseHome(options.directory)
  const { ready, hold } = await holdReadyServer(home, options)
  const lasting = new ReconnectingHold({ home, hold, ready })
  const { url, version, adopted } = ready
  const startedInMs = performance.now() - startedAt
  return Object.freeze({
    ...{ url, version, adopted, startedInMs },
    watch: (listener: StateListener) => lasting.watch(listener),
    release: () => lasting.release(),
  })
}

function refuseWindows(): void {
  if (process.platform !== "win32") return
  throw new Error(
    "The embedded PostgreSQL does not run on Windows. Install PostgreSQL and set DATABASE_URL, or work inside WSL.",
  )
}

interface HeldServer {
  readonly hold: Hold
  readonly ready: ReadyMessage
}

async function holdReadyServer(home: string, options: EmbeddedPostgresOptions): Promise<HeldServer> {
  const { onProgress = () => {}, settings = {}, lingerMs = DEFAULT_LINGER_MS, binaries } = options
  for (;;) {
    const hold = await acquireHold(home, { settings, lingerMs, binaries, isSuccessor: false })
    const ready = await untilReady(hold, { home, onProgress })
    // If the supervisor has ended in the meantime, the next iteration connects to its successor.
    if (ready !== undefined) return { hold, ready }
  }
}

interface StartupOptions {
  readonly home: string
  readonly onProgress: (message: string) => void
}

async function untilReady(hold: Hold, { home, onProgress }: StartupOptions): Promise<ReadyMessage | undefined> {
  let reason = ""
  for (;;) {
    const message = await nextInTime(hold)
    if (message === undefined || message.kind === "ready") return message
    if (message.kind === "failed") throw new Error(message.message)
    if (message.kind === "silence") {
      throw new Error(`PostgreSQL in ${home} has not started yet${reason}. See ${home}/postgres.log.`)
    }
    if (message.kind === "down") reason = `: ${message.reason}`
    onProgress(message.kind === "down" ? `Waiting for PostgreSQL, which is down: ${message.reason}` : message.message)
  }
}

type MessageOrTimeout = SupervisorMessage | { readonly kind: "silence" } | undefined

// Returns the supervisor's next message, or "silence" after a minute. The timer keeps this process running while it
// waits, because the socket does not.
async function nextInTime(hold: Hold): Promise<MessageOrTimeout> {
  const timeout = new AbortController()
  const silence = delay(SILENCE_LIMIT_MS, undefined, timeout).then(
    () => {
      hold.abandon()
      return { kind: "silence" } as const
    },
    () => undefined,
  )
  const heard = await Promise.race([hold.next(), silence])
  timeout.abort()
  return heard
}
