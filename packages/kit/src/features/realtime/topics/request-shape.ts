import { invalid } from "../../../wire/errors/api-error.ts"
import { EVERY_TOPIC } from "../../../wire/realtime/live-events.ts"

const MAX_ID_LENGTH = 200

/** True if the value is an object in JSON, and not a list. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Throws if this is not a valid id for the topic at this path of a request's body. */
export function checkTopicId(id: unknown, path: string): asserts id is string {
  if (!isTopicId(id)) throw invalid(`${path}.id`, `Expected a text of 1 to ${MAX_ID_LENGTH} characters, not "*".`)
}

function isTopicId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH && id !== EVERY_TOPIC
}
