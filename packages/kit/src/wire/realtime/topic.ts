import type { OrderByInput, WhereInput } from "../options/query-options.ts"

/** The resource of a live query, and the options of the read. Equal topics are shared. */
export interface TopicConfig {
  readonly resourceType: "collection" | "global"
  readonly resource: string
  readonly where?: WhereInput
  readonly with?: { readonly [relation: string]: unknown }
  readonly limit?: number
  readonly offset?: number
  readonly orderBy?: OrderByInput
  readonly locale?: string
}

/** A room: a channel with the values of its parameters. */
export interface ChannelConfig {
  readonly resourceType: "channel"
  readonly resource: string
  readonly params?: unknown
}

export type AnyTopic = (TopicConfig | ChannelConfig) & { readonly locale?: string }

/** A channel on the wire, with the id that its client chose. */
export interface WireChannel {
  readonly id: string
  readonly channel: string
  readonly params?: unknown
  /** The id of the last event that the client received. */
  readonly lastEventId?: string | undefined
}

/** A topic on the wire, with the id that its client chose. */
export interface WireTopic extends TopicConfig {
  readonly id: string
  /** The hash of the snapshot that the client already has. */
  readonly lastHash?: string
}

/** The options of a read that a topic carries, by the kind of its resource; other options are left out. */
export const TOPIC_OPTIONS = {
  collection: ["where", "with", "limit", "offset", "orderBy", "locale"],
  global: ["with", "locale"],
} as const

/** Builds the topic of a live `find`. Leaves out undefined options, and options that a topic does not carry. */
export function buildCollectionTopic(name: string, options: object = {}): TopicConfig {
  return { resourceType: "collection", resource: name, ...carried("collection", options) }
}

/** Builds the topic of a live `get`. */
export function buildGlobalTopic(name: string, options: object = {}): TopicConfig {
  return { resourceType: "global", resource: name, ...carried("global", options) }
}

function carried(kind: keyof typeof TOPIC_OPTIONS, options: object): object {
  const given = TOPIC_OPTIONS[kind].map((name) => [name, Reflect.get(options, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
