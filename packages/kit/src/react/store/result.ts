import type { QuestpieClientError } from "../../client/transport/client-error.ts"

/** A result of a read, as the hooks return it. The types of the hooks narrow its members by `status`. */
export interface Result {
  readonly status: "idle" | "pending" | "live" | "stale" | "success" | "error"
  readonly data: unknown
  readonly error: QuestpieClientError | undefined
  readonly updatedAt: Date | undefined
}

/** The data that a read has found, its hash if the server has sent one, and the time of the read. */
export interface FoundData {
  readonly data: unknown
  readonly hash?: string | undefined
  readonly at: number
}

/** A result that was read before the page was rendered. Only the first entry that needs it shows it. */
export interface PreloadedData extends FoundData {
  /** The time at which the page has got it, on the page's own clock. */
  readonly arrivedAt: number
  isUsed: boolean
}
