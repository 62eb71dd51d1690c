import type {
  Caller,
  CallerConnection,
  Connection,
  Database,
  QueryResult,
  Statement,
  Transaction,
} from "../../ports/database.ts"

/**
 * A function that replaces a database error by another error if the cause affects this process or the whole server. It
 * returns all other errors unchanged.
 */
type ExplainFailure = (error: unknown) => Promise<unknown>

/** Wraps a database so that every error passes through `explain` before the code that ran the statement receives it. */
export function watchDatabase(database: Database, explain: ExplainFailure): Database {
  const fail = async (error: unknown): Promise<never> => {
    throw await explain(error)
  }
  return new WatchedDatabase(database, fail)
}

type Fail = (error: unknown) => Promise<never>

class WatchedConnection implements Connection {
  readonly #connection: Connection
  readonly #fail: Fail

  constructor(connection: Connection, fail: Fail) {
    this.#connection = connection
    this.#fail = fail
  }

  query(statement: Statement): Promise<QueryResult> {
    return this.#connection.query(statement).catch(this.#fail)
  }

  // Passes only the error of the whole transaction to `explain`, not the errors of its statements, because `explain`
  // may need the connection that the transaction holds.
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#connection.transaction(work).catch(this.#fail)
  }
}

class WatchedCallerConnection extends WatchedConnection implements CallerConnection {
  readonly #connection: CallerConnection
  readonly #fail: Fail
  #withoutLimits: Connection | undefined

  constructor(connection: CallerConnection, fail: Fail) {
    super(connection, fail)
    this.#connection = connection
    this.#fail = fail
  }

  // Returns the same connection object each time, because a request's services are made once per connection object.
  get withoutLimits(): Connection {
    this.#withoutLimits ??= new WatchedConnection(this.#connection.withoutLimits, this.#fail)
    return this.#withoutLimits
  }
}

class WatchedDatabase extends WatchedConnection implements Database {
  readonly #database: Database
  readonly #fail: Fail

  constructor(database: Database, fail: Fail) {
    super(database, fail)
    this.#database = database
    this.#fail = fail
  }

  forCaller(caller: Caller): CallerConnection {
    return new WatchedCallerConnection(this.#database.forCaller(caller), this.#fail)
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}
