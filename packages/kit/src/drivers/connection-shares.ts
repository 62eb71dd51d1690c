import type { Borrower } from "./borrower.ts"
import type { PostgresConnection, Purpose } from "./postgres-connection.ts"
import { callerLeft } from "./postgres-errors.ts"
import type { Waiter, WaitingLine } from "./waiting-line.ts"

export interface ConnectionWaiter extends Waiter<PostgresConnection> {
  readonly purpose: Purpose
  /** Its read was cancelled once because it was slow and others waited. */
  readonly isSlow: boolean
}

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
  /** Lent to a read that was slow before. */
  readonly #slow = new WeakSet<PostgresConnection>()
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

  /** Whether a borrower that comes now may have a connection that is free. */
  isFreeFor({ key }: Borrower): boolean {
    return !this.#areCallersSharing || key === undefined || this.#heldBy(key) < this.#options.maxOfCaller
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

  lent(connection: PostgresConnection, { isSlow }: Pick<ConnectionWaiter, "isSlow">): void {
    if (isSlow) this.#slow.add(connection)
    else this.#slow.delete(connection)
    this.start()
  }

  get #areCallersSharing(): boolean {
    return this.#tick < this.#callersShareUntil
  }

  get #isSharing(): boolean {
    return this.#tick < this.#callersShareUntil || this.#tick < this.#slowShareUntil
  }

  #servable(max: number): ConnectionWaiter[] {
    const { line, maxOfCaller, maxSlow } = this.#options
    const held = this.#heldByCallers()
    const free = { slow: this.#tick < this.#slowShareUntil ? maxSlow() - this.#slowReads().length : max }
    const servable: ConnectionWaiter[] = []
    for (const waiter of line) {
      if (servable.length === max) break
      const { key } = waiter.borrower
      const count = key === undefined ? 0 : (held.get(key) ?? 0)
      if (waiter.isSlow && free.slow <= 0) continue
      if (this.#areCallersSharing && count >= maxOfCaller) continue
      if (waiter.isSlow) free.slow--
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
    const { line, maxOfCaller, maxSlow } = this.#options
    const waitingSince = performance.now() - TICK_MS
    const waiting = [...line].filter(({ isSlow, since }) => !isSlow && since <= waitingSince)
    if (waiting.length === 0) return
    const slow = this.#slowReads()
    const excess = slow.length - maxSlow()
    if (excess >= 0) this.#slowShareUntil = this.#tick + SHARED_TICKS
    for (const connection of slow.slice(0, Math.max(0, excess))) connection.cancel("preempted")
    const held = this.#heldByCallers()
    const isOther = ({ borrower: { key } }: ConnectionWaiter) =>
      key === undefined || (held.get(key) ?? 0) < maxOfCaller
    const hasMuch = [...held.values()].some((count) => count >= maxOfCaller)
    if (hasMuch && waiting.some(isOther)) this.#callersShareUntil = this.#tick + SHARED_TICKS
  }

  // Those that have taken the least time come first: they lose the least when they are cancelled.
  #slowReads(): PostgresConnection[] {
    const ticksOf = (connection: PostgresConnection) => this.#seen.get(connection)?.ticks ?? 0
    const isSlow = (connection: PostgresConnection) =>
      connection.purpose === "read" &&
      connection.borrower?.isLimited === true &&
      connection.cancellation === undefined &&
      (this.#slow.has(connection) || ticksOf(connection) >= SLOW_TICKS)
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
