import type { Database, DatabaseError, Statement } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { readDatabase } from "../migrate/found-database.ts"
import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"
import { readStoredSchema } from "../migrate/stored-schema.ts"
import { OutageError } from "./outage.ts"
import { findMisfits, type Misfit } from "./schema-fit.ts"

interface SchemaWatchDependencies {
  /** The pool itself, without `watchDatabase`: a failed check must not start another check. */
  readonly database: Database
  readonly schema: AppSchema
  readonly logger: Logger
}

// Each check is one small statement, and there is none while no requests come in.
const LOOK_INTERVAL_MS = 1_000
// The author's own statements may fail constantly for other reasons, so they lead to a full comparison only this often.
const EXAMINE_INTERVAL_MS = 5_000

/**
 * Detects when a newer version of the app has changed the tables so that this process can no longer use them. It checks
 * when a statement fails with an error that a changed table explains, on a readiness check, and periodically during
 * requests.
 */
export class SchemaWatch {
  readonly #dependencies: SchemaWatchDependencies
  #misfits: readonly Misfit[] = []
  #unusable: ReadonlySet<string> = new Set()
  #marker: string | undefined
  #lookedAt = performance.now()
  #looking: Promise<void> | undefined
  #examining: Promise<void> | undefined
  /** The last time that a failed statement led to a comparison of the tables. */
  #suspectedAt = Number.NEGATIVE_INFINITY

  constructor(parts: SchemaWatchDependencies) {
    this.#dependencies = parts
  }

  get isFit(): boolean {
    return this.#misfits.length === 0
  }

  /** Runs a check and throws if the tables do not fit the schema. */
  async check(): Promise<void> {
    await this.look()
    if (!this.isFit) throw schemaChanged()
  }

  /** Rejects an operation on a changed table, because it might return wrong values. */
  require({ table, working }: Resource): void {
    if (this.#unusable.size === 0) return
    if (this.#unusable.has(table) || (working && this.#unusable.has(working.table))) throw schemaChanged()
  }

  /** Starts a check in the background, unless the last one was less than a second ago. */
  lookNowAndThen(): void {
    if (performance.now() - this.#lookedAt < LOOK_INTERVAL_MS) return
    // If the database does not answer, the requests themselves fail.
    this.look().catch(() => undefined)
  }

  /** Accepts the current tables as fitting the schema, because this process has just brought them to it. */
  async trust(): Promise<void> {
    this.#marker = await this.#readMarker()
  }

  /** Checks whether the stored schema has changed and, if so, compares the tables with the schema. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Returns the error of a statement, or an outage error if changed tables are its cause. */
  async explain(error: unknown): Promise<unknown> {
    if (!mayBeMisfit(error)) return error
    try {
      await this.look()
      // A table may have been changed by hand, which leaves the stored schema unchanged.
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
    this.#update(await this.#findMisfits())
  }

  async #readMarker(): Promise<string> {
    try {
      const { rows } = await this.#dependencies.database.query(READ_MARKER)
      return String(rows[0]?.[0] ?? "")
    } catch (error) {
      if (codeOf(error) === UNDEFINED_TABLE) return ""
      throw error
    }
  }

  #findMisfits(): Promise<readonly Misfit[]> {
    const { database, schema } = this.#dependencies
    // Both reads share one snapshot, so that no migration can commit in between.
    return database.transaction(async (connection) => {
      await connection.query({ text: "set transaction isolation level repeatable read, read only", values: [] })
      // A stored schema that only another version of kit can read is ignored. The tables are compared anyway.
      const stored = await readStoredSchema(connection).catch(ignoreMismatch)
      return findMisfits(schema, { found: await readDatabase(connection), stored: stored?.snapshot })
    })
  }

  #update(misfits: readonly Misfit[]): void {
    const { logger, schema } = this.#dependencies
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

// Every store of the schema rewrites this row, so its xmin changes. The semicolon makes it a script, which is sent as
// one message; tests recognize it by its text.
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

// Errors of a driver have a code; other errors have none.
function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Partial<DatabaseError>).code : undefined
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof SchemaMismatchError)) throw error
}

// A write to either of two linked tables may also write their link table.
function unusableTables({ links }: AppSchema, misfits: readonly Misfit[]): ReadonlySet<string> {
  const names = new Set(misfits.map(({ table }) => table))
  const joined = links.filter(({ name }) => names.has(name))
  return new Set([...names, ...joined.flatMap(({ columns }) => columns.map(({ target }) => target.table))])
}

/** The message names no table, because not every caller may know of it. */
function schemaChanged(cause?: unknown): OutageError {
  const message =
    "A newer version of the app has changed the database, which this process cannot use any more. Try again in a moment."
  return new OutageError({ reason: "schema", message, cause })
}
