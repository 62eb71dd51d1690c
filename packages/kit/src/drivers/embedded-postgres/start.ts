import { setTimeout as delay } from "node:timers/promises"
import { openDatabaseHome } from "./database-home.ts"
import { type Hold, joinSupervisor } from "./hold.ts"
import { launchSupervisor } from "./launch-supervisor.ts"

const GIVE_UP_MS = 60_000
const RETRY_MS = 10
const RESTART_GRACE_MS = 200

export interface EmbeddedPostgres {
  /** Connection string of the default database over the unix socket. */
  readonly url: string
  readonly version: string
  /** It was already running, or another process started it at the same time. */
  readonly adopted: boolean
  readonly startedInMs: number
  /** Gives up this process's hold; the server stops when nobody else holds it, and is down once this resolves. */
  release(): Promise<void>
}

interface EmbeddedPostgresOptions {
  /** Where the database lives, e.g. `.kit/db`. Processes that name the same directory share one server. */
  readonly directory: string
  readonly onProgress?: (message: string) => void
  /** Settings of the server besides ours, by name; one that runs already keeps its own. */
  readonly settings?: Readonly<Record<string, string>>
  /** How long the server waits for another user process after the last one; a moment unless set. */
  readonly lingerMs?: number
}

/**
 * Starts the PostgreSQL of this directory, or joins the one that runs. It stops when its last user process is gone.
 *
 * const postgres = await startEmbeddedPostgres({ directory: ".kit/db" })
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const startedAt = performance.now()
  refuseWindows()
  const home = openDatabaseHome(options.directory)
  const { ready, release } = await acquireHold(home, options)
  const { url, version, adopted } = ready
  return Object.freeze({ url, version, adopted, startedInMs: performance.now() - startedAt, release })
}

function refuseWindows(): void {
  if (process.platform !== "win32") return
  throw new Error(
    "The embedded PostgreSQL does not run on Windows. Install PostgreSQL and set DATABASE_URL, or work inside WSL.",
  )
}

async function acquireHold(home: string, options: EmbeddedPostgresOptions): Promise<Hold> {
  const { onProgress = () => {}, settings = {}, lingerMs = RESTART_GRACE_MS } = options
  const giveUpAt = Date.now() + GIVE_UP_MS
  while (Date.now() < giveUpAt) {
    const hold = await joinSupervisor(home, onProgress)
    if (hold !== undefined) return hold
    const isListening = await launchSupervisor(home, { settings, lingerMs })
    // Another supervisor was faster, or is on its way out: look again in a moment.
    if (!isListening) await delay(RETRY_MS)
  }
  throw new Error(`PostgreSQL in ${home} did not start within ${GIVE_UP_MS / 1000} s. Look into ${home}/postgres.log.`)
}
