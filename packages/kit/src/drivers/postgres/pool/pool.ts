import { type ConnectionSettings, openConnection, type PostgresConnection } from "../connection.ts"
import { poolBusy, poolClosed } from "../errors.ts"
import type { Loan } from "./borrower.ts"
import { ConnectionShares, type ConnectionWaiter } from "./connection-shares.ts"
import { startTimer } from "./start-timer.ts"
import { UncancellableSemaphore } from "./uncancellable-semaphore.ts"
import { WaitQueue } from "./wait-queue.ts"
import { PostgresWatchdog } from "./watchdog.ts"

// A connection that was idle for longer than this may be dead without the pool's knowledge (a suspended machine, a NAT
// timeout). The pool runs an empty statement on such a connection before a borrower gets it.
const TRUSTED_IDLE_MS = 1_000
// The pool reserves one connection in this many, rounded up. Callers cannot check out reserved connections for writes.
const CONNECTIONS_PER_SPARE_ONE = 8
// A pool smaller than this reserves no connections, and does not limit each caller to a share of the connections.
const MIN_SHARED_CONNECTIONS = 4

interface PoolOptions {
  readonly connection: Omit<ConnectionSettings, "onLost">
  readonly maxConnections: number
  readonly maxQueue: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly statementTimeoutMs: number
  /** The time limit for statements that callers run. */
  readonly callerStatementMs: number
  /** The fraction of the connections, from 0 to 1, that one caller may hold while other borrowers wait. */
  readonly callerShare: number
  readonly watchdogTickMs: number
  readonly onError: (error: Error) => void
}

/**
 * Lets borrowers check out connections, first come first served, unless a caller holds more than its share (see
 * `ConnectionShares`). The pool opens connections on demand, and closes connections that were idle for long.
 */
export class PostgresPool {
  readonly #options: PoolOptions
  /**
   * The connections that are checked out, idle, being checked or being closed. Excludes connections still being opened.
   */
  readonly #connections = new Set<PostgresConnection>()
  /** The idle connections, ordered by last use. The last element was used most recently. */
  readonly #idle: PostgresConnection[] = []
  readonly #queue: WaitQueue<ConnectionWaiter>
  readonly #shares: ConnectionShares
  readonly #slots: UncancellableSemaphore
  readonly #watchdog: PostgresWatchdog
  #opening = 0
  #checking = 0
  #idleTimer: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  #finishClosing: (() => void) | undefined

  constructor(options: PoolOptions) {
    const { maxConnections, callerShare } = options
    const isShared = maxConnections >= MIN_SHARED_CONNECTIONS
    const maxPerCaller = isShared ? Math.max(1, Math.floor(maxConnections * callerShare)) : maxConnections
    const spare = isShared ? Math.ceil(maxConnections / CONNECTIONS_PER_SPARE_ONE) : 0
    this.#options = options
    this.#queue = new WaitQueue<ConnectionWaiter>({
      maxLength: () => options.maxQueue + this.#expectedCount + this.#idle.length + maxConnections - this.#size,
      timeoutMs: options.acquireTimeoutMs,
      onTimeout: (waiter) => this.#refuse(waiter, this.#acquireTimedOut()),
      onOverflow: (waiter) => this.#refuse(waiter, queueFull()),
    })
    this.#shares = new ConnectionShares({
      connections: this.#connections,
      queue: this.#queue,
      maxPerCaller,
      // Slow reads may hold fewer connections than a caller's share, so that the caller's other statements can run too.
      maxSlow: () => Math.max(1, Math.min(maxPerCaller, maxConnections - this.#slots.writes) - 1),
      statementMs: options.callerStatementMs,
      onCapacity: () => this.#serveWaiters(),
      onOldestUncancelled: (ms) => this.#slots.onOldestLoan(ms),
    })
    this.#slots = new UncancellableSemaphore({
      maxWrites: maxConnections - Math.min(1, spare),
      maxCallerWrites: maxConnections - spare,
      maxPerCaller,
      maxQueue: options.maxQueue,
      timeoutMs: options.acquireTimeoutMs,
      refuse: (waiter, reason) => waiter.reject(reason === "overdue" ? this.#acquireTimedOut() : queueFull()),
    })
    this.#watchdog = new PostgresWatchdog({
      config: options.connection.config,
      connections: this.#connections,
      statementTimeoutMs: options.statementTimeoutMs,
      tickMs: options.watchdogTickMs,
      onSilence: (error) => this.#onSilence(error),
    })
  }

  /** Checks out a connection: synchronously if an idle one may be used, otherwise when it is the borrower's turn. */
  acquire(loan: Loan): PostgresConnection | Promise<PostgresConnection> {
    if (this.#closing) return Promise.reject(poolClosed())
    const since = performance.now()
    if (this.#slots.tryAcquire(loan)) return this.#acquire(loan, since)
    return this.#slots.acquire(loan, since).then(() => this.#acquire(loan, since))
  }

  /** Puts a checked-out connection back into the pool. */
  release(connection: PostgresConnection): void {
    const { cancellation } = connection
    if (cancellation) return void cancellation.over.then(() => this.#releaseCancelled(connection))
    const { loan } = connection
    connection.endLoan()
    this.#reuseOrDrop(connection)
    if (loan) this.#slots.release(loan)
  }

  // Called only after the server has received the cancel request, because a late cancel request would cancel the next
  // borrower's statement.
  #releaseCancelled(connection: PostgresConnection): void {
    const { loan } = connection
    connection.endLoan()
    if (connection.hasIgnoredCancel) this.#watchdog.terminateSessions([connection])
    if (connection.loss) this.#drop(connection)
    else this.#checkLiveness(connection)
    if (loan) this.#slots.release(loan)
  }

  #reuseOrDrop(connection: PostgresConnection): void {
    if (connection.loss) this.#drop(connection)
    else if (!connection.isKnownAlive) this.#checkLiveness(connection)
    else if (connection.isInTransaction) this.#drop(connection)
    else if (connection.hasTooManyPrepared) this.#retire(connection)
    else this.#offer(connection)
  }

  /** Closes the pool. Borrowers that already wait for a connection still get one. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#finishClosing = resolve
    })
    for (const connection of this.#idle.splice(0)) this.#retire(connection)
    this.#serveOrFinishClosing()
    return this.#closing
  }

  #acquire(loan: Loan, since: number): PostgresConnection | Promise<PostgresConnection> {
    const connection = this.#shares.isWithinShare(loan) ? this.#takeTrusted(loan) : undefined
    if (connection === undefined) return this.#wait(loan, since)
    this.#lend(connection, loan)
    return connection
  }

  #wait({ borrower, purpose, text, isSlow, callerMs }: Loan, since: number): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ borrower, purpose, text, isSlow, callerMs, since, resolve, reject })
      this.#serveWaiters()
      this.#shares.start()
    })
  }

  #lend(connection: PostgresConnection, loan: Loan): void {
    connection.beginLoan(loan)
    this.#shares.start()
  }

  // Takes a recently used idle connection, if possible one that already has the borrower's lock timeout. If no
  // connection has it, `findLastIndex` returns -1, and `splice` takes the last connection.
  #takeTrusted({ borrower }: Pick<Loan, "borrower">): PostgresConnection | undefined {
    const trustedSince = performance.now() - TRUSTED_IDLE_MS
    const last = this.#idle.at(-1)
    if (last === undefined || last.idleSince < trustedSince) return undefined
    if (last.hasCallerLockTimeout === borrower.isLimited) return this.#idle.pop()
    const fits = ({ idleSince, hasCallerLockTimeout }: PostgresConnection) =>
      idleSince >= trustedSince && hasCallerLockTimeout === borrower.isLimited
    return this.#idle.splice(this.#idle.findLastIndex(fits), 1)[0]
  }

  get #size(): number {
    return this.#connections.size + this.#opening
  }

  /** The number of connections that will become available soon, because they are being opened or checked. */
  get #expectedCount(): number {
    return this.#opening + this.#checking
  }

  #serveWaiters(): void {
    for (let missing = this.#shares.countServable() - this.#expectedCount; missing > 0; missing--) {
      const connection = this.#idle.pop()
      if (connection && performance.now() - connection.idleSince <= TRUSTED_IDLE_MS) this.#offer(connection)
      else if (connection) this.#checkLiveness(connection)
      else if (this.#size < this.#options.maxConnections) this.#open()
      else return
    }
  }

  #open(): void {
    this.#opening++
    const startedAt = performance.now()
    const settings = { ...this.#options.connection, onLost: (lost: PostgresConnection) => this.#onLost(lost) }
    openConnection(settings).then(
      (connection) => this.#onOpened(connection),
      (error) => this.#onOpenFailed(error, startedAt),
    )
  }

  #onOpened(connection: PostgresConnection): void {
    this.#opening--
    this.#connections.add(connection)
    this.#watchdog.start()
    this.#reuseOrDrop(connection)
  }

  // Gives the error only to a borrower that was waiting when the attempt began. For later borrowers, a new attempt may
  // succeed.
  #onOpenFailed(error: Error, startedAt: number): void {
    this.#opening--
    const { first } = this.#queue
    if (first && first.since <= startedAt) {
      this.#queue.remove(first)
      this.#refuse(first, error)
    } else this.#options.onError(error)
    this.#serveOrFinishClosing()
  }

  #checkLiveness(connection: PostgresConnection): void {
    this.#checking++
    void connection.checkLiveness().then((proof) => {
      this.#checking--
      if (proof === "alive") return this.#reuseOrDrop(connection)
      if (proof === "silent") this.#dropSilent([connection, ...this.#idle.splice(0)])
      else this.#drop(connection)
    })
  }

  #offer(connection: PostgresConnection): void {
    const waiter = this.#shares.next()
    if (waiter) {
      this.#lend(connection, waiter)
      waiter.resolve(connection)
    } else if (this.#closing) this.#retire(connection)
    else this.#keepIdle(connection)
  }

  #keepIdle(connection: PostgresConnection): void {
    connection.idleSince = performance.now()
    this.#idle.push(connection)
    this.#watchIdle()
  }

  #retire(connection: PostgresConnection): void {
    void connection.close().then(() => this.#drop(connection))
  }

  #onLost(connection: PostgresConnection): void {
    const at = this.#idle.indexOf(connection)
    if (at === -1) return
    this.#idle.splice(at, 1)
    this.#drop(connection)
    if (connection.loss) this.#options.onError(connection.loss)
  }

  #onSilence(error: Error): void {
    this.#dropSilent(this.#idle.splice(0))
    this.#options.onError(error)
  }

  // Closes connections on which the server is silent. If one connection is silent, the idle ones probably are too, and
  // checking each idle connection would take seconds.
  #dropSilent(connections: readonly PostgresConnection[]): void {
    this.#watchdog.terminateSessions(connections)
    for (const connection of connections) this.#drop(connection)
  }

  #drop(connection: PostgresConnection): void {
    this.#connections.delete(connection)
    connection.destroy()
    this.#serveOrFinishClosing()
  }

  #serveOrFinishClosing(): void {
    this.#serveWaiters()
    if (!this.#closing || this.#size > 0 || this.#queue.length > 0 || this.#slots.waiting > 0) return
    this.#watchdog.stop()
    this.#shares.stop()
    this.#finishClosing?.()
  }

  #refuse(waiter: ConnectionWaiter, error: Error): void {
    this.#slots.release(waiter)
    waiter.reject(error)
    this.#serveOrFinishClosing()
  }

  #acquireTimedOut(): Error {
    return poolBusy(`${this.#timeoutReason} within ${this.#options.acquireTimeoutMs} ms.`)
  }

  // Without any open connection, the reason for the timeout is the server and not the load.
  get #timeoutReason(): string {
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

function queueFull(): Error {
  return poolBusy("Too many requests are waiting for a database connection.")
}
