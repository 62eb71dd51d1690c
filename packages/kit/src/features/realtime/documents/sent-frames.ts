import { ApiError } from "../../../wire/errors/api-error.ts"
import { ByteReader } from "./byte-reader.ts"

/** The two parts of a request with which a client changes a document. Either may be empty. */
export interface SentFrames {
  /** An update of the document, in the binary format of Yjs. */
  readonly update: Uint8Array
  /** An update of the Yjs awareness protocol: cursors and names. */
  readonly awareness: Uint8Array
}

const MAX_UPDATE_BYTES = 256 * 1024
const MAX_AWARENESS_BYTES = 16 * 1024
const MAX_LENGTH_BYTES = 8

/** The maximum number of bytes in the body of a request with both frames. */
export const MAX_FRAMES_BYTES = MAX_UPDATE_BYTES + MAX_AWARENESS_BYTES + 2 * MAX_LENGTH_BYTES

/** Reads the two frames in the body of a request, each preceded by its length. Throws if one of them is too large. */
export function readFrames(body: Uint8Array): SentFrames {
  const reader = new ByteReader(body)
  const update = reader.readBytes()
  const awareness = update && reader.readBytes()
  if (update === undefined || awareness === undefined || !reader.isAtEnd) {
    const message = "Expected two frames, an update and an awareness update, each preceded by its length."
    throw new ApiError("BAD_REQUEST", { message })
  }
  if (update.length > MAX_UPDATE_BYTES) throw tooLarge("An update", MAX_UPDATE_BYTES)
  if (awareness.length > MAX_AWARENESS_BYTES) throw tooLarge("An awareness update", MAX_AWARENESS_BYTES)
  return { update, awareness }
}

function tooLarge(what: string, maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { message: `${what} has at most ${maxBytes} bytes.`, context: { maxBytes } })
}
