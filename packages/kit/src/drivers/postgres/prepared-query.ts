import pg from "pg"
import type { QueryResult } from "../../ports/database.ts"
import { executionMessages } from "./execution-messages.ts"
import type { StatementShape } from "./statement-shape-cache.ts"
import { toParameters } from "./values.ts"

type Settle = (error: Error | null, result: QueryResult) => void
type ParseText = (text: string) => unknown

interface Execution {
  readonly shape: StatementShape
  readonly values: readonly unknown[]
  readonly types: pg.CustomTypesConfig
  readonly columnCache: ColumnCache
}

declare module "pg" {
  interface Query {
    // The published types of `pg` lack these members.
    name: string | undefined
    values: unknown[]
    /** Writes the messages of the statement when its turn in the queue of `pg` has come. */
    prepare(connection: import("pg").Connection): void
    hasBeenParsed(connection: import("pg").Connection): boolean
  }
}

interface Column {
  readonly name: string
  readonly dataTypeID: number
  readonly format: string
}

/**
 * Maps each statement that one session has prepared to its result columns. They never change within a session, because
 * the server rejects a statement whose columns would change. Each session has its own cache, because another session
 * may have prepared the same SQL after the table was altered.
 */
export type ColumnCache = WeakMap<StatementShape, Columns>

interface Columns {
  readonly parsers: readonly ParseText[]
  readonly names: readonly string[]
}

const NO_COLUMNS: Columns = { parsers: [], names: [] }

/**
 * One execution of a prepared statement. `pg` sends a Describe message at every execution. This class omits it once the
 * columns are known, which saves the response, its parsing, and the lookup of a parser for each column. The remaining
 * messages are then written as one buffer.
 */
export class PreparedQuery extends pg.Query {
  readonly callback: Settle
  readonly #execution: Execution
  readonly #rows: unknown[][] = []
  #columns: Columns | undefined
  #rowCount = 0

  constructor(execution: Execution, settle: Settle) {
    super(execution.shape.text)
    this.name = execution.shape.name
    this.callback = settle
    this.#execution = execution
    this.#columns = execution.columnCache.get(execution.shape)
  }

  override prepare(connection: pg.Connection): void {
    const { shape, values } = this.#execution
    const isKnown = this.#columns !== undefined && this.hasBeenParsed(connection) && connection.stream.writable
    const messages = isKnown ? executionMessages(shape, values) : undefined
    if (messages) connection.stream.write(messages)
    else this.#prepareSeparately(connection)
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const { types } = this.#execution
    this.#cacheColumns({
      parsers: fields.map((column) => types.getTypeParser(column.dataTypeID, "text")),
      names: fields.map((column) => column.name),
    })
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { parsers } = this.#columns ?? NO_COLUMNS
    this.#rows.push(fields.map((text, index) => (text === null ? null : parsers[index]?.(text))))
  }

  handleCommandComplete({ text }: { text: string }): void {
    // The server has sent no row description, so the statement returns no columns.
    if (this.#columns === undefined) this.#cacheColumns(NO_COLUMNS)
    // The server's command tag ends with the number of rows, as in `SELECT 20` or `INSERT 0 1`.
    this.#rowCount = Number(text.slice(text.lastIndexOf(" ") + 1)) || 0
  }

  handleReadyForQuery(): void {
    const { names } = this.#columns ?? NO_COLUMNS
    this.callback(null, { rows: this.#rows, rowCount: this.#rowCount, columns: names })
  }

  #prepareSeparately(connection: pg.Connection): void {
    this.values = toParameters(this.#execution.values)
    super.prepare(this.#columns === undefined ? connection : withoutDescribe(connection))
  }

  #cacheColumns(columns: Columns): void {
    this.#columns = columns
    this.#execution.columnCache.set(this.#execution.shape, columns)
  }
}

const withoutDescribeCache = new WeakMap<pg.Connection, pg.Connection>()

// Returns an object that behaves like the connection, except that it sends no Describe message. The object is cached,
// because making it takes 1.4 µs, and each statement needs it.
function withoutDescribe(connection: pg.Connection): pg.Connection {
  const known = withoutDescribeCache.get(connection)
  if (known) return known
  const made: pg.Connection = Object.create(connection, { describe: { value: () => {} } })
  withoutDescribeCache.set(connection, made)
  return made
}
