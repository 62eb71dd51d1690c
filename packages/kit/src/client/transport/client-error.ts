import type { ApiErrorShape, ErrorCode, FieldError } from "../../wire/errors/api-error.ts"

/** The status and URL of a failed request, and the server's description of the error. */
interface ClientErrorDetails extends Omit<Partial<ApiErrorShape>, "code" | "requestId"> {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly code?: string
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

// Editors suggest the known error codes, but any other string is allowed, because a newer server may have more codes.
type AnyCode = ErrorCode | "TIMEOUT" | (string & Record<never, never>)

/** The error that an operation of the client throws when it fails. */
export class QuestpieClientError extends Error {
  /** The HTTP status; 0 if there was no response. */
  declare readonly status: number
  declare readonly statusText: string
  declare readonly url: string
  readonly code: AnyCode | undefined
  declare readonly fieldErrors: readonly FieldError[] | undefined
  declare readonly context: Readonly<Record<string, unknown>> | undefined
  /** The id of the request, which also appears in the server's logs. */
  declare readonly requestId: string | undefined

  constructor(message: string, details: ClientErrorDetails) {
    super(message, details)
    Object.assign(this, details, { name: "QuestpieClientError" })
  }

  isCode(code: AnyCode): boolean {
    return this.code === code
  }

  /** Returns the error messages by field path. */
  getFieldErrorsMap(): Record<string, string[]> {
    const messages: Record<string, string[]> = Object.create(null)
    for (const { path, message } of this.fieldErrors ?? []) messages[path] = [...(messages[path] ?? []), message]
    return messages
  }

  /** Returns the first error of the field with this path, if there is one. */
  getFieldError(path: string): FieldError | undefined {
    return this.fieldErrors?.find((error) => error.path === path)
  }
}
