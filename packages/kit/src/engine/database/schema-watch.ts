import type { Database, DatabaseError, Statement } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { readDatabase } from "../migrate/found-database.ts"
import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"
import { readStoredSchema } from "../migrate/stored-schema.ts"
import { OutageError } from "./outage.ts"
import { findMisfits, type Misfit } from "./schema-fit.ts"

interface WatchedSchema {
  /** The pool itself: a look must not lead to another. */
  readonly database: Database
  readonly schema: AppSchema
  readonly logger: Logger
}

// One small statement, and none while nobody sends requests.
const LOOK_INTERVAL_MS = 1_000
// Statements of the author's may fail all the time, for reasons of their own.
const EXAMINE_INTERVAL_MS = 5_000

/**
 * Notices when a newer version of the app has changed the tables so that this process can no longer use them. It looks when
 * a statement fails in a way that such a change explains, when readiness is asked for, and now and then under requests.
 */
export class SchemaWatch {
  readonly #parts: WatchedSchema
  #misfits: readonly Misfit[] = []
  #unusable: ReadonlySet<string> = new Set()
  #marker: string | undefined
  #lookedAt = performance.now()
  #looking: Promise<void> | undefined
  #examining: Promise<void> | undefined
  /** When a failed statement has led to a look at the tables last. */
  #suspectedAt = Number.NEGATIVE_INFINITY

  constructor(parts: WatchedSchema) {
    this.#parts = parts
  }

  get isFit(): boolean {
    return this.#misfits.length === 0
  }

  /** Looks, and throws where the tables do not fit. */
  async check(): Promise<void> {
    await this.look()
    if (!this.isFit) throw schemaChanged()
  }

  /** Refuses an operation on a table that was changed: it might read other values than it says. */
  require({ table, working }: Resource): void {
    if (this.#unusable.size === 0) return
    if (this.#unusable.has(table) || (working && this.#unusable.has(working.table))) throw schemaChanged()
  }

  /** Looks in the background, unless somebody has just looked. */
  lookNowAndThen(): void {
    if (performance.now() - this.#lookedAt < LOOK_INTERVAL_MS) return
    // A database that does not answer fails the requests themselves.
    this.look().catch(() => undefined)
  }

  /** Takes the tables as they are for those of the schema: this process has just made them so. */
  async trust(): Promise<void> {
    this.#marker = await this.#readMarker()
  }

  /** Brings what is known up to date. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** The error of a statement, or the reason for it where the tables have changed. */
  async explain(error: unknown): Promise<unknown> {
    if (!mayBeMisfit(error)) return error
    try {
      await this.look()
      // Somebody may have changed a table by hand, which no record tells of.
      if (this.isFit) await this.#examineNowAndThen()
    } catch {
      return error
    }
    return this.isFit ? error : schemaChanged(error)
  }

  async #examineNowAndThen(): Promise<void> {
    if (this.#examining === undefined && performance.now() - this.#suspectedAt < EXAMINE_INTERVAL_MS) return
    this.#suspectedAt = performance.now()
    await this.#examine()
  }

  async #lookOnce(): Promise<void> {
    this.#lookedAt = performance.now()
    const marker = await this.#readMarker()
    if (marker === this.#marker && this.isFit) return
    await this.#examine()
    this.#marker = marker
  }

  #examine(): Promise<void> {
    this.#examining ??= this.#examineOnce().finally(() => {
      this.#examining = undefined
    })
    return this.#examining
  }

  async #examineOnce(): Promise<void> {
    this.#note(await this.#findMisfits())
  }

  async #readMarker(): Promise<string> {
    try {
      const { rows } = await this.#parts.database.query(READ_MARKER)
      return String(rows[0]?.[0] ?? "")
    } catch (error) {
      if (codeOf(error) === UNDEFINED_TABLE) return ""
      throw error
    }
  }

  #findMisfits(): Promise<readonly Misfit[]> {
    const { database, schema } = this.#parts
    // One snapshot: a migration must not come in between.
    return database.transaction(async (connection) => {
      await connection.query({ text: "set transaction isolation level repeatable read, read only", values: [] })
      // A record that only another version of kit can read says nothing here; the tables still do.
      const stored = await readStoredSchema(connection).catch(ignoreMismatch)
      return findMisfits(schema, { found: await readDatabase(connection), stored: stored?.snapshot })
    })
  }

  #note(misfits: readonly Misfit[]): void {
    const { logger, schema } = this.#parts
    const wasFit = this.isFit
    const changes = misfits.map(({ change }) => change)
    const isNews = changes.join() !== this.#misfits.map(({ change }) => change).join()
    this.#misfits = misfits
    this.#unusable = unusableTables(schema, misfits)
    if (changes.length > 0 && isNews) {
      logger.error(
        "A newer version of the app has changed the database: this process cannot use it any more and is not ready. " +
          "Stop it, or start it with the newer version.",
        { changes },
      )
    }
    if (changes.length === 0 && !wasFit) logger.info("The database fits this version of the app again: it is ready.")
  }
}

// Whoever stores a schema writes its row anew. As a script it is one message: tests tell it by its text.
const READ_MARKER: Statement = { text: `select xmin::text from "_kit_schema";`, values: [] }

const UNDEFINED_TABLE = "42P01"
const UNDEFINED_COLUMN = "42703"
const UNDEFINED_OPERATOR = "42883"
const DATATYPE_MISMATCH = "42804"
const INVALID_TEXT = "22P02"
const NOT_NULL_VIOLATION = "23502"

const SUSPICIOUS: ReadonlySet<unknown> = new Set([
  UNDEFINED_TABLE,
  UNDEFINED_COLUMN,
  UNDEFINED_OPERATOR,
  DATATYPE_MISMATCH,
  INVALID_TEXT,
  NOT_NULL_VIOLATION,
])

function mayBeMisfit(error: unknown): boolean {
  return SUSPICIOUS.has(codeOf(error))
}

// What a driver throws has a code; anything else has none.
function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Partial<DatabaseError>).code : undefined
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof SchemaMismatchError)) throw error
}

// What joins two tables is written with either of them.
function unusableTables({ links }: AppSchema, misfits: readonly Misfit[]): ReadonlySet<string> {
  const names = new Set(misfits.map(({ table }) => table))
  const joined = links.filter(({ name }) => names.has(name))
  return new Set([...names, ...joined.flatMap(({ columns }) => columns.map(({ target }) => target.table))])
}

/** Says no names: not everybody may know of the table. */
function schemaChanged(cause?: unknown): OutageError {
  const message =
    "A newer version of the app has changed the database, which this process cannot use any more. Try again in a moment."
  return new OutageError({ reason: "schema", message, cause })
}
