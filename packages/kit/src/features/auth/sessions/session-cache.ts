import type { Session } from "../../../ports/session-provider.ts"

/** How old a session may be that is answered without asking the database: the longest that a revoked one lives on. */
export const SESSION_AGE_MS = 2_000
const MAX_SESSIONS = 10_000

interface Entry {
  readonly session: Session
  readonly readAt: number
}

/** Sessions that were read a moment ago, by what the caller showed. What this process changes is forgotten at once. */
export class SessionCache {
  readonly #entries = new Map<string, Entry>()
  #changes = 0

  /** Grows with every change, so that who was reading meanwhile knows that it may have read too early. */
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
    // A map gives its keys in the order in which they came, so the first is the oldest.
    const [oldest] = this.#entries.size > MAX_SESSIONS ? this.#entries.keys() : []
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  forgetUsers(ids: ReadonlySet<unknown>): void {
    this.#changes += 1
    for (const [key, { session }] of this.#entries) if (ids.has(session.user.id)) this.#entries.delete(key)
  }
}
