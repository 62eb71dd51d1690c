import type { MaybePromise } from "../../schema/context/when-ready.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

/**
 * Runs `work` and prefixes the paths of its field errors with `path`, the position of the record in the request body.
 * Without a path, the errors stay as they are.
 */
export async function withErrorPath<Result>(
  path: string | undefined,
  work: () => MaybePromise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw path === undefined ? error : prefixErrorPaths(path, error)
  }
}

/** Returns the error with `prefix` before the path of each field error. */
export function prefixErrorPaths(prefix: string, error: unknown): unknown {
  return mapErrorPaths(error, (path) => (path === "" ? prefix : `${prefix}.${path}`))
}

/** Returns the error with another path of each field error. */
export function mapErrorPaths(error: unknown, pathOf: (path: string) => string): unknown {
  if (!(error instanceof ApiError) || error.fieldErrors === undefined) return error
  const fieldErrors = error.fieldErrors.map(({ path, message }) => ({ path: pathOf(path), message }))
  return new ApiError(error.code, { fieldErrors, ...(error.context && { context: error.context }), cause: error })
}
