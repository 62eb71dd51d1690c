import type { HANDLE, Handle, HandleKind } from "../../wire/realtime/handle.ts"
import { TOPIC_OPTIONS, type TopicConfig, type TopicRead } from "../../wire/realtime/topic.ts"

/** The result of a handle with every option of its read. It is the topic of `watch` before it becomes a live query. */
export interface WatchedTopic extends Pick<Handle[typeof HANDLE], "resource" | "id"> {
  readonly kind: Exclude<HandleKind, "session">
  readonly locale?: string | undefined
  readonly options: object
}

const OPERATIONS = {
  collection: undefined,
  record: "record",
  total: "count",
  aggregates: "aggregate",
  global: undefined,
} as const

/**
 * Returns the live query of a watched handle. The options that every live query has are members of the topic. All
 * others are members of `read`, unknown ones too, so that the server can reject them as it does for `find`.
 */
export function liveQueryOf({ kind, resource, id, locale, options }: WatchedTopic): TopicConfig {
  if (kind === "record" && typeof id !== "string") throw new TypeError(`${JSON.stringify(id)} is not a record id.`)
  const resourceType = kind === "global" ? kind : "collection"
  const carried: readonly string[] = TOPIC_OPTIONS[resourceType]
  const topic: Record<string, unknown> = {}
  const read: Record<string, unknown> = readOf(kind, id)
  for (const [name, value] of Object.entries(withOffset(options))) (carried.includes(name) ? topic : read)[name] = value
  if (locale !== undefined) topic["locale"] = locale
  if (Object.keys(read).length > 0) topic["read"] = read
  return { ...topic, resourceType, resource }
}

function readOf(kind: WatchedTopic["kind"], id: string | undefined): TopicRead & Record<string, unknown> {
  const operation = OPERATIONS[kind]
  if (operation === undefined) return {}
  return id === undefined ? { operation } : { operation, id }
}

// Replaces the number of a page by the offset of its first record, so that both ways to request a page share a live
// query. A page that needs the server's default limit, or that the server rejects, is left unchanged.
function withOffset({ page, ...options }: { page?: unknown; limit?: unknown; offset?: unknown }): object {
  const { limit, offset } = options
  if (page === undefined) return options
  if (!isCount(page) || !isCount(limit) || offset !== undefined) return { ...options, page }
  return page === 1 ? options : { ...options, offset: (page - 1) * limit }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}
