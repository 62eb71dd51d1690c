import type { HavingInput, MeasuredFields } from "../options/aggregate-options.ts"
import type { OrderByInput, TotalInput, WhereInput } from "../options/query-options.ts"

/** A live query: its resource, and the options of the read. Subscriptions with equal topics share one live query. */
export interface TopicConfig {
  readonly resourceType: "collection" | "global"
  readonly resource: string
  readonly where?: WhereInput
  readonly with?: { readonly [relation: string]: unknown }
  readonly limit?: number
  readonly offset?: number
  readonly orderBy?: OrderByInput
  readonly locale?: string
  readonly read?: TopicRead | undefined
}

/** The operation of a live query that is not a plain `find` or `get`, and the options that only `watch` has. */
export interface TopicRead {
  /** `find` by default. The result of `count` is `{ count }`; the result of `record` is one record or null. */
  readonly operation?: "find" | "count" | "aggregate" | "record"
  /** The id of the record, if the operation is `record`. */
  readonly id?: string
  readonly columns?: { readonly [field: string]: boolean }
  readonly search?: string
  readonly stage?: string
  readonly includeDeleted?: boolean
  readonly total?: TotalInput
  /** The most records to count, or the fields of an aggregate whose greatest values are computed. */
  readonly max?: number | MeasuredFields
  readonly after?: string | null
  readonly before?: string | null
  readonly localeFallback?: boolean
  readonly groupBy?: unknown
  /** The options that only an aggregate has. */
  readonly count?: true
  readonly sum?: MeasuredFields
  readonly avg?: MeasuredFields
  readonly min?: MeasuredFields
  readonly having?: HavingInput
}

/** A room: the name of a channel, and the values of the channel's parameters. */
interface ChannelConfig {
  readonly resourceType: "channel"
  readonly resource: string
  readonly params?: unknown
  readonly read?: undefined
}

export type AnyTopic = (TopicConfig | ChannelConfig) & { readonly locale?: string }

/** A channel as the client requests it from the server, with an id that the client chose. */
export interface WireChannel {
  readonly id: string
  readonly channel: string
  readonly params?: unknown
  /** The id of the last channel event that the client received. */
  readonly lastEventId?: string | undefined
}

/** A collaborative document as the client requests it from the server, with an id that the client chose. */
export interface WireDocument {
  readonly id: string
  readonly resourceType: "collection" | "global"
  readonly resource: string
  /** The id of the record, unless the resource is a global. */
  readonly recordId?: string | undefined
  /** The name of the collaborative field. It may be left out if the resource has only one. */
  readonly field?: string | undefined
  /**
   * The locale of the value. It is ignored if the field is not localized. Without it, the server chooses one by the
   * `accept-language` header.
   */
  readonly locale?: string | undefined
  /** The epoch of the client's replica, if it has one. */
  readonly epoch?: string | undefined
  /** The state vector of the client's replica, in base64. */
  readonly stateVector?: string | undefined
}

/** The topic of a subscription to the session of the client itself. */
export const SESSION_TOPIC = '{"resourceType":"session"}'

/** The session of the stream's client as the client requests it from the server, with an id that the client chose. */
export interface WireSession {
  readonly id: string
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash?: string | undefined
}

/** A live query as the client requests it from the server, with an id that the client chose. */
export interface WireTopic extends TopicConfig {
  readonly id: string
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash?: string
}

/** The names of the options that a topic can have, by the kind of its resource. */
export const TOPIC_OPTIONS = {
  collection: ["where", "with", "limit", "offset", "orderBy", "locale"],
  global: ["with", "locale"],
  channel: ["params", "presence"],
} as const

/**
 * The names of the read options that a topic may be given, but does not carry: they have no effect, unless they are
 * members of `read`. Any other unknown member is refused.
 */
export const DROPPED_OPTIONS: readonly string[] = ["columns", "groupBy", "search", "includeDeleted", "stage"]
