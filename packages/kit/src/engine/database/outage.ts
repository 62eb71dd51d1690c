import { ApiError } from "../../wire/errors/api-error.ts"

/** The reason why this process cannot serve some requests, whichever caller sends them. */
type OutageReason = "schema" | "storage" | "stopping"

interface Outage {
  readonly reason: OutageReason
  /** The error message that callers receive. It must not name a table, a folder or a host. */
  readonly message: string
  readonly cause?: unknown
}

/**
 * The error for a request that failed because of an outage. The outage is logged once, when it begins, and not for each
 * failed request.
 */
export class OutageError extends ApiError {
  constructor({ reason, message, cause }: Outage) {
    super("SERVICE_UNAVAILABLE", { message, context: { reason }, cause })
  }
}
