import { ApiError, invalid } from "../../wire/api-error.ts"
import { EVERY_TOPIC } from "../../wire/live-events.ts"
import { TOPIC_OPTIONS } from "../../wire/topic.ts"

/** A topic as it was asked for; what it names is looked at when it is planned. */
export interface AskedTopic {
  readonly id: string
  readonly kind: "collection" | "global"
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** Of the snapshot that the client has. */
  readonly lastHash: string | undefined
}

/** What a body asks for: a stream of these topics or, with the names of a stream, that it has these topics from now on. */
export interface AskedTopics {
  readonly topics: readonly AskedTopic[]
  readonly stream: { readonly sessionId: string; readonly token: string } | undefined
}

const MAX_ID_LENGTH = 200
const MEMBERS: ReadonlySet<string> = new Set(["topics", "sessionId", "token"])

/** Reads the body of a call; what is wrong with all of it, or with the shape of a topic, is refused here. */
export function readTopics(body: unknown, maxTopics: number): AskedTopics {
  if (!isObject(body)) throw invalid("", "Expected an object with topics.")
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) throw invalid(unknown, `There is no "${unknown}" here. Give topics.`)
  const { topics } = body
  if (!Array.isArray(topics)) throw invalid("topics", "Expected a list of topics.")
  if (topics.length > maxTopics) throw invalid("topics", `A stream has at most ${maxTopics} topics.`)
  const read = topics.map((topic, index) => readTopic(topic, `topics.${index}`))
  checkIds(read)
  return { topics: read, stream: readStream(body) }
}

function readStream({ sessionId, token }: Readonly<Record<string, unknown>>): AskedTopics["stream"] {
  if (sessionId === undefined && token === undefined) return undefined
  if (typeof sessionId === "string" && typeof token === "string") return { sessionId, token }
  throw invalid(typeof sessionId === "string" ? "token" : "sessionId", "Expected the text that the stream began with.")
}

function readTopic(topic: unknown, path: string): AskedTopic {
  if (!isObject(topic)) throw invalid(path, "Expected a topic.")
  const { id, resourceType: kind, resource: name, lastHash } = topic
  if (!isTopicId(id)) throw invalid(`${path}.id`, `Expected a text of 1 to ${MAX_ID_LENGTH} characters, not "*".`)
  if (kind !== "collection" && kind !== "global") {
    throw invalid(`${path}.resourceType`, 'Expected "collection" or "global".')
  }
  if (typeof name !== "string") throw invalid(`${path}.resource`, "Expected the name of a collection or a global.")
  if (lastHash !== undefined && typeof lastHash !== "string") throw invalid(`${path}.lastHash`, "Expected a text.")
  // Options that a topic does not carry are not looked at.
  const given = TOPIC_OPTIONS[kind].map((option) => [option, topic[option]] as const)
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null))
  return { id, kind, name, options, lastHash }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isTopicId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH && id !== EVERY_TOPIC
}

function checkIds(topics: readonly AskedTopic[]): void {
  const ids = new Set<string>()
  for (const { id } of topics) {
    if (ids.has(id)) throw new ApiError("BAD_REQUEST", { message: `Two topics have the id ${JSON.stringify(id)}.` })
    ids.add(id)
  }
}
