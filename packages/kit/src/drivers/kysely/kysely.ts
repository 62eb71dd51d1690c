import { createRequire } from "node:module"
import type * as kysely from "kysely"
import type { Connection, QueryResult, Transaction } from "../../ports/database.ts"

const handles = new WeakMap<Connection, kysely.Kysely<unknown>>()

/** Maps the table names used in queries to the names in the database, where the two differ. */
export type TableNames = ReadonlyMap<string, string>

/** Returns the Kysely query builder for a connection, which is the pool or an open transaction. */
export function kyselyOn(connection: Connection, names: TableNames): kysely.Kysely<unknown> {
  const handle = handles.get(connection) ?? openHandle(connection, names)
  handles.set(connection, handle)
  return handle
}

function openHandle(connection: Connection, names: TableNames): kysely.Kysely<unknown> {
  const { Kysely, PostgresAdapter, PostgresIntrospector } = loadKysely()
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ConnectionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => createCompiler(names),
    },
  })
}

function createCompiler(names: TableNames): kysely.QueryCompiler {
  const { PostgresQueryCompiler, SchemableIdentifierNode } = loadKysely()
  class NamingCompiler extends PostgresQueryCompiler {
    protected override visitSchemableIdentifier(node: kysely.SchemableIdentifierNode): void {
      const name = node.schema ? undefined : names.get(node.identifier.name)
      super.visitSchemableIdentifier(name === undefined ? node : SchemableIdentifierNode.create(name))
    }
  }
  return new NamingCompiler()
}

const require = createRequire(import.meta.url)

/** Loads Kysely on demand. Its CommonJS build loads in half the time of its ES modules. */
export function loadKysely(): typeof kysely {
  return require("kysely")
}

/** Runs Kysely's queries on a connection that other code shares. The connection stays open when Kysely is closed. */
class ConnectionDriver implements kysely.Driver {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<QuerySession> {
    return Promise.resolve(new QuerySession(this.#connection))
  }

  async beginTransaction(session: QuerySession, settings: kysely.TransactionSettings): Promise<void> {
    await session.begin(settings)
  }

  async commitTransaction(session: QuerySession): Promise<void> {
    await session.commit()
  }

  async rollbackTransaction(session: QuerySession): Promise<void> {
    await session.rollBack()
  }

  async releaseConnection(): Promise<void> {}

  /**
   * Forgets the query builder but leaves the connection open, because Kysely does not own it. The next `kyselyOn`
   * creates a new query builder.
   */
  destroy(): Promise<void> {
    handles.delete(this.#connection)
    return Promise.resolve()
  }
}

const ROLL_BACK = Symbol("roll back")

interface OpenTransaction {
  /** Ends the transaction. It commits if `failure` is undefined, and otherwise rolls back. */
  finish(failure?: unknown): void
  readonly over: Promise<void>
}

/**
 * Adapts a connection to Kysely, which begins and ends a transaction with separate calls. The connection's own
 * `transaction` takes a function instead.
 */
class QuerySession implements kysely.DatabaseConnection {
  #connection: Connection
  #open: OpenTransaction | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async executeQuery<Row>({ sql, parameters }: kysely.CompiledQuery): Promise<kysely.QueryResult<Row>> {
    const result = await this.#connection.query({ text: sql, values: parameters, isWrittenByAuthor: true })
    // The cast is safe: the rows have the columns that the query selects, from which Kysely inferred the row type.
    return { rows: namedRows(result) as Row[], numAffectedRows: BigInt(result.rowCount) }
  }

  streamQuery<Row>(): AsyncIterableIterator<kysely.QueryResult<Row>> {
    throw new Error("db cannot stream rows. Read them in pages, with limit and a condition on the last id.")
  }

  async begin({ isolationLevel, accessMode }: kysely.TransactionSettings): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    this.#connection = await this.#enter()
    if (modes.length > 0) await this.#setModes(modes.join(", "))
  }

  // Rolls back if the modes cannot be set, because Kysely does not roll back a transaction whose `begin` failed.
  async #setModes(modes: string): Promise<void> {
    try {
      await this.#connection.query({ text: `set transaction ${modes}`, values: [] })
    } catch (error) {
      await this.rollBack()
      throw error
    }
  }

  async commit(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    open?.finish()
    await open?.over
  }

  /** Rolls back the open transaction. Does nothing after a failed commit, because no transaction is open then. */
  async rollBack(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    open?.finish(ROLL_BACK)
    await open?.over.catch((error: unknown) => {
      if (error !== ROLL_BACK) throw error
    })
  }

  #enter(): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      const over = this.#connection.transaction((transaction) => {
        const ended = new Promise<void>((commit, rollBack) => {
          this.#open = { finish: (failure) => (failure === undefined ? commit() : rollBack(failure)), over }
        })
        resolve(transaction)
        return ended
      })
      // Rejects if the transaction cannot begin. Later errors are handled in `commit` and `rollBack`.
      over.catch(reject)
    })
  }
}

function namedRows({ rows, columns }: QueryResult): Record<string, unknown>[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) row[columns[index] ?? ""] = values[index]
    return row
  })
}
