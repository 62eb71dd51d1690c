import { createHmac } from "node:crypto"
import type { Connection } from "../../../ports/database.ts"
import { findSlot, resetSlot, returnTry, type TryCost, takeTry } from "../../../sql/internal/tries.ts"

export interface TryLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** Describes a limit that is used up, and the time until it allows another attempt. */
export interface TryExcess {
  readonly limit: number
  readonly retryAfterSeconds: number
  readonly resetSeconds: number
}

export interface TriesDependencies {
  readonly connection: Connection
  readonly secret: string
  readonly limit: TryLimit
  now(): Date
}

// Keys are hashed to this many rows, so the table stays at some 15 MB for any number of keys. Two keys with the same
// row share one limit: while 1,000 accounts are attacked, one in 260 other accounts is affected. An attacker cannot
// compute which ones, because the hash uses a secret.
const SLOTS = 2 ** 18

/**
 * Counts attempts per key in the database, across all processes of the app, with a token bucket that refills evenly
 * over the window. An attempt is counted before its outcome is known, so that concurrent attempts cannot exceed the
 * limit.
 */
export class Tries {
  readonly #parts: TriesDependencies
  readonly #cost: TryCost

  constructor(parts: TriesDependencies) {
    const { requests, windowSeconds } = parts.limit
    this.#parts = parts
    this.#cost = { tryMs: Math.floor((windowSeconds * 1000) / requests), windowMs: windowSeconds * 1000 }
  }

  /**
   * Counts one attempt for the key. Resolves to undefined or, if no attempt is left, to the time until the next one.
   */
  async take(key: string): Promise<TryExcess | undefined> {
    const { connection, now } = this.#parts
    const slot = this.#slotOf(key)
    const nowMs = now().getTime()
    const { rows } = await connection.query(takeTry(slot, nowMs, this.#cost))
    if (rows.length > 0) return undefined
    const [row] = (await connection.query(findSlot(slot))).rows
    return this.#excess(Number(row?.[0] ?? nowMs) - nowMs)
  }

  async refund(key: string): Promise<void> {
    await this.#parts.connection.query(returnTry(this.#slotOf(key), this.#cost))
  }

  async reset(key: string): Promise<void> {
    await this.#parts.connection.query(resetSlot(this.#slotOf(key)))
  }

  #excess(usedMs: number): TryExcess {
    const { tryMs, windowMs } = this.#cost
    return {
      limit: this.#parts.limit.requests,
      retryAfterSeconds: Math.max(Math.ceil((usedMs + tryMs - windowMs) / 1000), 1),
      resetSeconds: Math.max(Math.ceil(usedMs / 1000), 1),
    }
  }

  #slotOf(key: string): number {
    return createHmac("sha256", this.#parts.secret).update(`try ${key}`).digest().readUInt32BE(0) % SLOTS
  }
}
