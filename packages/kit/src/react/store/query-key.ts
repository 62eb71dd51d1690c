import type { HandleFacts } from "../../client/handle-facts.ts"
import { isObject } from "../../wire/codecs/is-object.ts"

/** A read of a handle with options. */
export interface Query {
  readonly facts: HandleFacts
  readonly options: object
  /** The client's locale when the read was asked for. */
  readonly locale: string | undefined
  /** The topic of the read on the client's stream. */
  readonly topic: string
  /** Identifies the read among the reads of a client. Equal options in any order have the same key. */
  readonly key: string
}

/**
 * Returns a read in the client's current locale. Throws if the options contain something that cannot be sent, such as an
 * undefined condition of a filter.
 */
export function queryOf(facts: HandleFacts, options: object): Query {
  if (facts.kind === "record" && typeof facts.id !== "string") {
    throw new TypeError(
      `record(${JSON.stringify(facts.id)}): an id is a string. Without one, pass null as the options.`,
    )
  }
  const topic = facts.parts.topicOf(facts, options)
  const { locale } = facts.parts.transport
  return { facts, options, locale, topic, key: canonicalText(topic) }
}

/** Returns the same JSON text for all texts that differ only in the order of members. */
export function canonicalText(json: string): string {
  return JSON.stringify(canonical(JSON.parse(json), ""))
}

// Sorts the members of objects by name. An `orderBy` stays as it is, because the order of its members has a meaning, even
// of those that name the fields of a related record.
function canonical(value: unknown, name: string): unknown {
  if (name === "orderBy" || !isObject(value)) return value
  if (Array.isArray(value)) return value.map((item) => canonical(item, name))
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // A list, because an object would have members whose names are numbers first.
  return { of: entries.map(([inner, member]) => [inner, canonical(member, inner)]) }
}
