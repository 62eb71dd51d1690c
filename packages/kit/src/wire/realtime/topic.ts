import type { OrderByInput, WhereInput } from "../options/query-options.ts"

/** What a live query is about: a resource, and the options of the read. Equal topics are one. */
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

/** A channel, and which of those that its file declares. */
export interface ChannelConfig {
  readonly resourceType: "channel"
  readonly resource: string
  readonly params?: unknown
}

export type AnyTopic = (TopicConfig | ChannelConfig) & { readonly locale?: string }

/** A channel on the wire, by the name that its client gave it. */
export interface WireChannel {
  readonly id: string
  readonly channel: string
  readonly params?: unknown
  /** What the client has heard last. */
  readonly lastEventId?: string | undefined
}

/** A topic on the wire, by the name that its client gave it. */
export interface WireTopic extends TopicConfig {
  readonly id: string
  /** Of the snapshot that the client has already. */
  readonly lastHash?: string
}

/** The options of a read that a topic carries, by the kind of its resource; others are left out. */
export const TOPIC_OPTIONS = {
  collection: ["where", "with", "limit", "offset", "orderBy", "locale"],
  global: ["with", "locale"],
} as const

/** The topic of a live `find`. Options that are undefined are left out, as are those that a topic does not carry. */
export function buildCollectionTopic(name: string, options: object = {}): TopicConfig {
  return { resourceType: "collection", resource: name, ...carried("collection", options) }
}

/** The topic of a live `get`. */
export function buildGlobalTopic(name: string, options: object = {}): TopicConfig {
  return { resourceType: "global", resource: name, ...carried("global", options) }
}

function carried(kind: keyof typeof TOPIC_OPTIONS, options: object): object {
  const given = TOPIC_OPTIONS[kind].map((name) => [name, Reflect.get(options, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
