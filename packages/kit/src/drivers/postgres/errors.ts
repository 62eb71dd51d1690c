import pg from "pg"
import type { DatabaseError } from "../../ports/database.ts"

interface Details {
  readonly code: string
  readonly message: string
  readonly cause?: unknown
}

/** An error that the driver itself detects. Errors that the server reports are thrown as `pg` creates them. */
export class PostgresError extends Error implements DatabaseError {
  readonly code: string

  constructor({ code, message, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "PostgresError"
    this.code = code
  }
}

const UNABLE_TO_CONNECT = "08001"
const CONNECTION_FAILURE = "08006"
const IN_FAILED_TRANSACTION = "25P02"
const QUERY_CANCELED = "57014"
const CALLER_LEFT = "CALLER_LEFT"

/** The codes of the system errors which say that no server can be reached. */
export const UNREACHABLE_CODES: ReadonlySet<string | undefined> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
])

export function poolBusy(message: string): PostgresError {
  return new PostgresError({ code: "POOL_BUSY", message })
}

export function poolClosed(): PostgresError {
  return new PostgresError({ code: "POOL_CLOSED", message: "The database was closed." })
}

/**
 * Returns the error for a read that is cancelled because its client has disconnected and no longer needs the result.
 */
export function callerLeft(): PostgresError {
  return new PostgresError({ code: CALLER_LEFT, message: "The client disconnected before the response." })
}

export function statementTooLong(cause: unknown): PostgresError {
  return new PostgresError({
    code: QUERY_CANCELED,
    message:
      "Timeout: the statement of a caller exceeded its time limit (limits.statementMs, limits.searchMs) and was cancelled.",
    cause,
  })
}

/** Thrown if a slow read was cancelled because other borrowers wait for its connection. The read can run again. */
export class Preempted extends PostgresError {
  constructor(cause: unknown) {
    super({
      code: QUERY_CANCELED,
      message: "A slow read was cancelled because other requests waited for a connection.",
      cause,
    })
  }
}

/** True if the statement was cancelled: at its time limit, for others who waited, or because its client had left. */
export function wasCancelled(error: unknown): boolean {
  const code = codeOf(error)
  return code === QUERY_CANCELED || code === CALLER_LEFT
}

export function connectFailed(cause: unknown): PostgresError {
  const message = `Could not connect to PostgreSQL: ${reasonOf(cause)}`
  return new PostgresError({ code: UNABLE_TO_CONNECT, message, cause })
}

/**
 * Returns the error for a lost connection. Its code is the SQLSTATE that the server reported. If the server reported
 * none, because the socket failed, the code is always the same.
 */
export function connectionLost(cause: unknown): PostgresError {
  const message = `The connection to PostgreSQL was lost: ${reasonOf(cause)}`
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined
  return new PostgresError({ code: code ?? CONNECTION_FAILURE, message, cause })
}

// The SQLSTATEs not_null_violation and check_violation. The details of these errors contain the whole rejected row,
// with every secret in it.
const CODES_THAT_QUOTE_ROWS: ReadonlySet<string | undefined> = new Set(["23502", "23514"])

/** Removes the rejected row from an error's details, because errors are logged and row values must not be logged. */
export function withoutRow(error: unknown): unknown {
  return CODES_THAT_QUOTE_ROWS.has(codeOf(error)) ? Object.assign(toError(error), { detail: undefined }) : error
}

export function transactionAborted(cause: unknown): PostgresError {
  const message =
    "The transaction was aborted: a statement in it failed and its error was caught, so everything was rolled back. " +
    "Rethrow the error, or run that statement in a nested transaction."
  return new PostgresError({ code: IN_FAILED_TRANSACTION, message, cause })
}

export function isTransactionAborted(error: unknown): boolean {
  return codeOf(error) === IN_FAILED_TRANSACTION
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
}

// Returns the message of the error `cause`, or its code if the message is empty. If connecting to a host with several
// IP addresses fails, `cause` is an AggregateError, which has a code but no message.
function reasonOf(cause: unknown): string {
  return toError(cause).message || codeOf(cause) || "unknown reason"
}
