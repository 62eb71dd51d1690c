import { invalid } from "../../../wire/errors/api-error.ts"
import { TOPIC_OPTIONS } from "../../../wire/realtime/topic.ts"
import { checkTopicId, isJsonObject } from "../topics/request-shape.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"

/** A live query that a client requests. Its resource and options are checked later, when its rules are evaluated. */
export interface QueryRequest extends TopicRequest {
  readonly kind: "collection" | "global"
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash: string | undefined
}

export function readQueryRequest(topic: unknown, path: string): QueryRequest {
  if (!isJsonObject(topic)) throw invalid(path, "Expected a topic.")
  const { id, resourceType: kind, resource: name, lastHash } = topic
  checkTopicId(id, path)
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
