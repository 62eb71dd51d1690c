/** Every error code of the HTTP API, with its HTTP status and its default error message. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, message: "The request is malformed." },
  VALIDATION_ERROR: { status: 400, message: "The input is invalid." },
  UNAUTHORIZED: { status: 401, message: "Sign in to do this." },
  FORBIDDEN: { status: 403, message: "You may not do this." },
  NOT_FOUND: { status: 404, message: "There is nothing here." },
  METHOD_NOT_ALLOWED: { status: 405, message: "This path does not take that method." },
  CONFLICT: { status: 409, message: "The request conflicts with the current state." },
  PRECONDITION_FAILED: { status: 412, message: "The record has changed in the meantime." },
  PAYLOAD_TOO_LARGE: { status: 413, message: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Send the body as application/json." },
  UNPROCESSABLE_CONTENT: { status: 422, message: "The request cannot be processed." },
  RATE_LIMITED: { status: 429, message: "Too many requests. Try again later." },
  INTERNAL_SERVER_ERROR: { status: 500, message: "Something went wrong. Quote the request id when you report it." },
  NOT_IMPLEMENTED: { status: 501, message: "This is not available." },
  SERVICE_UNAVAILABLE: { status: 503, message: "The server is busy. Try again in a moment." },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERROR_CODES

export interface FieldError {
  readonly path: string
  readonly message: string
}

/** The `error` member of every response whose status is not 2xx. */
export interface ApiErrorShape {
  readonly code: ErrorCode
  readonly message: string
  readonly fieldErrors?: readonly FieldError[]
  readonly context?: Readonly<Record<string, unknown>>
  readonly requestId?: string
}

interface ApiErrorDetails {
  readonly message?: string
  readonly fieldErrors?: readonly FieldError[]
  readonly context?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

// The limits for the field errors in a response. Field errors repeat names from the request, which can be many and
// long.
const MAX_FIELD_ERRORS = 100
const MAX_PATH_CHARACTERS = 200
const MAX_MESSAGE_CHARACTERS = 1_000

/** An expected failure. Its code, message and details are sent to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly fieldErrors: readonly FieldError[] | undefined
  readonly context: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    const fieldErrors = details.fieldErrors?.slice(0, MAX_FIELD_ERRORS).map(shorten)
    super(details.message ?? firstFieldMessage(fieldErrors) ?? ERROR_CODES[code].message, { cause: details.cause })
    this.name = "ApiError"
    this.code = code
    this.fieldErrors = fieldErrors
    this.context = details.context
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }
}

function shorten({ path, message }: FieldError): FieldError {
  return { path: cut(path, MAX_PATH_CHARACTERS), message: cut(message, MAX_MESSAGE_CHARACTERS) }
}

function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

function firstFieldMessage(fieldErrors: readonly FieldError[] | undefined): string | undefined {
  const first = fieldErrors?.[0]
  return first && fieldMessage(first)
}

/** Returns a field error as one sentence. If the path of the field is empty, the error is about the whole input. */
export function fieldMessage({ path, message }: FieldError): string {
  return path === "" ? message : `${path}: ${message}`
}

/** Creates a `VALIDATION_ERROR` about the parameter or field at this path. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { fieldErrors: [{ path, message }] })
}
