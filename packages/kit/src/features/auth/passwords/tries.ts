import { createHmac } from "node:crypto"
import type { Connection } from "../../../ports/database.ts"
import { findSlot, freeSlot, giveTryBack, type TryCost, takeTry } from "../../../sql/internal/tries.ts"

export interface TryLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** A limit that is used up, and when it is not any more. */
export interface TryExcess {
  readonly limit: number
  readonly retryAfterSeconds: number
  readonly resetSeconds: number
}

export interface TryParts {
  readonly connection: Connection
  readonly secret: string
  readonly limit: TryLimit
  now(): Date
}

// The table has at most so many rows, some 15 MB, however many keys are tried. Two keys that share a slot share its limit:
// while 1,000 accounts are attacked, that is one of 260 others. Nobody without the secret can tell which.
const SLOTS = 2 ** 18

/**
 * Counts tries by key in the database, for all processes of the app: so many together, and given back evenly over the
 * window. A try is taken before its outcome is known, so that tries at the same time do not slip through together.
 */
export class Tries {
  readonly #parts: TryParts
  readonly #cost: TryCost

  constructor(parts: TryParts) {
    const { requests, windowSeconds } = parts.limit
    this.#parts = parts
    this.#cost = { tryMs: Math.floor((windowSeconds * 1000) / requests), windowMs: windowSeconds * 1000 }
  }

  /** Takes one try of the key; where none is left, resolves to when there is. */
  async take(key: string): Promise<TryExcess | undefined> {
    const { connection, now } = this.#parts
    const slot = this.#slotOf(key)
    const nowMs = now().getTime()
    const { rows } = await connection.query(takeTry(slot, nowMs, this.#cost))
    if (rows.length > 0) return undefined
    const [row] = (await connection.query(findSlot(slot))).rows
    return this.#excess(Number(row?.[0] ?? nowMs) - nowMs)
  }

  async giveBack(key: string): Promise<void> {
    await this.#parts.connection.query(giveTryBack(this.#slotOf(key), this.#cost))
  }

  async giveAllBack(key: string): Promise<void> {
    await this.#parts.connection.query(freeSlot(this.#slotOf(key)))
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
