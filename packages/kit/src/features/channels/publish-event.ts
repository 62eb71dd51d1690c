import { authoredAnswer } from "../../engine/answer.ts"
import { answerText } from "../../engine/answer-text.ts"
import type { Connection } from "../../ports/database.ts"
import { parseBySchema } from "../../schema/parse-by-schema.ts"
import type { StandardSchema } from "../../schema/validation.ts"
import { insertChannelEvent } from "../../sql/channel-events.ts"
import { ApiError, invalid } from "../../wire/api-error.ts"
import { didYouMean } from "../../wire/did-you-mean.ts"
import type { PublishedEvent } from "../../wire/typed-channels.ts"
import type { ChannelAddress } from "./channel-address.ts"

const MAX_EVENT_BYTES = 16 * 1024

/** The schema of an event's data, or that there is no such event. */
export function schemaOfEvent({ definition: { events } }: ChannelAddress, event: unknown): StandardSchema {
  const schema = typeof event === "string" ? events.get(event) : undefined
  if (schema) return schema
  throw invalid("event", `There is no such event.${typeof event === "string" ? didYouMean(event, events.keys()) : ""}`)
}

/** Stores an event on this connection: as part of its transaction if there is one, which then tells of it. */
export async function publishEvent(
  connection: Connection,
  address: ChannelAddress,
  { event, data }: { readonly event: string; readonly data: unknown },
): Promise<PublishedEvent> {
  const parsed = await parseBySchema(schemaOfEvent(address, event), data)
  if ("fieldErrors" in parsed) {
    const fieldErrors = parsed.fieldErrors.map(({ path, message }) => ({
      path: path === "" ? "data" : `data.${path}`,
      message,
    }))
    throw new ApiError("VALIDATION_ERROR", { fieldErrors })
  }
  const { rows } = await connection.query(
    insertChannelEvent({ place: address.place, event, ...writtenData(parsed.value) }),
  )
  return { eventId: String(rows[0]?.[0]) }
}

function writtenData(value: unknown): { data: string; extended: string | null } {
  const given = authoredAnswer(value ?? null)
  const data = answerText(given, false)
  const extended = answerText(given, true)
  if (Buffer.byteLength(extended) > MAX_EVENT_BYTES) {
    const message = `An event has at most ${MAX_EVENT_BYTES} bytes of JSON. Store the data and publish its id.`
    throw new ApiError("PAYLOAD_TOO_LARGE", { message })
  }
  return { data, extended: extended === `{"json":${data}}` ? null : extended }
}
