interface UploadFailure {
  readonly status?: number
  readonly response?: unknown
  readonly cause?: unknown
}

/** The error of an upload: its message is "Upload failed", "Network error during upload" or "Upload cancelled". */
export class UploadError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** The answer of the server: the JSON, or the text if it is not JSON. */
  readonly response: unknown

  constructor(message: string, { status = 0, response, cause }: UploadFailure = {}) {
    super(message, { cause })
    this.name = "UploadError"
    this.status = status
    this.response = response
  }
}
