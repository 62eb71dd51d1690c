import type { DatabaseError } from "../../ports/database.ts"
import type { TemporaryFailure } from "../../ports/temporary-failure.ts"
import type { AppSchema, ResourceField } from "../../schema/compile/resource.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"

const UNIQUE_VIOLATION = "23505"
const FOREIGN_KEY_VIOLATION = "23503"
const LIMIT_EXCEEDED = "54000"

// The database is out of reach, overloaded or shutting down; the caller may try again.
const UNAVAILABLE = new Set(["POOL_BUSY", "POOL_CLOSED", "08001", "08006", "53300", "57P01", "57P02", "57P03"])

const LOCK_NOT_AVAILABLE = "55P03"
const QUERY_CANCELED = "57014"
const CALLER_LEFT = "CALLER_LEFT"

// The database has rolled one of several writes back, so that the others could go on.
const RACE_LOST: ReadonlySet<string> = new Set(["40001", "40P01"])

const FEATURE_NOT_SUPPORTED = "0A000"
const INVALID_STATEMENT_NAME = "26000"

/** Whether a write was rolled back in favour of others: nothing is wrong with it, and it may be run again. */
export function isRaceLost(error: unknown): boolean {
  return isDatabaseError(error) && (RACE_LOST.has(error.code) || isStalePlan(error))
}

// The type of a column has changed under a prepared statement, which has another name the next time. Postgres has no code
// for it alone, and the message depends on the language of the server.
function isStalePlan(error: DatabaseError): boolean {
  if (error.code === INVALID_STATEMENT_NAME) return true
  return error.code === FEATURE_NOT_SUPPORTED && "routine" in error && error.routine === "RevalidateCachedQuery"
}

/** Runs an operation; what the database refuses for a known reason becomes an error the caller understands. */
export async function perform<Result>(schema: AppSchema, operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    throw explained(schema, error)
  }
}

/** What the database refuses for a known reason, as an error the caller understands; anything else as it is. */
export function explained(schema: AppSchema, error: unknown): unknown {
  if (isTemporary(error)) return new ApiError("SERVICE_UNAVAILABLE", { cause: error })
  if (error instanceof ApiError || !isDatabaseError(error)) return error
  if (error.code === UNIQUE_VIOLATION) return uniqueViolation(schema, error)
  if (error.code === LIMIT_EXCEEDED) return tooLongForIndex(schema, error)
  if (error.code === FOREIGN_KEY_VIOLATION) return foreignKeyViolation(schema, error)
  if (isRaceLost(error)) return raceLost(error)
  if (error.code === LOCK_NOT_AVAILABLE) return lockNotAvailable(error)
  if (error.code === QUERY_CANCELED) return tookTooLong(error)
  if (error.code === CALLER_LEFT) return new CallerLeftError(error)
  return UNAVAILABLE.has(error.code) ? new ApiError("SERVICE_UNAVAILABLE", { cause: error }) : error
}

// A mail server, a store: what the author's code called, and did not catch.
function isTemporary(error: unknown): error is TemporaryFailure {
  return error instanceof Error && "isTemporary" in error && error.isTemporary === true
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string"
}

function raceLost(cause: DatabaseError): ApiError {
  const message = "This met other writes of the same records and was rolled back. Send it again."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

function lockNotAvailable(cause: DatabaseError): ApiError {
  const message = "Somebody else has locked these records for too long, so nothing was done. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

function tookTooLong(cause: DatabaseError): ApiError {
  const message =
    "The database took too long for this and was told to stop; nothing was changed. Ask for less: a narrower filter, " +
    "fewer relations, a smaller limit. Whoever runs the app can raise limits.statementMs (of system code: db.statementTimeoutMs)."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

/** Nobody reads this answer, and nothing is wrong with the app. */
export class CallerLeftError extends ApiError {
  constructor(cause: unknown) {
    super("SERVICE_UNAVAILABLE", { message: "The client disconnected before the response.", cause })
  }
}

// An index that the schema does not know belongs to a newer version of the app, or to the author: of a table of ours, its
// values are no less taken.
function uniqueViolation(schema: AppSchema, error: DatabaseError): unknown {
  const fields = indexedFields(schema, error.constraint) ?? takenId(schema, error)
  const message = "Another record has this value already."
  const fieldErrors = fields?.filter(isTold).map((field) => ({ path: field.name, message }))
  if (fieldErrors && fieldErrors.length > 0) return new ApiError("CONFLICT", { fieldErrors, cause: error })
  const isTaken = fields !== undefined || isOfResource(schema, error)
  return isTaken ? new ApiError("CONFLICT", { message, cause: error }) : error
}

function isOfResource({ tables }: AppSchema, { table }: DatabaseError): boolean {
  return tables.some((resource) => resource.table === table)
}

// Of the constraints that no index of ours is behind, only that of the primary key is called so.
function takenId({ resources }: AppSchema, { table, constraint = "" }: DatabaseError): ResourceField[] | undefined {
  const resource = resources.find((candidate) => candidate.table === table)
  return resource && !resource.id.system && /_pkey\d*$/.test(constraint) ? [resource.id] : undefined
}

// An entry of an index has room for about 2,700 bytes; of one far beyond that Postgres does not say whose it is.
function tooLongForIndex(schema: AppSchema, error: DatabaseError): ApiError {
  const message = "Is too long for a field that is unique or indexed."
  const fields = indexedFields(schema, error.constraint)?.filter(isTold) ?? []
  const fieldErrors = fields.map((field) => ({ path: field.name, message }))
  if (fieldErrors.length > 0) return new ApiError("VALIDATION_ERROR", { fieldErrors, cause: error })
  return new ApiError("VALIDATION_ERROR", { message: "An indexed value is too long.", cause: error })
}

// An index may hold a field that callers neither write nor may be sure to read, beside one that they have written.
function isTold({ hidden, readOnly, access }: ResourceField): boolean {
  if (hidden) return false
  const isWritten = !readOnly && (access.create !== false || access.update !== false)
  return isWritten || (access.read ?? true) === true
}

function indexedFields(schema: AppSchema, name: string | undefined): readonly ResourceField[] | undefined {
  return schema.tables.flatMap((resource) => resource.indexes).find((index) => index.name === name)?.fields
}

// Before a delete the engine looks for records that still point to it, under a lock: what is violated is a target that
// was never there, or, where links are written, one that has just gone.
function foreignKeyViolation(schema: AppSchema, error: DatabaseError): unknown {
  const field = findForeignKey(schema, error.constraint)
  if (field) return missingTarget(field)
  const isLink = schema.links.some(({ columns }) => columns.some(({ key }) => key === error.constraint))
  if (isLink) return new ApiError("CONFLICT", { message: "A related record is gone. Try again.", cause: error })
  return isNamedByKit(error) ? otherRelation(error) : error
}

// A relation that the schema does not know is one of a newer version of the app. Its delete rule is not known here either.
function otherRelation(cause: DatabaseError): ApiError {
  return new ApiError("CONFLICT", { message: "A relation to other records does not allow this.", cause })
}

function isNamedByKit({ table, constraint = "" }: DatabaseError): boolean {
  return table !== undefined && constraint.startsWith(`${table}.`)
}

function findForeignKey(schema: AppSchema, name: string | undefined): ResourceField | undefined {
  return schema.tables.flatMap((resource) => resource.foreignKeys).find((key) => key.name === name)?.field
}

/** The refusal of a link to a record that is not there; without the name of the target, which the caller may not know. */
export function missingTarget({ name }: ResourceField): ApiError {
  return invalid(name, "There is no such record.")
}
