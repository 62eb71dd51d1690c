import type { Statement } from "../../ports/database.ts"

// Each name costs memory on every server connection, so a text earns one only by being used again.
const NAMED_FROM_USE = 3
const MAX_TEXTS = 1_000

/** What `pg` has to know about a statement besides its values. */
export interface StatementShape {
  readonly text: string
  /** The name of the prepared statement; undefined for one that is parsed anew each time. */
  readonly name: string | undefined
  readonly rowMode: "array"
  readonly queryMode: "simple" | "extended"
  /** Whether somebody waits for the commit of such a statement. */
  readonly isWatched: boolean
  /** Whether it changes how long statements may take. */
  readonly setsLimit: boolean
  /** Whether it does nothing but read, as far as its text tells: a function that it calls may do more. */
  readonly isRead: boolean
}

const READS = /^\s*(?:select|with|values|table|show)\b/i
const WRITES = /\b(?:insert|update|delete|merge|into|nextval|setval|pg_advisory\w*|set_config)\b/i
const QUOTED_NAMES = /"(?:[^"]|"")*"/g

interface ShapeSettings {
  readonly preparedStatements: boolean
  /** A statement is watched whose text holds this. */
  readonly watchedText: string | undefined
}

interface Usage {
  count: number
  shape: StatementShape
}

/**
 * Remembers the shapes of the SQL texts in use and gives them names.
 * Texts move from a young generation into an old one when the young is full; what is not used meanwhile is forgotten.
 */
export class StatementShapes {
  #young = new Map<string, Usage>()
  #old = new Map<string, Usage>()
  readonly #settings: ShapeSettings
  #names = 0

  constructor(settings: ShapeSettings) {
    this.#settings = settings
  }

  /** Counts one use of the statement. */
  shapeOf(statement: Statement): StatementShape {
    const usage = this.#touch(statement)
    usage.count++
    if (usage.count === NAMED_FROM_USE) this.#name(usage)
    return usage.shape
  }

  /** Gives a new name in place of one whose plan no longer fits. Callers that failed together get the same one. */
  rename(shape: StatementShape): void {
    const usage = this.#young.get(shape.text) ?? this.#old.get(shape.text)
    if (usage?.shape === shape) this.#name(usage)
  }

  // One look-up for a text in steady use: texts are long, and hashing them is what costs.
  #touch(statement: Statement): Usage {
    const known = this.#young.get(statement.text)
    if (known) return known
    const usage = this.#old.get(statement.text) ?? { count: 0, shape: this.#unnamedShape(statement) }
    this.#young.set(statement.text, usage)
    if (this.#young.size >= MAX_TEXTS) this.#growOld()
    return usage
  }

  #growOld(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  #name(usage: Usage): void {
    if (usage.shape.queryMode === "simple" || !this.#settings.preparedStatements) return
    this.#names++
    usage.shape = Object.freeze({ ...usage.shape, name: `kit_${this.#names.toString(36)}` })
  }

  // A text that may hold several statements cannot be prepared, and goes the simple way as a whole.
  #unnamedShape({ text, values }: Statement): StatementShape {
    const { watchedText } = this.#settings
    const isScript = values.length === 0 && text.includes(";")
    const queryMode = isScript ? "simple" : "extended"
    const isWatched = watchedText !== undefined && text.includes(watchedText)
    const setsLimit = text.includes("statement_timeout")
    const isRead = READS.test(text) && !WRITES.test(text.replace(QUOTED_NAMES, ""))
    return Object.freeze({ text, name: undefined, rowMode: "array", queryMode, isWatched, setsLimit, isRead })
  }
}
