import { readMembers } from "../../../engine/context/read-members.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { checkTopicId } from "../topics/request-shape.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"

/** A channel that a client requests. Its name and parameters are checked later, when its rules are evaluated. */
export interface ChannelRequest extends TopicRequest {
  readonly kind: "channel"
  readonly name: unknown
  readonly params: unknown
  /** The id of the last channel event that the client received. */
  readonly lastEventId: number | undefined
}

const MEMBERS = ["id", "channel", "params", "lastEventId"]

export function readChannelRequest(channel: unknown, path: string): ChannelRequest {
  const { id, channel: name, params, lastEventId } = readMembers(channel, MEMBERS, path)
  checkTopicId(id, path)
  if (lastEventId !== undefined && !isEventId(lastEventId)) throw invalid(`${path}.lastEventId`, EXPECTED_EVENT)
  const known = lastEventId === undefined ? undefined : Number(lastEventId)
  return { id, kind: "channel", name, params, lastEventId: known }
}

const EXPECTED_EVENT =
  'Expected the eventId of an event of this channel, or "0" for all events that are still stored. Leave it out for new events only.'

function isEventId(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
}
