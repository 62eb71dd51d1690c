import { TOPIC_OPTIONS, type TopicConfig } from "../../wire/topic.ts"

/** A topic as it is sent, with the id that its subscriber wants for it. */
export interface NamedTopic {
  readonly customId: string | undefined
  readonly config: TopicConfig
  /** The same for all topics that ask for the same. */
  readonly key: string
}

/** What the text of a subscription asks for. */
export function topicOf(text: string): NamedTopic {
  // Written by the client itself, from a topic or from the options of a live query.
  const { id, ...given } = JSON.parse(text) as TopicConfig & { id?: string }
  const config = carried(given)
  return { customId: id, config, key: JSON.stringify([id ?? null, ...Object.entries(config).map(sortedOption)]) }
}

function carried(given: TopicConfig): TopicConfig {
  const { resourceType, resource } = given
  // The server would refuse the whole stream for it.
  if (!["collection", "global"].includes(resourceType) || typeof resource !== "string") {
    throw new TypeError("A topic has a resourceType, collection or global, and a resource: use buildCollectionTopic.")
  }
  const names = resourceType === "global" ? TOPIC_OPTIONS.global : TOPIC_OPTIONS.collection
  const options = names.map((name) => [name, Reflect.get(given, name)] as const).filter(isSent)
  return { resourceType, resource, ...Object.fromEntries(options) }
}

// A header that lists languages can be the locale of a client: the server reads that, but not as an option.
function isSent([name, value]: readonly [name: string, value: unknown]): boolean {
  return value !== undefined && !(name === "locale" && /[,;]/.test(String(value)))
}

// In an order the first name comes first; elsewhere it does not matter how names follow each other.
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
