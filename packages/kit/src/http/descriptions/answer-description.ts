import type { OutgoingAnswer } from "../../ports/http.ts"
import type { HeaderReader } from "../../ports/session-provider.ts"
import { matchesEntityTag } from "../../wire/codecs/entity-tag.ts"
import { acceptsCoding } from "./accepts-coding.ts"
import { EncodedBodies } from "./encoded-bodies.ts"

// A shorter response fits into one packet either way.
const MIN_COMPRESSED_BYTES = 1024

const bodies = new EncodedBodies()

/**
 * Returns the JSON response of a description with its entity tag: without a body if the caller already has it,
 * otherwise compressed if it is long and the caller accepts that. The work of compressing is done outside the event
 * loop.
 */
export async function answerDescription(answer: OutgoingAnswer, asked: HeaderReader): Promise<OutgoingAnswer> {
  const { body } = answer
  if (typeof body !== "string") return answer
  const { etag, bytes, compressed } = bodies.encode(body)
  const headers = { ...answer.headers, etag, vary: withAcceptEncoding(answer.headers["vary"]) }
  if (matchesEntityTag(asked.get("if-none-match"), etag)) return { status: 304, headers, body: "" }
  if (bytes.length < MIN_COMPRESSED_BYTES || !acceptsCoding(asked.get("accept-encoding"), "gzip")) {
    return { ...answer, headers, body: bytes }
  }
  return { ...answer, headers: { ...headers, "content-encoding": "gzip" }, body: await compressed() }
}

function withAcceptEncoding(vary: string | readonly string[] | undefined): string {
  return [vary ?? [], "Accept-Encoding"].flat().join(", ")
}
