import type { HeaderReader, Session } from "../../ports/session-provider.ts"

/** The client that opened a stream: its session, its limits and the format of its events. */
export interface StreamClient {
  readonly session: Session | null
  readonly headers: HeaderReader
  readonly caller: StreamCaller
  /** The IP address, as limits count it; undefined if it is unknown. */
  readonly address?: string | undefined
  /** The locale of the topics that do not name a locale. */
  readonly locale: string
  /** True if the client gets extended JSON. */
  readonly isExtended: boolean
}

/**
 * The user or the IP address that opened a stream. Streams and live queries are counted by caller, up to these limits.
 */
export interface StreamCaller {
  readonly key: string
  readonly maxStreams: number
  /** The maximum number of different live queries that the caller may follow. */
  readonly maxQueries: number
}
