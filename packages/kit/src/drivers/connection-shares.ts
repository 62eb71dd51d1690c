import type { Borrower } from "./borrower.ts"
import type { PostgresConnection, Purpose } from "./postgres-connection.ts"
import { callerLeft } from "./postgres-errors.ts"
import type { Waiter, WaitingLine } from "./waiting-line.ts"

export interface ConnectionWaiter extends Waiter<PostgresConnection> {
  readonly purpose: Purpose
  /** The text of the one statement that it is for; undefined for a transaction. */
  readonly text: string | undefined
  /** Its read was cancelled once because it was slow and others waited. */
  readonly isSlow: boolean
}

/** What somebody wants a connection for. */
export type Loan = Pick<ConnectionWaiter, "borrower" | "purpose" | "text" | "isSlow">

export interface SharesOptions {
  readonly connections: ReadonlySet<PostgresConnection>
  readonly line: WaitingLine<ConnectionWaiter>
  /** Connections that one caller may hold while others wait. */
  readonly maxOfCaller: number
  /** Connections that slow reads may hold while others wait. */
  maxSlow(): number
  /** After this a statement of a caller is cancelled. */
  readonly statementMs: number
  /** Called when somebody who had to wait may be served now. */
  onRoom(): void
}

const TICK_MS = 100
// A read that takes longer than a second is slow. It may be cancelled and run again later where others wait.
const SLOW_TICKS = 10
// Shares hold for so long after somebody had to wait: otherwise a caller would take all connections in each short pause.
const SHARED_TICKS = 100
// The app itself is no caller among others: it counts only when it has waited for a second.
const SYSTEM_WAITING_MS = 1_000
const MAX_SLOW_TEXTS = 1_000

interface Seen {
  readonly answered: number
  ticks: number
}

/**
 * Divides the connections of a pool between callers, and ends statements of theirs: those that take too long, those whose
 * caller has left, and slow reads while others wait. All is counted in ticks of one timer that looks at the connections in
 * use, so that a statement costs nothing, and a process that stood still does not take its own pause for a slow statement.
 */
export class ConnectionShares {
  readonly #options: SharesOptions
  readonly #seen = new WeakMap<PostgresConnection, Seen>()
  /** What each connection was lent for last. */
  readonly #loans = new WeakMap<PostgresConnection, Loan>()
  /** The texts of reads that were slow, and until when others with the same text count as slow. */
  readonly #slowTexts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #tick = 0
  #callersShareUntil = 0
  #slowShareUntil = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  /** Runs until nothing is lent and nobody waits. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), TICK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Whether somebody who comes now may have a connection that is free. */
  isFreeFor(loan: Loan): boolean {
    const { maxOfCaller, maxSlow } = this.#options
    const { key } = loan.borrower
    if (this.#areCallersSharing && key !== undefined && this.#heldBy(key) >= maxOfCaller) return false
    return !(this.#areSlowSharing && this.#isSlow(loan) && this.#slowReads().length >= maxSlow())
  }

  /** Takes the next waiter that may have a connection out of the line. */
  next(): ConnectionWaiter | undefined {
    const { line } = this.#options
    const waiter = this.#isSharing ? this.#servable(1)[0] : line.first
    if (waiter) line.remove(waiter)
    return waiter
  }

  /** How many of those who wait may have a connection. */
  countServable(): number {
    const { line } = this.#options
    return this.#isSharing ? this.#servable(line.length).length : line.length
  }

  lent(connection: PostgresConnection, loan: Loan): void {
    this.#loans.set(connection, loan)
    this.start()
  }

  get #areCallersSharing(): boolean {
    return this.#tick < this.#callersShareUntil
  }

  get #areSlowSharing(): boolean {
    return this.#tick < this.#slowShareUntil
  }

  get #isSharing(): boolean {
    return this.#areCallersSharing || this.#areSlowSharing
  }

  #isSlow({ purpose, text, isSlow }: Loan): boolean {
    return isSlow || (purpose === "read" && text !== undefined && (this.#slowTexts.get(text) ?? 0) > this.#tick)
  }

  #servable(max: number): ConnectionWaiter[] {
    const { line, maxOfCaller, maxSlow } = this.#options
    const held = this.#heldByCallers()
    const free = { slow: this.#areSlowSharing ? maxSlow() - this.#slowReads().length : max }
    const servable: ConnectionWaiter[] = []
    for (const waiter of line) {
      if (servable.length === max) break
      const { key } = waiter.borrower
      const count = key === undefined ? 0 : (held.get(key) ?? 0)
      const isSlow = this.#isSlow(waiter)
      if (isSlow && free.slow <= 0) continue
      if (this.#areCallersSharing && count >= maxOfCaller) continue
      if (isSlow) free.slow--
      if (key !== undefined) held.set(key, count + 1)
      servable.push(waiter)
    }
    return servable
  }

  #look(): void {
    this.#tick++
    let isIdle = this.#options.line.length === 0
    for (const connection of this.#options.connections) {
      if (connection.borrower === undefined) continue
      isIdle = false
      this.#watch(connection, connection.borrower)
    }
    if (isIdle) return this.stop()
    this.#dropLeft()
    this.#makeRoom()
    if (this.#options.line.length > 0) this.#options.onRoom()
  }

  #watch(connection: PostgresConnection, borrower: Borrower): void {
    const { answered, awaitsAnswer, purpose } = connection
    const known = this.#seen.get(connection)
    const seen = awaitsAnswer && known?.answered === answered ? known : { answered, ticks: 0 }
    if (seen === known) seen.ticks++
    else this.#seen.set(connection, seen)
    if (purpose === "read" && borrower.hasLeft) connection.cancel("left")
    else if (borrower.isLimited && seen.ticks * TICK_MS >= this.#options.statementMs) connection.cancel("limit")
  }

  #dropLeft(): void {
    const left = this.#options.line.extract(({ purpose, borrower }) => purpose === "read" && borrower.hasLeft)
    for (const waiter of left) waiter.reject(callerLeft())
  }

  // Nobody who has come within the last tick counts: connections are given back all the time.
  #makeRoom(): void {
    const { line } = this.#options
    const now = performance.now()
    const waiting = [...line].filter((waiter) => !this.#isSlow(waiter) && now - waiter.since >= TICK_MS)
    if (waiting.length === 0) return
    this.#limitSlow()
    this.#limitCallers(waiting.filter(({ borrower, since }) => borrower.key || now - since >= SYSTEM_WAITING_MS))
  }

  #limitSlow(): void {
    const slow = this.#slowReads()
    const excess = slow.length - this.#options.maxSlow()
    if (excess < 0) return
    this.#slowShareUntil = this.#tick + SHARED_TICKS
    for (const connection of slow) this.#rememberSlow(this.#loans.get(connection)?.text)
    for (const connection of slow.slice(0, excess)) connection.cancel("preempted")
  }

  #limitCallers(waiting: readonly ConnectionWaiter[]): void {
    const { maxOfCaller } = this.#options
    const held = this.#heldByCallers()
    const isOther = ({ borrower: { key } }: ConnectionWaiter) => key === undefined || (held.get(key) ?? 0) < maxOfCaller
    const hasMuch = [...held.values()].some((count) => count >= maxOfCaller)
    if (hasMuch && waiting.some(isOther)) this.#callersShareUntil = this.#tick + SHARED_TICKS
  }

  #rememberSlow(text: string | undefined): void {
    if (text === undefined) return
    if (this.#slowTexts.size >= MAX_SLOW_TEXTS) this.#slowTexts.clear()
    this.#slowTexts.set(text, this.#tick + SHARED_TICKS)
  }

  // Those that have taken the least time come first: they lose the least when they are cancelled.
  #slowReads(): PostgresConnection[] {
    const ticksOf = (connection: PostgresConnection) => this.#seen.get(connection)?.ticks ?? 0
    const isSlow = (connection: PostgresConnection) => {
      const loan = this.#loans.get(connection)
      const isRead = connection.purpose === "read" && connection.borrower?.isLimited === true
      if (!isRead || connection.cancellation !== undefined || loan === undefined) return false
      return this.#isSlow(loan) || ticksOf(connection) >= SLOW_TICKS
    }
    return [...this.#options.connections].filter(isSlow).sort((one, other) => ticksOf(one) - ticksOf(other))
  }

  #heldByCallers(): Map<string, number> {
    const held = new Map<string, number>()
    for (const { borrower } of this.#options.connections) {
      if (borrower?.key !== undefined) held.set(borrower.key, (held.get(borrower.key) ?? 0) + 1)
    }
    return held
  }

  #heldBy(key: string): number {
    let held = 0
    for (const { borrower } of this.#options.connections) if (borrower?.key === key) held++
    return held
  }
}
