import { readMembers } from "../../../engine/context/read-members.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import { isJsonObject } from "../topics/request-shape.ts"
import type { TopicKind, TopicRequest } from "../topics/topic-kind.ts"

/**
 * The parsed body of a request. Without `stream`, the request opens a stream with these topics. With `stream`, it
 * replaces the topics of that stream.
 */
export interface StreamRequest {
  readonly topics: readonly TopicRequest[]
  readonly stream: { readonly sessionId: string; readonly token: string } | undefined
}

/** The requested topics of one kind, before they are parsed. */
interface TopicList {
  readonly kind: TopicKind
  readonly topics: readonly unknown[]
}

type RequestBody = Readonly<Record<string, unknown>>

/**
 * Parses the body of a request that opens or changes a stream. Throws if the body or the shape of a topic is invalid.
 */
export function readTopics(kinds: readonly TopicKind[], body: unknown, maxTopics: number): StreamRequest {
  if (!isJsonObject(body)) throw invalid("", "Expected an object with topics.")
  checkMembers(kinds, body)
  const lists = readLists(kinds, body)
  checkCount(lists, maxTopics)
  const topics = lists.flatMap(readList)
  checkIds(topics)
  return { topics, stream: readStream(body) }
}

function checkMembers(kinds: readonly TopicKind[], body: RequestBody): void {
  const members = kinds.map(({ member }) => member)
  // Some clients send the whole `session` event back, which contains the id of the user, too.
  readMembers(body, [...members, "sessionId", "token", "userId"])
}

function readLists(kinds: readonly TopicKind[], body: RequestBody): readonly TopicList[] {
  if (!kinds.some(({ member }) => body[member])) throw invalid("topics", "Expected a list of topics.")
  return kinds.map((kind) => {
    const { [kind.member]: topics = [] } = body
    if (!Array.isArray(topics)) throw invalid(kind.member, `Expected a list of ${kind.member}.`)
    return { kind, topics }
  })
}

// Counts the topics of all kinds together. The error names the first list that does not fit.
function checkCount(lists: readonly TopicList[], maxTopics: number): void {
  const [, ...others] = lists.map(({ kind }) => kind.member)
  let count = 0
  for (const { kind, topics } of lists) {
    count += topics.length
    if (count <= maxTopics) continue
    throw invalid(kind.member, `A stream has at most ${maxTopics} topics, ${others.join(" and ")} included.`)
  }
}

function readList({ kind, topics }: TopicList): readonly TopicRequest[] {
  return topics.map((topic, index) => kind.read(topic, `${kind.member}.${index}`))
}

function checkIds(topics: readonly TopicRequest[]): void {
  const ids = new Set<string>()
  for (const { id } of topics) {
    if (ids.has(id)) throw new ApiError("BAD_REQUEST", { message: `Two topics have the id ${JSON.stringify(id)}.` })
    ids.add(id)
  }
}

function readStream({ sessionId, token }: RequestBody): StreamRequest["stream"] {
  if (sessionId === undefined && token === undefined) return undefined
  if (typeof sessionId === "string" && typeof token === "string") return { sessionId, token }
  throw invalid(typeof sessionId === "string" ? "token" : "sessionId", "Expected the text in the stream's first event.")
}
