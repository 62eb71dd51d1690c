import { type AnyTopic, DROPPED_OPTIONS, TOPIC_OPTIONS, type TopicConfig } from "../../wire/realtime/topic.ts"
import { definedOnly } from "../resources/query.ts"
import { refuseUnknown } from "../transport/refuse-unknown.ts"

/**
 * Returns the options that a topic of this kind carries. Leaves out undefined options, and the options of a `find` that a
 * live query drops. Throws if there are others.
 */
export function topicOptions(kind: AnyTopic["resourceType"], options: object = {}): Record<string, unknown> {
  const carried = definedOnly(options)
  for (const name of DROPPED_OPTIONS) delete carried[name]
  const known: readonly string[] | undefined = TOPIC_OPTIONS[kind]
  // A topic of another kind is refused when it is subscribed to.
  if (known) refuseUnknown(carried, known)
  return carried
}

/** Returns the topic of a live `find`. Leaves out undefined options, and options that a live query cannot have. */
export function buildCollectionTopic(name: string, options?: object): TopicConfig {
  return { resourceType: "collection", resource: name, ...topicOptions("collection", options) }
}

/** Returns the topic of a live `get` of a global. */
export function buildGlobalTopic(name: string, options?: object): TopicConfig {
  return { resourceType: "global", resource: name, ...topicOptions("global", options) }
}
