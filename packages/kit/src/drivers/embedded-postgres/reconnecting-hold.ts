import { existsSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { type Hold, joinSupervisor } from "./hold.ts"
import { launchSupervisor, type SupervisorOptions } from "./supervisor/launch-supervisor.ts"
import { RestartBackoff } from "./supervisor/restart-backoff.ts"
import { type StateListener, StateReport } from "./supervisor/server-state.ts"
import type { ReadyMessage, SupervisorMessage } from "./supervisor/supervisor-message.ts"

const GIVE_UP_MS = 60_000
const RETRY_MS = 10
const LONGEST_PAUSE_MS = 10_000
// A supervisor that ran for at least this long before it ended resets the restart backoff.
const STABLE_RUN_MS = 10_000

/** Connects to the supervisor of the embedded database in the directory `home`. Starts a supervisor if there is none. */
export async function acquireHold(home: string, supervision: SupervisorOptions): Promise<Hold> {
  const giveUpAt = Date.now() + GIVE_UP_MS
  while (Date.now() < giveUpAt) {
    const hold = await joinSupervisor(home)
    if (hold !== undefined) return hold
    const isListening = await launchSupervisor(home, supervision)
    // Another supervisor took the lock first, or is shutting down. The loop retries after a short pause.
    if (!isListening) await delay(RETRY_MS)
  }
  throw new Error(`PostgreSQL in ${home} did not start within ${GIVE_UP_MS / 1000} s. See ${home}/postgres.log.`)
}

interface HeldServer {
  readonly home: string
  readonly hold: Hold
  readonly ready: ReadyMessage
}

/**
 * Keeps a PostgreSQL server running until `release` is called. Starts a new supervisor if the current one ends earlier.
 */
export class ReconnectingHold {
  readonly #home: string
  readonly #ready: ReadyMessage
  readonly #report = new StateReport()
  readonly #backoff = new RestartBackoff(LONGEST_PAUSE_MS)
  readonly #ending = new AbortController()
  #hold: Hold
  readonly #keeping: Promise<void>
  #released: Promise<void> | undefined

  constructor({ home, hold, ready }: HeldServer) {
    this.#home = home
    this.#ready = ready
    this.#hold = hold
    this.#keeping = this.#keep(hold)
  }

  watch(listener: StateListener): void {
    this.#report.listen(listener)
  }

  release(): Promise<void> {
    this.#released ??= this.#leave()
    return this.#released
  }

  async #leave(): Promise<void> {
    this.#ending.abort()
    await this.#hold.release()
    await this.#keeping
  }

  async #keep(first: Hold): Promise<void> {
    for (let hold: Hold | undefined = first; hold !== undefined; ) {
      this.#hold = hold
      // `release` was called while the connection to the supervisor was being opened.
      if (this.#ending.signal.aborted) return hold.release()
      const heldSince = performance.now()
      for (let message = await hold.next(); message !== undefined; message = await hold.next()) this.#onMessage(message)
      if (this.#ending.signal.aborted) return
      this.#report.unsupervised()
      if (performance.now() - heldSince >= STABLE_RUN_MS) this.#backoff.reset()
      hold = await this.#reacquire()
    }
  }

  // Connects to a new supervisor. Makes one attempt even after `release`, because the PostgreSQL server may still run,
  // and only a supervisor would stop it.
  async #reacquire(): Promise<Hold | undefined> {
    do {
      // The pause does not keep this process running, and `release` ends the pause early.
      await delay(this.#backoff.next(), undefined, { ref: false, signal: this.#ending.signal }).catch(() => {})
      const hold = await this.#tryReacquire()
      if (hold !== undefined) return hold
    } while (!this.#ending.signal.aborted)
    return undefined
  }

  async #tryReacquire(): Promise<Hold | undefined> {
    try {
      if (!existsSync(this.#home)) throw new Error(`its directory ${this.#home} was deleted`)
      // Reuses the options of the lost supervisor, so that all processes that use the server continue with the same
      // options.
      return await acquireHold(this.#home, { ...this.#ready.supervision, isSuccessor: true })
    } catch (error) {
      this.#report.down(firstLine(error))
      return undefined
    }
  }

  #onMessage(message: SupervisorMessage): void {
    if (message.kind === "down") this.#report.down(message.reason)
    if (message.kind === "failed") this.#report.down(firstLine(message.message))
    if (message.kind === "ready") this.#onReady(message)
  }

  #onReady({ url }: ReadyMessage): void {
    // The URL changes if the database directory is deleted and created again. Another URL means a new database in the
    // same place.
    if (url === this.#ready.url) this.#report.up()
    else this.#report.down(`a new database was created in ${this.#home} meanwhile; restart kit to use it`)
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n", 1)[0] ?? ""
}
