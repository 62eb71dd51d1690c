import { QuestpieClientError } from "../../client/transport/client-error.ts"

/**
 * Returns the error as an error of the client. The error of an upload is of another class, and has the server's message
 * as its `reason`. Others are rare, such as that of a chunk that is missing.
 */
export function clientErrorOf(error: unknown): QuestpieClientError {
  // A page may load two copies of this package, so the class is recognized by its members.
  if (error instanceof Error && "status" in error && "url" in error) return error as QuestpieClientError
  // The cast is safe: each of these members may be missing.
  const { reason, message = error, ...details } = Object(error) as { reason?: string; message?: unknown }
  return new QuestpieClientError(reason ?? String(message), {
    ...{ status: 0, statusText: "", url: "", ...details },
    cause: error,
  })
}
