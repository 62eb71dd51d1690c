import type { QuestpieClientError } from "../../client/transport/client-error.ts"

/** The result of `useLive`. */
export type LiveResult<Data> = PendingResult<Data> | CurrentResult<Data> | StaleResult<Data> | FailedResult<Data>

/** The result of `useLive` whose options are null: nothing is read. */
export interface IdleResult {
  readonly status: "idle"
  readonly data: undefined
  readonly error: undefined
  readonly isLive: false
  readonly updatedAt: undefined
}

/** The first result has not arrived yet. There may be data for the former options, or the setting `initial`. */
interface PendingResult<Data> {
  readonly status: "pending"
  readonly data: Data | undefined
  readonly error: undefined
  readonly isLive: false
  readonly updatedAt: undefined
}

/** The data is what the server would answer now. */
interface CurrentResult<Data> {
  readonly status: "live"
  readonly data: Data
  readonly error: undefined
  readonly isLive: true
  /** The time of the last change of the data. */
  readonly updatedAt: Date
}

/** The connection is away. The client tries to restore it, and keeps the last data until then. */
interface StaleResult<Data> {
  readonly status: "stale"
  readonly data: Data
  readonly error: QuestpieClientError | undefined
  readonly isLive: false
  readonly updatedAt: Date
}

/** The server has refused the read, or cannot be reached and there is no data yet. */
interface FailedResult<Data> {
  readonly status: "error"
  readonly data: Data | undefined
  readonly error: QuestpieClientError
  readonly isLive: false
  readonly updatedAt: Date | undefined
}
