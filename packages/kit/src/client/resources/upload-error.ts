interface UploadFailure {
  readonly status?: number
  readonly response?: unknown
  readonly cause?: unknown
}

/** The error of an upload. Its message is "Upload failed", "Network error during upload" or "Upload cancelled". */
export class UploadError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** The body of the server's response: the parsed JSON, or the text if it is not JSON. */
  readonly response: unknown

  constructor(message: string, { status = 0, response, cause }: UploadFailure = {}) {
    super(message, { cause })
    this.name = "UploadError"
    this.status = status
    this.response = response
  }
}
