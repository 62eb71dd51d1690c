import { type ConnectionSettings, openConnection, type PostgresConnection } from "./postgres-connection.ts"
import { poolBusy, poolClosed } from "./postgres-errors.ts"
import { PostgresWatchdog } from "./postgres-watchdog.ts"

// A connection idle for longer may have died unnoticed (a sleeping machine, a forgetful router), so it is asked first.
const TRUSTED_IDLE_MS = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1

export interface PoolOptions {
  readonly connection: Omit<ConnectionSettings, "onLost">
  readonly maxConnections: number
  readonly maxQueue: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly watchdogTickMs: number
  readonly onError: (error: Error) => void
}

interface Waiter {
  readonly since: number
  readonly resolve: (connection: PostgresConnection) => void
  readonly reject: (error: unknown) => void
}

/** Lends connections, first come first served. They are opened when needed and closed when idle for long. */
export class PostgresPool {
  readonly #options: PoolOptions
  /** Lent, idle, being asked and being closed; not those still being opened. */
  readonly #connections = new Set<PostgresConnection>()
  /** The last one was used most recently. */
  readonly #idle: PostgresConnection[] = []
  readonly #waiters: Waiter[] = []
  readonly #watchdog: PostgresWatchdog
  #opening = 0
  #asking = 0
  #waitTimer: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  #finishClosing: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#watchdog = new PostgresWatchdog({
      config: options.connection.config,
      connections: this.#connections,
      statementTimeoutMs: options.statementTimeoutMs,
      tickMs: options.watchdogTickMs,
      onSilence: (error) => this.#noteSilence(error),
    })
  }

  acquire(): Promise<PostgresConnection> {
    if (this.#closing) return Promise.reject(poolClosed())
    const connection = this.#takeTrusted()
    if (connection) return Promise.resolve(connection)
    if (this.#isQueueFull()) return Promise.reject(poolBusy("Too many requests wait for a database connection."))
    return new Promise((resolve, reject) => {
      this.#waiters.push({ since: performance.now(), resolve, reject })
      this.#serveWaiters()
      this.#watchWaiters()
    })
  }

  giveBack(connection: PostgresConnection): void {
    if (connection.loss) this.#drop(connection)
    else if (!connection.isProven) this.#ask(connection)
    else if (connection.isInTransaction) this.#drop(connection)
    else if (connection.isWorn) this.#retire(connection)
    else this.#offer(connection)
  }

  /** Requests that already wait are still served. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#finishClosing = resolve
    })
    for (const connection of this.#idle.splice(0)) this.#retire(connection)
    this.#noteProgress()
    return this.#closing
  }

  #takeTrusted(): PostgresConnection | undefined {
    const connection = this.#idle.at(-1)
    if (!connection || performance.now() - connection.idleSince > TRUSTED_IDLE_MS) return undefined
    return this.#idle.pop()
  }

  #isQueueFull(): boolean {
    const canServeMore = this.#idle.length > 0 || this.#size < this.#options.maxConnections
    return !canServeMore && this.#waiters.length - this.#coming >= this.#options.maxQueue
  }

  get #size(): number {
    return this.#connections.size + this.#opening
  }

  /** Connections that will be offered soon. */
  get #coming(): number {
    return this.#opening + this.#asking
  }

  #serveWaiters(): void {
    while (this.#waiters.length > this.#coming) {
      const connection = this.#idle.pop()
      if (connection) this.#ask(connection)
      else if (this.#size < this.#options.maxConnections) this.#open()
      else return
    }
  }

  #open(): void {
    this.#opening++
    const startedAt = performance.now()
    const settings = { ...this.#options.connection, onLost: (lost: PostgresConnection) => this.#noteLoss(lost) }
    openConnection(settings).then(
      (connection) => this.#noteOpened(connection),
      (error) => this.#noteOpenFailed(error, startedAt),
    )
  }

  #noteOpened(connection: PostgresConnection): void {
    this.#opening--
    this.#connections.add(connection)
    this.#watchdog.start()
    this.giveBack(connection)
  }

  // A request that came later is not told of it: another attempt may find that the network is back.
  #noteOpenFailed(error: Error, startedAt: number): void {
    this.#opening--
    const [first] = this.#waiters
    if (first && first.since <= startedAt) this.#waiters.shift()?.reject(error)
    else this.#options.onError(error)
    this.#noteProgress()
  }

  #ask(connection: PostgresConnection): void {
    this.#asking++
    void connection.prove().then((proof) => {
      this.#asking--
      if (proof === "alive") return this.giveBack(connection)
      if (proof === "silent") this.#dropSilent([connection, ...this.#idle.splice(0)])
      else this.#drop(connection)
    })
  }

  #offer(connection: PostgresConnection): void {
    const waiter = this.#waiters.shift()
    if (waiter) waiter.resolve(connection)
    else if (this.#closing) this.#retire(connection)
    else this.#rest(connection)
  }

  #rest(connection: PostgresConnection): void {
    connection.idleSince = performance.now()
    this.#idle.push(connection)
    this.#watchIdle()
  }

  #retire(connection: PostgresConnection): void {
    void connection.close().then(() => this.#drop(connection))
  }

  #noteLoss(connection: PostgresConnection): void {
    const at = this.#idle.indexOf(connection)
    if (at === -1) return
    this.#idle.splice(at, 1)
    this.#drop(connection)
    if (connection.loss) this.#options.onError(connection.loss)
  }

  #noteSilence(error: Error): void {
    this.#dropSilent(this.#idle.splice(0))
    this.#options.onError(error)
  }

  // Where one connection went silent, the idle ones probably have too; to ask each of them would take seconds.
  #dropSilent(connections: readonly PostgresConnection[]): void {
    this.#watchdog.abandon(connections)
    for (const connection of connections) this.#drop(connection)
  }

  #drop(connection: PostgresConnection): void {
    this.#connections.delete(connection)
    connection.destroy()
    this.#noteProgress()
  }

  #noteProgress(): void {
    this.#serveWaiters()
    if (!this.#closing || this.#size > 0 || this.#waiters.length > 0) return
    this.#watchdog.stop()
    this.#finishClosing?.()
  }

  #watchWaiters(): void {
    const first = this.#waiters[0]
    if (!first || this.#waitTimer) return
    this.#waitTimer = startTimer(first.since + this.#options.acquireTimeoutMs, () => {
      this.#waitTimer = undefined
      this.#rejectOverdueWaiters()
      this.#watchWaiters()
    })
  }

  #rejectOverdueWaiters(): void {
    const overdueSince = performance.now() - this.#options.acquireTimeoutMs
    for (let first = this.#waiters[0]; first && first.since <= overdueSince; first = this.#waiters[0]) {
      this.#waiters.shift()
      first.reject(poolBusy(`${this.#slowness} within ${this.#options.acquireTimeoutMs} ms.`))
    }
    this.#noteProgress()
  }

  // Where there is no connection at all, none could become free.
  get #slowness(): string {
    return this.#connections.size === 0 ? "PostgreSQL has not answered" : "No database connection became free"
  }

  #watchIdle(): void {
    const oldest = this.#idle[0]
    if (!oldest || this.#idleTimer) return
    this.#idleTimer = startTimer(oldest.idleSince + this.#options.idleTimeoutMs, () => {
      this.#idleTimer = undefined
      this.#retireLongIdle()
      this.#watchIdle()
    })
  }

  #retireLongIdle(): void {
    const idleTooLongSince = performance.now() - this.#options.idleTimeoutMs
    for (let oldest = this.#idle[0]; oldest && oldest.idleSince <= idleTooLongSince; oldest = this.#idle[0]) {
      this.#idle.shift()
      this.#retire(oldest)
    }
  }
}

/** A timer for a moment of `performance.now()`. The sockets, not the timers, keep the process alive. */
function startTimer(at: number, callback: () => void): NodeJS.Timeout {
  const delayMs = Math.ceil(Math.max(1, at - performance.now()))
  return setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS)).unref()
}
