import type { QuestpieClientError } from "../../client/transport/client-error.ts"

/** The result of a hook that reads once, such as `useFind`. */
export type FindResult<Data> = PendingRead<Data> | DoneRead<Data> | FailedRead<Data>

interface AnyRead {
  /** True while a read is under way, the first one or a later one. */
  readonly isFetching: boolean
  /** Reads again. Resolves when the new result or its error is shown. */
  refetch(): Promise<void>
}

/** The result of a hook whose options are null: nothing is read. */
export interface IdleRead {
  readonly status: "idle"
  readonly data: undefined
  readonly error: undefined
  readonly isFetching: false
  readonly updatedAt: undefined
  refetch(): Promise<void>
}

/** The first result has not arrived yet. There may be data for the former options, or the setting `initial`. */
interface PendingRead<Data> extends AnyRead {
  readonly status: "pending"
  readonly data: Data | undefined
  readonly error: undefined
  readonly updatedAt: undefined
}

interface DoneRead<Data> extends AnyRead {
  readonly status: "success"
  readonly data: Data
  readonly error: undefined
  /** The time of the last change of the data. */
  readonly updatedAt: Date
}

/** The last read has failed. There may be data of an earlier one. */
interface FailedRead<Data> extends AnyRead {
  readonly status: "error"
  readonly data: Data | undefined
  readonly error: QuestpieClientError
  readonly updatedAt: Date | undefined
}
