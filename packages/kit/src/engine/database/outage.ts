import { ApiError } from "../../wire/errors/api-error.ts"

/** The reason why this process cannot serve some requests of any caller. */
export type OutageReason = "schema" | "storage"

interface Outage {
  readonly reason: OutageReason
  /** Callers read it, so it names no table, folder or host. */
  readonly message: string
  readonly cause?: unknown
}

/** A request failed because of an outage. The outage is logged once, when it begins, and not with each request. */
export class OutageError extends ApiError {
  constructor({ reason, message, cause }: Outage) {
    super("SERVICE_UNAVAILABLE", { message, context: { reason }, cause })
  }
}
