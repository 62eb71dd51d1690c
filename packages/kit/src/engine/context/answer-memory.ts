import { ApiError } from "../../wire/errors/api-error.ts"

const MAX_WAIT_MS = 10_000
const MAX_WAITING = 500

/** The memory that one request has reserved for its large response. */
export interface Reservation {
  bytes: number
  /** The key that identifies the caller, the same as in other limits per caller. Undefined if the caller is unknown. */
  readonly caller: string | undefined
}

interface Waiter {
  readonly reservation: Reservation
  readonly bytes: number
  start(): void
}

interface MemoryLimits {
  readonly totalBytes: number
  /** The maximum number of bytes that one caller may reserve. */
  readonly callerBytes: number
}

/**
 * A semaphore that limits the bytes of all large responses that a process holds at the same time. One caller can
 * reserve only a part of these bytes, so that the rest is left for other callers.
 */
export class AnswerMemory {
  readonly #limits: MemoryLimits
  readonly #held = new Map<string, number>()
  readonly #waiting: Waiter[] = []
  #total = 0

  constructor(limits: MemoryLimits) {
    this.#limits = limits
  }

  /** Extends a reservation to `bytes` if enough memory is free. Returns false if not. */
  tryExtend(reservation: Reservation, bytes: number): boolean {
    const more = bytes - reservation.bytes
    if (more <= 0) return true
    if (!this.#hasRoom(reservation.caller, more)) return false
    this.extend(reservation, bytes)
    return true
  }

  /** Extends a reservation to `bytes`, even if not enough memory is free. */
  extend(reservation: Reservation, bytes: number): void {
    if (bytes > reservation.bytes) this.#add(reservation, bytes - reservation.bytes)
  }

  /** Waits until enough memory is free, and extends the reservation to `bytes`. Rejects after a timeout. */
  waitFor(reservation: Reservation, bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.tryExtend(reservation, bytes)) return Promise.resolve()
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(tooManyLargeAnswers())
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        reservation,
        bytes,
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(tooManyLargeAnswers())
      }, MAX_WAIT_MS)
      this.#waiting.push(waiter)
      this.#serveWaiting()
    })
  }

  release(reservation: Reservation): void {
    this.shrink(reservation, 0)
  }

  /** Shortens a reservation to `bytes`. Does nothing if it is shorter already. */
  shrink(reservation: Reservation, bytes: number): void {
    if (reservation.bytes <= bytes) return
    this.#add(reservation, bytes - reservation.bytes)
    this.#serveWaiting()
  }

  // Grants memory to the waiting requests in order. A request whose caller has used up their share does not block the
  // requests behind it.
  #serveWaiting(): void {
    for (const waiter of [...this.#waiting]) {
      if (!this.tryExtend(waiter.reservation, waiter.bytes)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      waiter.start()
    }
  }

  #hasRoom(caller: string | undefined, more: number): boolean {
    const { totalBytes, callerBytes } = this.#limits
    const held = caller === undefined ? 0 : (this.#held.get(caller) ?? 0)
    return this.#total + more <= totalBytes && held + more <= callerBytes
  }

  #add(reservation: Reservation, bytes: number): void {
    const { caller } = reservation
    reservation.bytes += bytes
    this.#total += bytes
    if (caller === undefined) return
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
  }
}

function tooManyLargeAnswers(): ApiError {
  const message =
    "Too many large answers are in progress. Request fewer records or fields at a time, or try again later."
  return new ApiError("RATE_LIMITED", { message, context: { retryAfterSeconds: 1 } })
}
