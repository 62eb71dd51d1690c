import type { QuestpieClientError } from "../../client/transport/client-error.ts"

/** A result of a read, as the hooks return it. The types of the hooks narrow its members by `status`. */
export interface Result {
  readonly status: "idle" | "pending" | "live" | "stale" | "success" | "error"
  readonly data: unknown
  readonly error: QuestpieClientError | undefined
  readonly updatedAt: Date | undefined
}
