import { createRequire } from "node:module"
import type * as kysely from "kysely"
import type { Connection, QueryResult, Transaction } from "../../ports/database.ts"

const handles = new WeakMap<Connection, kysely.Kysely<unknown>>()

/** The tables that are called otherwise in queries than in the database. */
export type TableNames = ReadonlyMap<string, string>

/** The query builder on one of our connections: the pool, or the transaction that is open. */
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

/** Loads the package, once somebody needs it; its CommonJS build loads in half the time. */
export function loadKysely(): typeof kysely {
  return require("kysely")
}

/** Runs what Kysely wants on the connection it was made for, which others use as well and which stays open. */
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

  /** The connection is not Kysely's to close; whoever asks next gets a fresh handle on it. */
  destroy(): Promise<void> {
    handles.delete(this.#connection)
    return Promise.resolve()
  }
}

const ROLL_BACK = Symbol("roll back")

interface OpenTransaction {
  /** Ends the work that our transaction runs: undefined commits, anything else rolls back. */
  finish(failure?: unknown): void
  readonly over: Promise<void>
}

/** What Kysely takes for a connection. Its transactions begin and end by calls, ours are a function that runs. */
class QuerySession implements kysely.DatabaseConnection {
  #connection: Connection
  #open: OpenTransaction | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async executeQuery<Row>({ sql, parameters }: kysely.CompiledQuery): Promise<kysely.QueryResult<Row>> {
    const result = await this.#connection.query({ text: sql, values: parameters, isOfAuthor: true })
    // The row has the columns that the query names, which is what Kysely's types say.
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

  // Kysely takes a transaction that could not begin for one that is not open.
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

  /** After a commit that failed there is nothing left to roll back. */
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
      // Before it has begun nobody waits for its end; later `commit` and `rollBack` do.
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
