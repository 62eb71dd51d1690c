interface UploadFailure {
  readonly status?: number
  readonly response?: unknown
  readonly cause?: unknown
}

/** What an upload throws: its message is "Upload failed", "Network error during upload" or "Upload cancelled". */
export class UploadError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** What the server answered: the JSON, or the text where it is none. */
  readonly response: unknown

  constructor(message: string, { status = 0, response, cause }: UploadFailure = {}) {
    super(message, { cause })
    this.name = "UploadError"
    this.status = status
    this.response = response
  }
}
