import { TOPIC_OPTIONS, type TopicConfig } from "../../wire/topic.ts"

/** A topic as it is sent, with the id that its subscriber wants for it. */
export interface NamedTopic {
  readonly customId: string | undefined
  readonly config: TopicConfig
  /** The same for all topics that ask for the same. */
  readonly key: string
}

/** What the text of a subscription asks for; the language of the headers is left to them. */
export function topicOf(text: string, language: string | undefined): NamedTopic {
  // Written by the client itself, from a topic or from the options of a live query.
  const { id, locale, ...given } = JSON.parse(text) as TopicConfig & { id?: string }
  const config = carried(locale === undefined || locale === language ? given : { ...given, locale })
  return { customId: id, config, key: JSON.stringify([id ?? null, ...Object.entries(config).map(sortedOption)]) }
}

function carried(given: TopicConfig): TopicConfig {
  const { resourceType, resource } = given
  // The server would refuse the whole stream for it.
  if (!["collection", "global"].includes(resourceType) || typeof resource !== "string") {
    throw new TypeError("A topic has a resourceType, collection or global, and a resource: use buildCollectionTopic.")
  }
  const names = resourceType === "global" ? TOPIC_OPTIONS.global : TOPIC_OPTIONS.collection
  const options = names.map((name) => [name, Reflect.get(given, name)] as const)
  return { resourceType, resource, ...Object.fromEntries(options.filter(([, value]) => value !== undefined)) }
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
