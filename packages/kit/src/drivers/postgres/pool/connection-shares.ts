import type { PostgresConnection } from "../connection.ts"
import { callerLeft } from "../errors.ts"
import type { Loan } from "./borrower.ts"
import type { Waiter, WaitQueue } from "./wait-queue.ts"

export interface ConnectionWaiter extends Waiter<PostgresConnection>, Loan {}

interface SharesOptions {
  readonly connections: ReadonlySet<PostgresConnection>
  readonly queue: WaitQueue<ConnectionWaiter>
  /** The number of connections that one caller may hold while other borrowers wait. */
  readonly maxPerCaller: number
  /** Returns the number of connections that slow reads may hold while other borrowers wait. */
  maxSlow(): number
  /** The time after which a caller's statement is cancelled. */
  readonly statementMs: number
  /** Called when a waiting borrower may be able to get a connection now. */
  onCapacity(): void
  /**
   * Called at each tick. `ms` is the longest time for which a connection that cannot be preempted has been checked out,
   * or undefined if no such connection is checked out.
   */
  onOldestUncancelled(ms: number | undefined): void
}

const TICK_MS = 100
// A tick that took longer than this shows that this process was suspended or blocked. The excess time does not count as
// waiting for the server.
const MAX_TICK_MS = 1_000
// A read that takes longer than this is slow. While other borrowers wait, it may be cancelled and run again later.
const SLOW_MS = 1_000
// How long the limits on callers and slow reads stay in force after a borrower had to wait. If they ended sooner, one
// caller could take all connections in every short pause.
const LIMITED_MS = 10_000
// The app's own work, which has no caller, brings the limits on callers into force only after it has waited this long
// for a connection.
const SYSTEM_WAITING_MS = 1_000
const MAX_SLOW_TEXTS = 1_000

interface LoanTiming {
  readonly loan: Loan | undefined
  /** How long the connection has been checked out, measured from the first tick that saw it checked out. */
  loanMs: number
  answered: number
  /** How long the running statement has taken so far. */
  ms: number
}

/**
 * Divides the pool's connections between callers. Cancels statements past their time limit, reads whose client has
 * disconnected, and slow reads while other borrowers wait. One timer checks all connections in use, so a statement
 * itself has no overhead.
 */
export class ConnectionShares {
  readonly #options: SharesOptions
  readonly #timings = new WeakMap<PostgresConnection, LoanTiming>()
  /**
   * Maps the SQL of each read that was slow to a time on the clock `#clockMs`. Until that time, reads with this SQL
   * count as slow.
   */
  readonly #slowTexts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #lastTickAt = 0
  /** A clock that advances with the ticks. It leaves out the time in which this process was suspended or blocked. */
  #clockMs = 0
  #callersLimitedUntil = 0
  #slowReadsLimitedUntil = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  /** Starts the timer. The timer stops by itself when no connection is checked out and no borrower waits. */
  start(): void {
    if (this.#timer) return
    this.#lastTickAt = performance.now()
    this.#timer = setInterval(() => this.#onTick(), TICK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** True if a new borrower may take an idle connection without exceeding a limit. */
  isWithinShare(loan: Loan): boolean {
    const { maxPerCaller, maxSlow } = this.#options
    if (this.#areCallersLimited && this.#heldBy(loan.borrower.key) >= maxPerCaller) return false
    return !(this.#areSlowReadsLimited && this.#isSlow(loan) && this.#slowReads().length >= maxSlow())
  }

  /** Removes and returns the first waiting borrower that may get a connection within the limits. */
  next(): ConnectionWaiter | undefined {
    const { queue } = this.#options
    const waiter = this.#isLimiting ? this.#servable(1)[0] : queue.first
    if (waiter) queue.remove(waiter)
    return waiter
  }

  /** Returns the number of waiting borrowers that may get a connection within the limits. */
  countServable(): number {
    const { queue } = this.#options
    return this.#isLimiting ? this.#servable(queue.length).length : queue.length
  }

  get #areCallersLimited(): boolean {
    return this.#clockMs < this.#callersLimitedUntil
  }

  get #areSlowReadsLimited(): boolean {
    return this.#clockMs < this.#slowReadsLimitedUntil
  }

  get #isLimiting(): boolean {
    return this.#areCallersLimited || this.#areSlowReadsLimited
  }

  #isSlow({ borrower, purpose, text, isSlow }: Loan): boolean {
    if (isSlow || text === undefined || purpose !== "read" || borrower.key === undefined) return isSlow
    return (this.#slowTexts.get(text) ?? 0) > this.#clockMs
  }

  #servable(max: number): ConnectionWaiter[] {
    const { queue, maxPerCaller, maxSlow } = this.#options
    const held = this.#heldByCallers()
    const free = { slow: this.#areSlowReadsLimited ? maxSlow() - this.#slowReads().length : max }
    const servable: ConnectionWaiter[] = []
    for (const waiter of queue) {
      if (servable.length === max) break
      const { key } = waiter.borrower
      const count = key === undefined ? 0 : (held.get(key) ?? 0)
      const isSlow = this.#isSlow(waiter)
      if (isSlow && free.slow <= 0) continue
      if (this.#areCallersLimited && count >= maxPerCaller) continue
      if (isSlow) free.slow--
      if (key !== undefined) held.set(key, count + 1)
      servable.push(waiter)
    }
    return servable
  }

  #onTick(): void {
    const elapsedMs = this.#advance()
    const { connections, queue } = this.#options
    const lent = [...connections].filter(({ loan }) => loan !== undefined)
    if (lent.length === 0 && queue.length === 0) {
      this.#options.onOldestUncancelled(undefined)
      this.stop()
      return
    }
    for (const connection of lent) this.#checkLoan(connection, elapsedMs)
    this.#options.onOldestUncancelled(this.#oldestUncancelled(lent))
    this.#rejectDisconnected()
    this.#enforceShares()
    if (queue.length > 0) this.#options.onCapacity()
  }

  #advance(): number {
    const now = performance.now()
    const elapsedMs = Math.min(now - this.#lastTickAt, MAX_TICK_MS)
    this.#lastTickAt = now
    this.#clockMs += elapsedMs
    return elapsedMs
  }

  #checkLoan(connection: PostgresConnection, elapsedMs: number): void {
    const { answeredCount, awaitsAnswer, hasOwnStatementTimeout, loan } = connection
    const known = this.#timings.get(connection)
    const seen = known && known.loan === loan ? known : { loan, loanMs: 0, answered: answeredCount, ms: 0 }
    const isSameStatement = seen === known && awaitsAnswer && seen.answered === answeredCount
    seen.loanMs += seen === known ? elapsedMs : 0
    seen.ms = isSameStatement ? seen.ms + elapsedMs : 0
    seen.answered = answeredCount
    this.#timings.set(connection, seen)
    if (loan?.purpose === "read" && loan.borrower.hasLeft) connection.cancel("left")
    else if (loan?.borrower.isLimited && !hasOwnStatementTimeout && seen.ms >= this.#limitMsOf(loan))
      connection.cancel("limit")
  }

  #limitMsOf({ callerMs }: Loan): number {
    return Math.min(this.#options.statementMs, callerMs ?? Number.POSITIVE_INFINITY)
  }

  #oldestUncancelled(lent: readonly PostgresConnection[]): number | undefined {
    const uncancelled = lent.filter(({ loan }) => loan?.purpose !== "read")
    if (uncancelled.length === 0) return undefined
    return Math.max(...uncancelled.map((connection) => this.#timings.get(connection)?.loanMs ?? 0))
  }

  #rejectDisconnected(): void {
    const left = this.#options.queue.extract(({ purpose, borrower }) => purpose === "read" && borrower.hasLeft)
    for (const waiter of left) waiter.reject(callerLeft())
  }

  // Brings the limits into force if borrowers wait. Borrowers that have waited for less than a tick are ignored:
  // connections are returned all the time, so these borrowers get one soon.
  #enforceShares(): void {
    const { queue } = this.#options
    const now = performance.now()
    const waiting = [...queue].filter((waiter) => !this.#isSlow(waiter) && now - waiter.since >= TICK_MS)
    if (waiting.length === 0) return
    this.#limitSlow()
    this.#limitCallers(waiting.filter(({ borrower, since }) => borrower.key || now - since >= SYSTEM_WAITING_MS))
  }

  #limitSlow(): void {
    const slow = this.#slowReads()
    const excess = slow.length - this.#options.maxSlow()
    if (excess < 0) return
    this.#slowReadsLimitedUntil = this.#clockMs + LIMITED_MS
    for (const connection of slow) this.#rememberSlow(connection.loan?.text)
    for (const connection of slow.slice(0, excess)) connection.cancel("preempted")
  }

  #limitCallers(waiting: readonly ConnectionWaiter[]): void {
    const { maxPerCaller } = this.#options
    const held = this.#heldByCallers()
    const isOther = ({ borrower: { key } }: ConnectionWaiter) =>
      key === undefined || (held.get(key) ?? 0) < maxPerCaller
    const hasMuch = [...held.values()].some((count) => count >= maxPerCaller)
    if (hasMuch && waiting.some(isOther)) this.#callersLimitedUntil = this.#clockMs + LIMITED_MS
  }

  #rememberSlow(text: string | undefined): void {
    if (text === undefined) return
    if (this.#slowTexts.size >= MAX_SLOW_TEXTS) this.#slowTexts.clear()
    this.#slowTexts.set(text, this.#clockMs + LIMITED_MS)
  }

  // Returns the connections that run slow reads. The reads with the shortest run time come first, because cancelling
  // them wastes the least work.
  #slowReads(): PostgresConnection[] {
    const msOf = (connection: PostgresConnection) => this.#timings.get(connection)?.ms ?? 0
    const isSlow = (connection: PostgresConnection) => {
      const { loan, cancellation } = connection
      const isOfCaller = loan?.purpose === "read" && loan.borrower.key !== undefined
      return isOfCaller && !cancellation && (this.#isSlow(loan) || msOf(connection) >= SLOW_MS)
    }
    return [...this.#options.connections].filter(isSlow).sort((one, other) => msOf(one) - msOf(other))
  }

  #heldByCallers(): Map<string, number> {
    const held = new Map<string, number>()
    for (const { loan } of this.#options.connections) {
      const key = loan?.borrower.key
      if (key !== undefined) held.set(key, (held.get(key) ?? 0) + 1)
    }
    return held
  }

  #heldBy(key: string | undefined): number {
    if (key === undefined) return 0
    let held = 0
    for (const { loan } of this.#options.connections) if (loan?.borrower.key === key) held++
    return held
  }
}
