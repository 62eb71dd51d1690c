import { createHash } from "node:crypto"
import { yieldToEventLoop } from "./time-slice.ts"

const HASH_LENGTH = 16
// Longer bytes are hashed in slices of this length. Hashing takes some milliseconds per megabyte.
const SLICE_LENGTH = 1024 * 1024

/**
 * Returns JSON text without the line breaks between its values, as snapshots are sent. PostgreSQL puts each record on a
 * line of its own. Line breaks inside JSON strings are escaped, so they are kept.
 */
export function onOneLine(json: string): string {
  return json.replaceAll("\n", "")
}

/** Returns the hash of a result. The text must be on one line. */
export function answerHash(text: string): string {
  return createHash("sha1").update(text).digest("base64url").slice(0, HASH_LENGTH)
}

/** Like `answerHash`, but takes the bytes of the text, and yields to the event loop during long work. */
export async function answerHashInSlices(bytes: Buffer): Promise<string> {
  const hash = createHash("sha1")
  for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
    if (bytes.length > SLICE_LENGTH) await yieldToEventLoop()
    hash.update(bytes.subarray(start, start + SLICE_LENGTH))
  }
  return hash.digest("base64url").slice(0, HASH_LENGTH)
}
