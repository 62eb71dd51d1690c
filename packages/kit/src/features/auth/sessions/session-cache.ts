import type { Session } from "../../../ports/session-provider.ts"

/**
 * The maximum age of a cached session. A session that another process revokes can stay valid in this process for this
 * long.
 */
const SESSION_AGE_MS = 2_000
const MAX_SESSIONS = 10_000

interface Entry {
  readonly session: Session
  readonly readAt: number
}

/** Caches recently read sessions by credential. A change in this process removes the affected entries immediately. */
export class SessionCache {
  readonly #entries = new Map<string, Entry>()
  #changes = 0

  /**
   * A counter of changes to sessions. A reader compares the counter before and after its query to detect a stale
   * result.
   */
  get changes(): number {
    return this.#changes
  }

  get(key: string, now: Date): Session | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const age = now.getTime() - entry.readAt
    if (age >= 0 && age < SESSION_AGE_MS) return entry.session
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, session: Session, now: Date): void {
    this.#entries.delete(key)
    this.#entries.set(key, { session, readAt: now.getTime() })
    // A Map iterates in insertion order, so the first key is the oldest entry.
    const [oldest] = this.#entries.size > MAX_SESSIONS ? this.#entries.keys() : []
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  forgetUsers(ids: ReadonlySet<unknown>): void {
    this.#changes += 1
    for (const [key, { session }] of this.#entries) if (ids.has(session.user.id)) this.#entries.delete(key)
  }
}
