import type { Statement } from "../../ports/database.ts"

// A statement is prepared from this use on. Each prepared statement takes memory in every session, so only statements
// that are used repeatedly are prepared.
const PREPARED_FROM_USE = 3
const MAX_TEXTS = 1_000

/**
 * The properties of a statement that depend on its SQL and not on its values. `pg` gets this object as its query
 * config.
 */
export interface StatementShape {
  readonly text: string
  /** The name of the prepared statement, or undefined if the server parses the statement each time. */
  readonly name: string | undefined
  readonly rowMode: "array"
  readonly queryMode: "simple" | "extended"
  /** True if the callback `watch.onCommit` is called after this statement's transaction has ended. */
  readonly isWatched: boolean
  /** True if the statement changes `statement_timeout`. */
  readonly setsStatementTimeout: boolean
  /** True if the statement only reads, as far as its SQL shows. A function that the statement calls may still write. */
  readonly isRead: boolean
}

const READS = /^\s*(?:select|with|values|table|show)\b/i
const WRITES = /\b(?:insert|update|delete|merge|into|nextval|setval|pg_advisory\w*|set_config)\b/i
const QUOTED_NAMES = /"(?:[^"]|"")*"/g

interface ShapeSettings {
  readonly preparedStatements: boolean
  /** SQL of the author that contains this text counts as SQL that appends changes. */
  readonly watchedText: string | undefined
}

interface Usage {
  count: number
  shape: StatementShape
}

/**
 * Caches the shapes of the SQL texts in use, and names the prepared statements. There is a young and an old generation
 * of texts. When the young one is full, it replaces the old one, and texts that were not used since the previous
 * replacement are dropped.
 */
export class StatementShapeCache {
  #young = new Map<string, Usage>()
  #old = new Map<string, Usage>()
  readonly #settings: ShapeSettings
  #names = 0

  constructor(settings: ShapeSettings) {
    this.#settings = settings
  }

  /** Returns the shape of a statement, and counts one use of the statement. */
  shapeOf(statement: Statement): StatementShape {
    const usage = this.#touch(statement)
    usage.count++
    if (usage.count === PREPARED_FROM_USE) this.#name(usage)
    return usage.shape
  }

  /**
   * Gives a new name to a prepared statement whose plan is stale. Several failures with the same shape cause only one
   * new name.
   */
  rename(shape: StatementShape): void {
    const usage = this.#young.get(shape.text) ?? this.#old.get(shape.text)
    if (usage?.shape === shape) this.#name(usage)
  }

  // Returns the usage (count and shape) of an SQL text, and adds it if it is missing. A text in steady use is looked up
  // only once per call, because texts are long and hashing them is the main cost.
  #touch(statement: Statement): Usage {
    const known = this.#young.get(statement.text)
    if (known) return known
    const usage = this.#old.get(statement.text) ?? { count: 0, shape: this.#unnamedShape(statement) }
    this.#young.set(statement.text, usage)
    if (this.#young.size >= MAX_TEXTS) this.#rotateGenerations()
    return usage
  }

  #rotateGenerations(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  #name(usage: Usage): void {
    if (usage.shape.queryMode === "simple" || !this.#settings.preparedStatements) return
    this.#names++
    usage.shape = Object.freeze({ ...usage.shape, name: `kit_${this.#names.toString(36)}` })
  }

  // Returns a shape without a name. A text that may contain several statements cannot be prepared, so it uses the
  // simple query protocol.
  #unnamedShape(statement: Statement): StatementShape {
    const { text, values } = statement
    const isScript = values.length === 0 && text.includes(";")
    const queryMode = isScript ? "simple" : "extended"
    const setsStatementTimeout = text.includes("statement_timeout")
    const isRead = READS.test(text) && !WRITES.test(text.replace(QUOTED_NAMES, ""))
    return Object.freeze({
      text,
      name: undefined,
      rowMode: "array",
      queryMode,
      isWatched: this.#appendsChanges(statement),
      setsStatementTimeout,
      isRead,
    })
  }

  #appendsChanges({ text, appendsChanges = false, isWrittenByAuthor }: Statement): boolean {
    const { watchedText } = this.#settings
    return appendsChanges || (isWrittenByAuthor === true && watchedText !== undefined && text.includes(watchedText))
  }
}
