import { invalid } from "../../../wire/errors/api-error.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import { CURSOR_OPTIONS } from "../../../wire/options/cursor-options.ts"
import { DROPPED_OPTIONS, TOPIC_OPTIONS } from "../../../wire/realtime/topic.ts"
import { checkTopicId, isJsonObject } from "../topics/request-shape.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"

/** A live query that a client requests. Its resource and options are checked later, when its rules are evaluated. */
export interface QueryRequest extends TopicRequest {
  readonly kind: "collection" | "global"
  readonly name: string
  /** All options of the read: those of the topic, and those of its member `read`. */
  readonly options: Readonly<Record<string, unknown>>
  /** The operation, and the id of the record, that the member `read` names. They are checked with the options. */
  readonly operation?: unknown
  readonly recordId?: unknown
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash: string | undefined
  /** A member that a topic does not have. The topic then gets an error, and the other topics of the stream live on. */
  readonly unknownMember?: string
}

const MEMBERS = ["id", "resourceType", "resource", "lastHash", "read"]

export function readQueryRequest(topic: unknown, path: string): QueryRequest {
  if (!isJsonObject(topic)) throw invalid(path, "Expected a topic.")
  const { id, resourceType: kind, resource: name, lastHash } = topic
  checkTopicId(id, path)
  if (kind !== "collection" && kind !== "global") {
    throw invalid(`${path}.resourceType`, 'Expected "collection" or "global".')
  }
  if (typeof name !== "string") throw invalid(`${path}.resource`, "Expected the name of a collection or a global.")
  if (lastHash !== undefined && typeof lastHash !== "string") throw invalid(`${path}.lastHash`, "Expected a text.")
  const options = present(TOPIC_OPTIONS[kind].map((option) => [option, topic[option]]))
  const read = withRead({ kind, options }, topic["read"] ?? {}, `${path}.read`)
  const known: readonly string[] = [...MEMBERS, ...TOPIC_OPTIONS[kind], ...DROPPED_OPTIONS]
  const unknownMember = Object.keys(topic).find((member) => !known.includes(member))
  return { id, kind, name, ...read, lastHash, ...(unknownMember !== undefined && { unknownMember }) }
}

/** Throws if the topic has a member that topics of its kind do not have. */
export function checkTopicMembers({ kind, unknownMember }: QueryRequest): void {
  if (unknownMember === undefined) return
  const names: readonly string[] = TOPIC_OPTIONS[kind]
  throw invalid(unknownMember, `A topic has no "${unknownMember}".${didYouMean(unknownMember, [...names, "read"])}`)
}

type ReadOptions = Pick<QueryRequest, "options" | "operation" | "recordId">

// Adds the members of `read` to the options. All of them become options, which are checked like those of a `find`.
function withRead({ kind, options }: Pick<QueryRequest, "kind" | "options">, read: unknown, path: string): ReadOptions {
  if (!isJsonObject(read)) throw invalid(path, "Expected an object of options.")
  const { operation, id: recordId, ...more } = present(Object.entries(read))
  const misplaced = TOPIC_OPTIONS[kind].find((option) => option in more)
  if (misplaced !== undefined) throw invalid(`${path}.${misplaced}`, "Send this option as a member of the topic.")
  return {
    options: { ...options, ...more },
    ...(operation !== undefined && { operation }),
    ...(recordId !== undefined && { recordId }),
  }
}

// Leaves out options that are undefined or null, which count as not set. A cursor that is null means the beginning or
// the end of a list.
function present(entries: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const isSet = (name: string, value: unknown) =>
    value !== undefined && (value !== null || CURSOR_OPTIONS.includes(name))
  return Object.fromEntries(entries.filter(([name, value]) => isSet(name, value)))
}
