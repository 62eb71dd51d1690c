import type {
  Caller,
  CallerConnection,
  Connection,
  Database,
  QueryResult,
  Statement,
  Transaction,
} from "../../ports/database.ts"

/** Finds the reason for an error of the database, where it is one of this process or its server as a whole. */
export type ExplainFailure = (error: unknown) => Promise<unknown>

/** A database whose errors are explained before anybody sees them. */
export function watchDatabase(database: Database, explain: ExplainFailure): Database {
  const fail = async (error: unknown): Promise<never> => {
    throw await explain(error)
  }
  return new WatchedDatabase(database, fail)
}

type Fail = (error: unknown) => Promise<never>

// Classes rather than literals full of functions: a connection is made for every request.
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

  // Not the statements in it: whoever explains one may need the connection that the transaction has.
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

  // The same one each time: services of a request are made for each connection.
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
