import { authoredAnswer } from "../../../engine/read/answer.ts"
import { answerText } from "../../../engine/read/answer-text.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"

/** A value as JSON text, and also as extended JSON text if plain JSON would lose type information. */
export interface SerializedData {
  readonly data: string
  readonly extended: string | undefined
}

const MAX_BYTES = 16 * 1024

/** Serializes the data of a channel event or of a room member. Throws if the resulting JSON exceeds the size limit. */
export function serializeData(value: unknown): SerializedData {
  const given = authoredAnswer(value ?? null)
  const data = answerText(given, false)
  const extended = answerText(given, true)
  if (Buffer.byteLength(extended) > MAX_BYTES) {
    const message = `Events and presence may have at most ${MAX_BYTES} bytes of JSON. Store the data and send its id.`
    throw new ApiError("PAYLOAD_TOO_LARGE", { message })
  }
  return { data, extended: extended === `{"json":${data}}` ? undefined : extended }
}
