import type { Database, DatabaseError, Statement } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { readCatalog } from "../migrate/database-catalog.ts"
import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"
import { readStoredSchema } from "../migrate/stored-schema.ts"
import { OutageError } from "./outage.ts"
import { findIncompatibleChanges, type IncompatibleChange } from "./schema-compatibility.ts"

interface SchemaWatchDependencies {
  /**
   * The connection pool itself, not wrapped by `watchDatabase`, because a failed schema check must not start another
   * schema check.
   */
  readonly database: Database
  readonly schema: AppSchema
  readonly logger: Logger
}

// The minimum time between two schema checks. Each check is one small statement, and no checks run while no requests
// come in.
const REFRESH_INTERVAL_MS = 1_000
// The minimum time between two full comparisons after failed statements. The author's own SQL may fail constantly for
// reasons other than a changed table.
const COMPARE_INTERVAL_MS = 5_000

/**
 * Detects that a newer version of the app has changed the tables so that this process can no longer use them. It checks
 * the tables when a statement fails with an error that a changed table can cause, on a readiness check, and
 * periodically while requests come in.
 */
export class SchemaWatch {
  readonly #dependencies: SchemaWatchDependencies
  #incompatibleChanges: readonly IncompatibleChange[] = []
  #unusable: ReadonlySet<string> = new Set()
  #marker: string | undefined
  #refreshedAt = performance.now()
  #refreshing: Promise<void> | undefined
  #comparing: Promise<void> | undefined
  /** The time at which a failed statement last caused a comparison of the tables. */
  #comparedAfterErrorAt = Number.NEGATIVE_INFINITY

  constructor(parts: SchemaWatchDependencies) {
    this.#dependencies = parts
  }

  get isCompatible(): boolean {
    return this.#incompatibleChanges.length === 0
  }

  /** Checks the tables and throws if they do not fit the schema. */
  async check(): Promise<void> {
    await this.refresh()
    if (!this.isCompatible) throw schemaChanged()
  }

  /** Throws if the resource's table has changed, because an operation on it might return wrong values. */
  requireUsable({ table, working }: Resource): void {
    if (this.#unusable.size === 0) return
    if (this.#unusable.has(table) || (working && this.#unusable.has(working.table))) throw schemaChanged()
  }

  /** Starts a schema check in the background, unless the last check was less than a second ago. */
  refreshIfStale(): void {
    if (performance.now() - this.#refreshedAt < REFRESH_INTERVAL_MS) return
    // A failed check is ignored: if the database is unreachable, the requests themselves fail.
    this.refresh().catch(() => undefined)
  }

  /** Accepts the current tables without a comparison, because this process has just brought them to the schema. */
  async acceptCurrent(): Promise<void> {
    this.#marker = await this.#readMarker()
  }

  /**
   * Checks whether the schema stored in the database has changed and, if so, compares the tables with this process's
   * schema.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Returns an outage error if changed tables made a statement fail with `error`. Otherwise returns `error` itself. */
  async explain(error: unknown): Promise<unknown> {
    if (!mayBeIncompatible(error)) return error
    try {
      await this.refresh()
      // The stored schema is the same, but a table may have been changed by hand. So the tables themselves are
      // compared.
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
    // The stored schema and the catalog are read in one transaction snapshot, so that no migration can commit between
    // the two reads.
    return database.transaction(async (connection) => {
      await connection.query({ text: "set transaction isolation level repeatable read, read only", values: [] })
      // If only another version of kit can read the stored schema, it is ignored, and the tables are compared without
      // it.
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

// Reads the xmin of the row in `_kit_schema`, which changes because every sync or migration rewrites the row. The
// semicolon makes the text a script, which the driver sends as one message. Tests recognize the statement by this text.
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

// Returns the code of an error that comes from the database driver. Other errors have no code.
function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Partial<DatabaseError>).code : undefined
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof SchemaMismatchError)) throw error
}

// Returns the incompatible tables. For a link table, also returns the two tables that it links, because a write to
// either may write the link table.
function unusableTables({ links }: AppSchema, misfits: readonly IncompatibleChange[]): ReadonlySet<string> {
  const names = new Set(misfits.map(({ table }) => table))
  const joined = links.filter(({ name }) => names.has(name))
  return new Set([...names, ...joined.flatMap(({ columns }) => columns.map(({ target }) => target.table))])
}

/**
 * Returns the error for changed tables. Its message names no table, because not every caller may know that the table
 * exists.
 */
function schemaChanged(cause?: unknown): OutageError {
  const message =
    "A newer version of the app has changed the database, which this process cannot use any more. Try again in a moment."
  return new OutageError({ reason: "schema", message, cause })
}
