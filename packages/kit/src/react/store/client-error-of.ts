import type { UploadError } from "../../client/resources/upload-error.ts"
import { QuestpieClientError } from "../../client/transport/client-error.ts"

/**
 * Returns the error as an error of the client. Few errors are of another class: that of an upload, whose message is the
 * same for all reasons, or a chunk that is missing.
 */
export function clientErrorOf(error: unknown): QuestpieClientError {
  // A page may load two copies of this package, so the classes are recognized by their members.
  if (!(error instanceof Error)) return failed(String(error), { cause: error })
  // The casts are safe: only errors of the client have these members.
  if ("status" in error && "url" in error) return error as QuestpieClientError
  return failed((error as UploadError).reason ?? error.message, { ...error, cause: error })
}

function failed(message: string, facts: object): QuestpieClientError {
  return new QuestpieClientError(message, { status: 0, statusText: "", url: "", ...facts })
}
