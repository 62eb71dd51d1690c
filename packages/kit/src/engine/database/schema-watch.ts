import type { Database, DatabaseError, Statement } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { readCatalog } from "../migrate/database-catalog.ts"
import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"
import { readStoredSchema } from "../migrate/stored-schema.ts"
import { OutageError } from "./outage.ts"
import { findIncompatibleChanges, type IncompatibleChange } from "./schema-compatibility.ts"

interface SchemaWatchDependencies {
  /** The pool itself, without `watchDatabase`: a failed check must not start another check. */
  readonly database: Database
  readonly schema: AppSchema
  readonly logger: Logger
}

// Each check is one small statement, and there is none while no requests come in.
const REFRESH_INTERVAL_MS = 1_000
// The author's own statements may fail constantly for other reasons, so they lead to a full comparison only this often.
const COMPARE_INTERVAL_MS = 5_000

/**
 * Detects when a newer version of the app has changed the tables so that this process can no longer use them. It checks
 * when a statement fails with an error that a changed table explains, on a readiness check, and periodically during
 * requests.
 */
export class SchemaWatch {
  readonly #dependencies: SchemaWatchDependencies
  #incompatibleChanges: readonly IncompatibleChange[] = []
  #unusable: ReadonlySet<string> = new Set()
  #marker: string | undefined
  #refreshedAt = performance.now()
  #refreshing: Promise<void> | undefined
  #comparing: Promise<void> | undefined
  /** The last time that a failed statement led to a comparison of the tables. */
  #comparedAfterErrorAt = Number.NEGATIVE_INFINITY

  constructor(parts: SchemaWatchDependencies) {
    this.#dependencies = parts
  }

  get isCompatible(): boolean {
    return this.#incompatibleChanges.length === 0
  }

  /** Runs a check and throws if the tables do not fit the schema. */
  async check(): Promise<void> {
    await this.refresh()
    if (!this.isCompatible) throw schemaChanged()
  }

  /** Rejects an operation on a changed table, because it might return wrong values. */
  requireUsable({ table, working }: Resource): void {
    if (this.#unusable.size === 0) return
    if (this.#unusable.has(table) || (working && this.#unusable.has(working.table))) throw schemaChanged()
  }

  /** Starts a check in the background, unless the last one was less than a second ago. */
  refreshIfStale(): void {
    if (performance.now() - this.#refreshedAt < REFRESH_INTERVAL_MS) return
    // If the database does not answer, the requests themselves fail.
    this.refresh().catch(() => undefined)
  }

  /** Accepts the current tables as fitting the schema, because this process has just brought them to it. */
  async acceptCurrent(): Promise<void> {
    this.#marker = await this.#readMarker()
  }

  /** Checks whether the stored schema has changed and, if so, compares the tables with the schema. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Returns the error of a statement, or an outage error if changed tables are its cause. */
  async explain(error: unknown): Promise<unknown> {
    if (!mayBeIncompatible(error)) return error
    try {
      await this.refresh()
      // A table may have been changed by hand, which leaves the stored schema unchanged.
      if (this.isCompatible) await this.#compareIfDue()
    } catch {
      return error
    }
    return this.isCompatible ? error : schemaChanged(error)
  }

  async #compareIfDue(): Promise<void> {
    if (this.#comparing === undefined && performance.now() - this.#comparedAfterErrorAt < COMPARE_INTERVAL_MS) return
    this.#comparedAfterErrorAt = performance.now()
    await this.#compare()
  }

  async #refreshOnce(): Promise<void> {
    this.#refreshedAt = performance.now()
    const marker = await this.#readMarker()
    if (marker === this.#marker && this.isCompatible) return
    await this.#compare()
    this.#marker = marker
  }

  #compare(): Promise<void> {
    this.#comparing ??= this.#compareOnce().finally(() => {
      this.#comparing = undefined
    })
    return this.#comparing
  }

  async #compareOnce(): Promise<void> {
    this.#update(await this.#findIncompatibleChanges())
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

  #findIncompatibleChanges(): Promise<readonly IncompatibleChange[]> {
    const { database, schema } = this.#dependencies
    // Both reads share one snapshot, so that no migration can commit in between.
    return database.transaction(async (connection) => {
      await connection.query({ text: "set transaction isolation level repeatable read, read only", values: [] })
      // A stored schema that only another version of kit can read is ignored. The tables are compared anyway.
      const stored = await readStoredSchema(connection).catch(ignoreMismatch)
      return findIncompatibleChanges(schema, { found: await readCatalog(connection), stored: stored?.snapshot })
    })
  }

  #update(misfits: readonly IncompatibleChange[]): void {
    const { logger, schema } = this.#dependencies
    const wasFit = this.isCompatible
    const changes = misfits.map(({ description }) => description)
    const isNews = changes.join() !== this.#incompatibleChanges.map(({ description }) => description).join()
    this.#incompatibleChanges = misfits
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

const SCHEMA_ERROR_CODES: ReadonlySet<unknown> = new Set([
  UNDEFINED_TABLE,
  UNDEFINED_COLUMN,
  UNDEFINED_OPERATOR,
  DATATYPE_MISMATCH,
  INVALID_TEXT,
  NOT_NULL_VIOLATION,
])

function mayBeIncompatible(error: unknown): boolean {
  return SCHEMA_ERROR_CODES.has(codeOf(error))
}

// Errors of a driver have a code; other errors have none.
function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Partial<DatabaseError>).code : undefined
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof SchemaMismatchError)) throw error
}

// A write to either of two linked tables may also write their link table.
function unusableTables({ links }: AppSchema, misfits: readonly IncompatibleChange[]): ReadonlySet<string> {
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
