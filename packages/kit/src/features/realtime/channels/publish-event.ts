import type { Connection } from "../../../ports/database.ts"
import { parseBySchema } from "../../../schema/builders/parse-by-schema.ts"
import type { StandardSchema } from "../../../schema/compile/validation.ts"
import { insertChannelEvent } from "../../../sql/internal/channel-events.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import type { PublishedEvent } from "../../../wire/typed/typed-channels.ts"
import type { RoomAddress } from "./channel-address.ts"
import { serializeData } from "./serialized-data.ts"

/** Returns the schema for the event's data. Throws if the channel does not declare the event. */
export function schemaOfEvent({ definition: { events } }: RoomAddress, event: unknown): StandardSchema {
  const schema = typeof event === "string" ? events.get(event) : undefined
  if (schema) return schema
  throw invalid("event", `There is no such event.${typeof event === "string" ? didYouMean(event, events.keys()) : ""}`)
}

/**
 * Stores an event through this connection. If the connection is in a transaction, the commit notifies all processes.
 */
export async function publishEvent(
  connection: Connection,
  address: RoomAddress,
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
    insertChannelEvent({ room: address.roomKey, event, ...serializeData(parsed.value) }),
  )
  return { eventId: String(rows[0]?.[0]) }
}
