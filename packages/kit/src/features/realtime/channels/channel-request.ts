import { invalid } from "../../../wire/errors/api-error.ts"
import { checkTopicId, isJsonObject } from "../topics/request-shape.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"

/** A channel that a client requests. Its name and parameters are checked later, when its rules are evaluated. */
export interface ChannelRequest extends TopicRequest {
  readonly kind: "channel"
  readonly name: unknown
  readonly params: unknown
  /** The id of the last channel event that the client received. */
  readonly lastEventId: number | undefined
}

const MEMBERS: ReadonlySet<string> = new Set(["id", "channel", "params", "lastEventId"])

export function readChannelRequest(channel: unknown, path: string): ChannelRequest {
  if (!isJsonObject(channel)) throw invalid(path, "Expected a channel.")
  const unknown = Object.keys(channel).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, "There is no such member of a channel.")
  const { id, channel: name, params, lastEventId } = channel
  checkTopicId(id, path)
  if (lastEventId !== undefined && !isEventId(lastEventId)) throw invalid(`${path}.lastEventId`, "Expected an eventId.")
  const known = lastEventId === undefined ? undefined : Number(lastEventId)
  return { id, kind: "channel", name, params, lastEventId: known }
}

function isEventId(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
}
