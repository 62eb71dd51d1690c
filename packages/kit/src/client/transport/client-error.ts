import type { ApiErrorShape, ErrorCode, FieldError } from "../../wire/errors/api-error.ts"

/** The circumstances of an error, and the server's description of it. */
export interface ClientErrorDetails extends Omit<Partial<ApiErrorShape>, "code" | "requestId"> {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly code?: string
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

// Editors suggest the known codes, but any other text is allowed: a newer server may have more.
type AnyCode = ErrorCode | "TIMEOUT" | (string & Record<never, never>)

/** The error of every operation of the client that does not succeed. */
export class QuestpieClientError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  declare readonly status: number
  declare readonly statusText: string
  declare readonly url: string
  readonly code: AnyCode | undefined
  declare readonly fieldErrors: readonly FieldError[] | undefined
  declare readonly context: Readonly<Record<string, unknown>> | undefined
  /** Identifies the request in the logs of the server. */
  declare readonly requestId: string | undefined

  constructor(message: string, details: ClientErrorDetails) {
    super(message, details)
    Object.assign(this, details, { name: "QuestpieClientError" })
  }

  isCode(code: AnyCode): boolean {
    return this.code === code
  }

  /** The messages of each field, by its path. */
  getFieldErrorsMap(): Record<string, string[]> {
    const messages: Record<string, string[]> = Object.create(null)
    for (const { path, message } of this.fieldErrors ?? []) messages[path] = [...(messages[path] ?? []), message]
    return messages
  }

  /** The first error of the field at this path. */
  getFieldError(path: string): FieldError | undefined {
    return this.fieldErrors?.find((error) => error.path === path)
  }
}
