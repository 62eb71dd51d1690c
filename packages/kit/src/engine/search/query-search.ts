import type { QueryResult, Statement } from "../../ports/database.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { isStatementTimeout } from "../database/database-errors.ts"

/** Runs a statement of a search. It has a time limit of its own, because nobody waits long for a search. */
export async function querySearch(
  { connection, search }: Pick<OperationContext, "connection" | "search">,
  statement: Statement,
): Promise<QueryResult> {
  try {
    return await connection.query({ ...statement, callerMs: search.settings.callerMs })
  } catch (error) {
    throw isStatementTimeout(error) ? tookTooLong(error) : error
  }
}

/**
 * Returns the error of a search that was cancelled. The same search may succeed when the database has less to do, so
 * nothing is wrong with the request.
 */
export function tookTooLong(cause: unknown): ApiError {
  const message =
    "The search took too long and was cancelled. Ask for less: fewer or longer words, fewer collections, a narrower filter, " +
    "a smaller limit, no highlights or facets. The operator of the app can raise limits.searchMs."
  return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
}
