import type { FieldError } from "../../wire/errors/api-error.ts"

interface UploadFailure {
  readonly status?: number
  readonly response?: unknown
  readonly code?: string | undefined
  readonly fieldErrors?: readonly FieldError[] | undefined
  readonly reason?: string | undefined
  readonly cause?: unknown
}

/** The error of an upload. Its message is "Upload failed", "Network error during upload" or "Upload cancelled". */
export class UploadError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number = 0
  /** The body of the server's response: the parsed JSON, or the text if it is not JSON. */
  declare readonly response: unknown
  /** The code of the server's error, such as `PAYLOAD_TOO_LARGE`. */
  declare readonly code: string | undefined
  /** The server's messages about the fields of the file's record. */
  declare readonly fieldErrors: readonly FieldError[] | undefined
  /** One sentence that says why the upload failed: the server's message, or the reason why there is none. */
  declare readonly reason: string | undefined

  constructor(message: string, { cause, ...failure }: UploadFailure = {}) {
    super(message, { cause })
    Object.assign(this, failure, { name: "UploadError" })
  }
}
