import { type AnyTopic, SESSION_TOPIC, TOPIC_OPTIONS, type TopicConfig } from "../../wire/realtime/topic.ts"
import type { Subscription } from "./subscription.ts"
import { liveQueryOf, type WatchedTopic } from "./watched-topic.ts"

/** A live query as it is sent to the server, with the topic id that the subscriber chose, if any. */
export interface LiveQueryRequest {
  readonly customId: string | undefined
  readonly config: TopicConfig
  /** Identifies the query. Subscriptions to equal queries with the same custom id have the same key. */
  readonly key: string
}

/** A channel subscription as it is sent to the server. */
export interface ChannelRequest {
  readonly channel: string
  readonly params: unknown
  readonly lastEventId: string | undefined
  /** True if the subscriber gets the channel's presence members instead of its events. */
  readonly isPresence: boolean
  readonly key: string
}

/** The session of the client itself. */
export interface SessionRequest {
  readonly isSession: true
  readonly key: string
}

/**
 * Parses the topic of a subscription. Leaves out a locale that equals the `accept-language` header, which is sent
 * anyway.
 */
export function parseTopic(
  { topic, lastEventId }: Subscription,
  language: string | undefined,
): LiveQueryRequest | ChannelRequest | SessionRequest {
  if (topic === SESSION_TOPIC) return { isSession: true, key: SESSION_TOPIC }
  // The cast is safe: the client itself wrote this JSON string, from a topic, the options of a live query, a watched
  // handle, or the parameters of a channel.
  const asked = JSON.parse(topic) as ParsedTopic | WatchedTopic
  if (!("resourceType" in asked)) return queryOf(liveQueryOf(asked), language)
  return asked.resourceType === "channel" ? channelOf(asked, lastEventId) : queryOf(asked, language)
}

type ParsedTopic = AnyTopic & { readonly id?: string; readonly presence?: boolean }

/**
 * True if the topic is a channel. A channel's subscriber needs every event; a live query's subscriber only the newest
 * snapshot.
 */
export function isChannelTopic({ topic }: Subscription): boolean {
  return (JSON.parse(topic) as ParsedTopic).resourceType === "channel"
}

function channelOf(
  { resource, params = {}, presence = false }: Extract<ParsedTopic, { resourceType: "channel" }>,
  lastEventId: string | undefined,
): ChannelRequest {
  const key = JSON.stringify(["channel", resource, sorted(params), lastEventId])
  return { channel: resource, params, lastEventId, isPresence: presence, key }
}

function queryOf(
  { id, locale, ...given }: TopicConfig & { id?: string },
  language: string | undefined,
): LiveQueryRequest {
  const config = pickOptions(locale === undefined || locale === language ? given : { ...given, locale })
  return { customId: id, config, key: JSON.stringify([id ?? null, ...Object.entries(config).map(sortedOption)]) }
}

function pickOptions(given: TopicConfig): TopicConfig {
  const { resourceType, resource } = given
  // Invalid topics are rejected here, because the server would reject the whole stream.
  if (!["collection", "global"].includes(resourceType) || typeof resource !== "string") {
    throw new TypeError("A topic has a resourceType, collection or global, and a resource: use buildCollectionTopic.")
  }
  const names = [...TOPIC_OPTIONS[resourceType], "read"]
  const options = names.map((name) => [name, Reflect.get(given, name)] as const)
  return { resourceType, resource, ...Object.fromEntries(options.filter(([, value]) => value !== undefined)) }
}

// Returns an option in a canonical form, so that equal options give equal JSON: the keys of objects are sorted, except
// in `orderBy`, where their order matters.
function sortedOption([name, value]: [name: string, value: unknown]): unknown {
  if (name === "orderBy") return [name, JSON.stringify(value)]
  return [name, sorted(value)]
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return { entries: entries.map(sortedOption) }
}
