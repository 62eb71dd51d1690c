import type { Database, QueryResult, Statement } from "../ports/database.ts"
import type { PostgresConnection } from "./postgres-connection.ts"
import { toError } from "./postgres-errors.ts"
import { PostgresPool } from "./postgres-pool.ts"
import { type CommitListener, runTransaction, type Work } from "./postgres-transaction.ts"
import { valueTypes } from "./postgres-values.ts"
import { StatementShapes } from "./statement-shapes.ts"

export interface PostgresOptions {
  readonly url: string
  /** 10 unless set. */
  readonly maxConnections?: number
  /** Requests that may wait while every connection is busy; the next is refused with `POOL_BUSY`. 500 unless set. */
  readonly maxQueue?: number
  /** How long a request waits before it is refused with `POOL_BUSY`. 5 s unless set. */
  readonly acquireTimeoutMs?: number
  /** 5 s unless set. */
  readonly connectTimeoutMs?: number
  /** After this the server cancels a statement. 30 s unless set. */
  readonly statementTimeoutMs?: number
  /** How often statements without an answer are looked at; see `PostgresWatchdog`. 1 s unless set. */
  readonly watchdogTickMs?: number
  /** After this an unused connection is closed. 30 s unless set. */
  readonly idleTimeoutMs?: number
  /** On unless set; turn them off behind a pooler that lends a connection per transaction. */
  readonly preparedStatements?: boolean
  /** Hears of what no caller can be told: an idle connection was lost, a commit listener threw. */
  readonly onError?: (error: Error) => void
  /** Hears of the end of each transaction, or of a statement that is one, in which some text held `text`. */
  readonly watch?: Watch | undefined
}

interface Watch {
  readonly text: string
  onCommit(): void
}

const DEFAULTS = {
  maxConnections: 10,
  maxQueue: 500,
  acquireTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  watchdogTickMs: 1_000,
  idleTimeoutMs: 30_000,
  preparedStatements: true,
  onError: () => {},
  watch: undefined,
} as const satisfies Omit<Required<PostgresOptions>, "url">

// Our parsers read the dates that such a session prints.
const SESSION_OPTIONS = "-c TimeZone=UTC -c DateStyle=ISO"
// With the ten probes that follow one second apart, a peer that vanished is noticed within fifteen seconds.
const KEEP_ALIVE_MS = 5_000

/** Opens nothing yet: the first statement does. */
export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase({ ...DEFAULTS, ...options })
}

class PostgresDatabase implements Database {
  readonly #pool: PostgresPool
  readonly #turnTimeoutMs: number
  readonly #onError: (error: Error) => void
  readonly #watch: Watch | undefined

  constructor(options: Required<PostgresOptions>) {
    this.#pool = createPool(options)
    this.#turnTimeoutMs = options.statementTimeoutMs || DEFAULTS.statementTimeoutMs
    this.#onError = options.onError
    this.#watch = options.watch
  }

  async query(statement: Statement): Promise<QueryResult> {
    const connection = await this.#pool.acquire()
    try {
      return await connection.run(statement)
    } catch (error) {
      if (!connection.mayRepeat) throw error
    } finally {
      this.#giveBack(connection)
    }
    return this.#repeat(statement)
  }

  async transaction<Result>(work: Work<Result>): Promise<Result> {
    const { result, listeners } = await this.#commit(work)
    for (const listener of listeners) this.#tell(listener)
    return result
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #repeat(statement: Statement): Promise<QueryResult> {
    const connection = await this.#pool.acquire()
    try {
      return await connection.run(statement)
    } finally {
      this.#giveBack(connection)
    }
  }

  async #commit<Result>(work: Work<Result>) {
    const connection = await this.#pool.acquire()
    try {
      return await runTransaction({ connection, turnTimeoutMs: this.#turnTimeoutMs }, work)
    } finally {
      this.#giveBack(connection)
    }
  }

  // What failed may have been done all the same, and to look in vain costs little.
  #giveBack(connection: PostgresConnection): void {
    const isAwaited = connection.takeWatched()
    this.#pool.giveBack(connection)
    if (isAwaited && this.#watch) this.#tell(this.#watch.onCommit)
  }

  // An async function is a listener too as far as types go, so its promise must not be left alone.
  #tell(listener: CommitListener): void {
    try {
      const outcome: unknown = listener()
      if (outcome instanceof Promise) outcome.catch((error) => this.#onError(toError(error)))
    } catch (error) {
      this.#onError(toError(error))
    }
  }
}

function createPool(options: Required<PostgresOptions>): PostgresPool {
  const config = {
    connectionString: withSessionOptions(options.url),
    statement_timeout: options.statementTimeoutMs,
    fallback_application_name: "kit",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
    types: valueTypes,
  }
  const shapes = new StatementShapes({ ...options, watchedText: options.watch?.text })
  const { connectTimeoutMs, preparedStatements } = options
  return new PostgresPool({
    ...options,
    connection: { config, shapes, connectTimeoutMs, isSessionOurs: preparedStatements },
  })
}

// `pg` lets the URL win over its settings, so ours join the ones in the URL, and come last because the last one counts.
function withSessionOptions(url: string): string {
  const [address, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const given = parameters.get("options")
  parameters.set("options", given ? `${given} ${SESSION_OPTIONS}` : SESSION_OPTIONS)
  return `${address}?${parameters}`
}
