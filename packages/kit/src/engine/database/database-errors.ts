import type { DatabaseError } from "../../ports/database.ts"
import type { TemporaryFailure } from "../../ports/temporary-failure.ts"
import type { AppSchema, ResourceField } from "../../schema/compile/resource.ts"
import { FOLLOW_REFERENCES } from "../../sql/references/reference-table.ts"
import { ApiError, fieldMessage, invalid } from "../../wire/errors/api-error.ts"

const UNIQUE_VIOLATION = "23505"
const FOREIGN_KEY_VIOLATION = "23503"
const LIMIT_EXCEEDED = "54000"

// Error codes of a database that is unreachable, overloaded or shutting down. The caller may send the request again.
const UNAVAILABLE = new Set(["POOL_BUSY", "POOL_CLOSED", "08001", "08006", "53300", "57P01", "57P02", "57P03"])

const LOCK_NOT_AVAILABLE = "55P03"
const QUERY_CANCELED = "57014"
const CALLER_LEFT = "CALLER_LEFT"

// The codes for a serialization failure and for a deadlock. In both cases PostgreSQL has rolled back one of several
// concurrent transactions.
const TRANSACTION_CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"])

const VALUE_TAKEN = "Another record has this value already."
const COMBINATION_TAKEN = "Another record has this combination of values already."

const FEATURE_NOT_SUPPORTED = "0A000"
const INVALID_STATEMENT_NAME = "26000"

/**
 * True if the database server rolled back a write only because of concurrent writes or a changed table. The write is
 * valid and may be retried.
 */
export function isRetryable(error: unknown): boolean {
  return isDatabaseError(error) && (TRANSACTION_CONFLICTS.has(error.code) || isStalePlan(error))
}

// True if a prepared statement became unusable because a column's type has changed; a retry prepares it under another
// name. This case has no error code of its own, and the error message depends on the server's language, so the name of
// the PostgreSQL function that raised the error identifies it.
function isStalePlan(error: DatabaseError): boolean {
  if (error.code === INVALID_STATEMENT_NAME) return true
  return error.code === FEATURE_NOT_SUPPORTED && "routine" in error && error.routine === "RevalidateCachedQuery"
}

/** Runs an operation and replaces known database errors by errors that the caller understands. */
export async function withExplainedErrors<Result>(
  schema: AppSchema,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    throw explainError(schema, error)
  }
}

/** Returns an error that the caller understands for a known database error. Returns every other error unchanged. */
export function explainError(schema: AppSchema, error: unknown): unknown {
  if (isTemporary(error)) return new ApiError("SERVICE_UNAVAILABLE", { cause: error })
  if (error instanceof ApiError || !isDatabaseError(error)) return error
  if (error.code === UNIQUE_VIOLATION) return uniqueViolation(schema, error)
  if (error.code === LIMIT_EXCEEDED) return tooLongForIndex(schema, error)
  if (error.code === FOREIGN_KEY_VIOLATION) return foreignKeyViolation(schema, error)
  if (isRetryable(error)) return transactionConflict(error)
  if (error.code === LOCK_NOT_AVAILABLE) return lockNotAvailable(error)
  if (isStatementTimeout(error)) return statementTimeout(error)
  if (error.code === CALLER_LEFT) return new CallerLeftError(error)
  return UNAVAILABLE.has(error.code) ? new ApiError("SERVICE_UNAVAILABLE", { cause: error }) : error
}

// True if a mail server or a file store failed temporarily, and the author's code did not catch that error.
/** True if the same call may succeed later. */
function isTemporary(error: unknown): error is TemporaryFailure {
  return error instanceof Error && "isTemporary" in error && error.isTemporary === true
}

/** True if a statement was cancelled because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === QUERY_CANCELED
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string"
}

function transactionConflict(cause: DatabaseError): ApiError {
  const message = "This conflicted with other writes of the same records and was rolled back. Send it again."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

function lockNotAvailable(cause: DatabaseError): ApiError {
  const message =
    "Another request has locked these records for too long, so nothing was changed. Try again in a moment."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

function statementTimeout(cause: DatabaseError): ApiError {
  const message =
    "The statement took too long and was cancelled; nothing was changed. Ask for less: a narrower filter, " +
    "fewer relations, a smaller limit. The operator of the app can raise limits.statementMs (for system code: db.statementTimeoutMs)."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}

/** The error for a caller who has disconnected. No client reads this response, and nothing is wrong with the app. */
export class CallerLeftError extends ApiError {
  constructor(cause: unknown) {
    super("SERVICE_UNAVAILABLE", { message: "The client disconnected before the response.", cause })
  }
}

// Returns a conflict for the violation of a unique index. The index may be missing from the schema, because a newer
// version of the app or a person created it. Its violation is still a conflict if the index is on a resource's table.
function uniqueViolation(schema: AppSchema, error: DatabaseError): unknown {
  const fields = indexedFields(schema, error.constraint) ?? takenId(schema, error)
  const names = fields?.filter(mayNameInError).map((field) => field.name) ?? []
  const message = names.length > 1 ? COMBINATION_TAKEN : VALUE_TAKEN
  const fieldErrors = names.map((path) => ({ path, message }))
  // The message of the error names all fields, because each of their values may be fine on its own.
  const about = { path: names.join(", "), message }
  if (names.length > 0) return new ApiError("CONFLICT", { message: fieldMessage(about), fieldErrors, cause: error })
  const isTaken = fields !== undefined || isOfResource(schema, error)
  return isTaken ? new ApiError("CONFLICT", { message, cause: error }) : error
}

function isOfResource({ tables }: AppSchema, { table }: DatabaseError): boolean {
  return tables.some((resource) => resource.table === table)
}

// Returns the id field if the primary key was violated. Of all constraints that are not an index of the schema, only a
// primary key has a name that ends with "_pkey".
function takenId({ resources }: AppSchema, { table, constraint = "" }: DatabaseError): ResourceField[] | undefined {
  const resource = resources.find((candidate) => candidate.table === table)
  return resource && !resource.id.system && /_pkey\d*$/.test(constraint) ? [resource.id] : undefined
}

// Returns the error for a value that is too long for an index. A PostgreSQL index entry can hold about 2,700 bytes. If
// a value is far longer, PostgreSQL's error does not name the index, so the returned error names no field.
function tooLongForIndex(schema: AppSchema, error: DatabaseError): ApiError {
  const message = "Is too long for a field that is unique or indexed."
  const fields = indexedFields(schema, error.constraint)?.filter(mayNameInError) ?? []
  const fieldErrors = fields.map((field) => ({ path: field.name, message }))
  if (fieldErrors.length > 0) return new ApiError("VALIDATION_ERROR", { fieldErrors, cause: error })
  return new ApiError("VALIDATION_ERROR", { message: "An indexed value is too long.", cause: error })
}

// True if an error may name this field. A multi-column index may contain a field that the caller can neither write nor
// read, and an error must not name such a field.
function mayNameInError({ hidden, readOnly, access }: ResourceField): boolean {
  if (hidden) return false
  const isWritten = !readOnly && (access.create !== false || access.update !== false)
  return isWritten || (access.read ?? true) === true
}

function indexedFields(schema: AppSchema, name: string | undefined): readonly ResourceField[] | undefined {
  return schema.tables.flatMap((resource) => resource.indexes).find((index) => index.name === name)?.fields
}

// Returns the error for the violation of a foreign key: the referenced record never existed or, for a link, has just
// been deleted. A delete does not violate a foreign key of the schema, because the engine first handles all records
// that point to the deleted record, under a lock.
function foreignKeyViolation(schema: AppSchema, error: DatabaseError): unknown {
  const field = findForeignKey(schema, error.constraint)
  if (field) return missingTarget(field)
  if (error.constraint === FOLLOW_REFERENCES) return missingTarget({ name: error.column ?? "" })
  const isLink = schema.links.some(({ columns }) => columns.some(({ key }) => key === error.constraint))
  if (isLink) return new ApiError("CONFLICT", { message: "A related record is gone. Try again.", cause: error })
  return isNamedByKit(error) ? otherRelation(error) : error
}

// Returns the error for a foreign key that is not in this schema, because a newer version of the app added it. For the
// same reason, the foreign key's `onDelete` setting is not known here.
function otherRelation(cause: DatabaseError): ApiError {
  return new ApiError("CONFLICT", { message: "A relation to other records does not allow this.", cause })
}

function isNamedByKit({ table, constraint = "" }: DatabaseError): boolean {
  return table !== undefined && constraint.startsWith(`${table}.`)
}

function findForeignKey(schema: AppSchema, name: string | undefined): ResourceField | undefined {
  return schema.tables.flatMap((resource) => resource.foreignKeys).find((key) => key.name === name)?.field
}

/**
 * Returns the error for a reference to a missing record. It says nothing about the referenced record, which may exist
 * but be hidden from the caller.
 */
export function missingTarget({ name }: Pick<ResourceField, "name">): ApiError {
  return invalid(name, MISSING_TARGET)
}

/** The message of an error about a reference to a missing record. */
export const MISSING_TARGET = "There is no such record."
