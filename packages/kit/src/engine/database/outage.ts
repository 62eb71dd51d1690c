import { ApiError } from "../../wire/errors/api-error.ts"

/** Why this process cannot serve some requests, whoever sends them. */
export type OutageReason = "schema" | "storage"

interface Outage {
  readonly reason: OutageReason
  /** For callers: it names no table, folder or host. */
  readonly message: string
  readonly cause?: unknown
}

/** A request that failed for such a reason. The log says so once, when it begins, and not with each request. */
export class OutageError extends ApiError {
  constructor({ reason, message, cause }: Outage) {
    super("SERVICE_UNAVAILABLE", { message, context: { reason }, cause })
  }
}
