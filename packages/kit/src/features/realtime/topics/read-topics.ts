import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import { EVERY_TOPIC } from "../../../wire/realtime/live-events.ts"
import { TOPIC_OPTIONS } from "../../../wire/realtime/topic.ts"

/** A live query that a client requests. Its resource and options are checked later, when its rules are evaluated. */
export interface LiveTopicRequest {
  readonly id: string
  readonly kind: "collection" | "global"
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash: string | undefined
}

/** A channel that a client requests. Its name and parameters are checked later, when its rules are evaluated. */
export interface ChannelTopicRequest {
  readonly id: string
  readonly kind: "channel"
  readonly name: unknown
  readonly params: unknown
  /** The id of the last channel event that the client received. */
  readonly lastEventId: number | undefined
}

export type TopicRequest = LiveTopicRequest | ChannelTopicRequest

/**
 * The parsed body of a request. Without `stream`, the request opens a stream with these topics. With `stream`, it
 * replaces the topics of that stream.
 */
export interface StreamRequest {
  readonly topics: readonly TopicRequest[]
  readonly stream: { readonly sessionId: string; readonly token: string } | undefined
}

const MAX_ID_LENGTH = 200
const MEMBERS: ReadonlySet<string> = new Set(["topics", "channels", "sessionId", "token"])

/**
 * Parses the body of a request that opens or changes a stream. Throws if the body or the shape of a topic is invalid.
 */
export function readTopics(body: unknown, maxTopics: number): StreamRequest {
  if (!isObject(body)) throw invalid("", "Expected an object with topics.")
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) throw invalid(unknown, `A request has no member "${unknown}". Send topics or channels.`)
  const { topics = body["channels"] && [], channels = [] } = body
  if (!Array.isArray(topics)) throw invalid("topics", "Expected a list of topics.")
  if (!Array.isArray(channels)) throw invalid("channels", "Expected a list of channels.")
  if (topics.length + channels.length > maxTopics) {
    const path = topics.length > maxTopics ? "topics" : "channels"
    throw invalid(path, `A stream has at most ${maxTopics} topics, channels included.`)
  }
  const read = [
    ...topics.map((topic, index) => readTopic(topic, `topics.${index}`)),
    ...channels.map((channel, index) => readChannel(channel, `channels.${index}`)),
  ]
  checkIds(read)
  return { topics: read, stream: readStream(body) }
}

function readStream({ sessionId, token }: Readonly<Record<string, unknown>>): StreamRequest["stream"] {
  if (sessionId === undefined && token === undefined) return undefined
  if (typeof sessionId === "string" && typeof token === "string") return { sessionId, token }
  throw invalid(typeof sessionId === "string" ? "token" : "sessionId", "Expected the text in the stream's first event.")
}

function readTopic(topic: unknown, path: string): LiveTopicRequest {
  if (!isObject(topic)) throw invalid(path, "Expected a topic.")
  const { id, resourceType: kind, resource: name, lastHash } = topic
  checkId(id, path)
  if (kind !== "collection" && kind !== "global") {
    throw invalid(`${path}.resourceType`, 'Expected "collection" or "global".')
  }
  if (typeof name !== "string") throw invalid(`${path}.resource`, "Expected the name of a collection or a global.")
  if (lastHash !== undefined && typeof lastHash !== "string") throw invalid(`${path}.lastHash`, "Expected a text.")
  // Reads only the options that a topic of this kind can have, and ignores all others.
  const given = TOPIC_OPTIONS[kind].map((option) => [option, topic[option]] as const)
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null))
  return { id, kind, name, options, lastHash }
}

const CHANNEL_KEYS: ReadonlySet<string> = new Set(["id", "channel", "params", "lastEventId"])

function readChannel(channel: unknown, path: string): ChannelTopicRequest {
  if (!isObject(channel)) throw invalid(path, "Expected a channel.")
  const unknown = Object.keys(channel).find((name) => !CHANNEL_KEYS.has(name))
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, "There is no such member of a channel.")
  const { id, channel: name, params, lastEventId } = channel
  checkId(id, path)
  if (lastEventId !== undefined && !isEventId(lastEventId)) throw invalid(`${path}.lastEventId`, "Expected an eventId.")
  const known = lastEventId === undefined ? undefined : Number(lastEventId)
  return { id, kind: "channel", name, params, lastEventId: known }
}

function isEventId(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
}

function checkId(id: unknown, path: string): asserts id is string {
  if (!isTopicId(id)) throw invalid(`${path}.id`, `Expected a text of 1 to ${MAX_ID_LENGTH} characters, not "*".`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isTopicId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH && id !== EVERY_TOPIC
}

function checkIds(topics: readonly TopicRequest[]): void {
  const ids = new Set<string>()
  for (const { id } of topics) {
    if (ids.has(id)) throw new ApiError("BAD_REQUEST", { message: `Two topics have the id ${JSON.stringify(id)}.` })
    ids.add(id)
  }
}
