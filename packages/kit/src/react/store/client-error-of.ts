import { QuestpieClientError } from "../../client/transport/client-error.ts"

/** Returns the error as an error of the client. Only rare errors are of another class, such as a chunk that is missing. */
export function clientErrorOf(error: unknown): QuestpieClientError {
  // A page may load two copies of this package, so the class is recognized by its members.
  if (error instanceof Error && "status" in error && "url" in error) return error as QuestpieClientError
  const message = error instanceof Error ? error.message : String(error)
  return new QuestpieClientError(message, { status: 0, statusText: "", url: "", cause: error })
}
