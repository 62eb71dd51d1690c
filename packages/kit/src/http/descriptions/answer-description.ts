import type { IncomingCall, OutgoingAnswer } from "../../ports/http.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { matchesEntityTag } from "../../wire/codecs/entity-tag.ts"
import { type AnswerCompression, encoded } from "../compression/answer-compression.ts"
import { EncodedBodies } from "./encoded-bodies.ts"

const bodies = new EncodedBodies()

/**
 * Returns the JSON response of a description with its entity tag: without a body if the caller already has it,
 * otherwise as `AnswerCompression` sends it.
 */
export function answerDescription(
  call: IncomingCall,
  answer: OutgoingAnswer,
  compression: AnswerCompression,
): MaybePromise<OutgoingAnswer> {
  if (typeof answer.body !== "string") return answer
  const { etag, bytes, compressed } = bodies.encode(answer.body)
  const headers = { ...answer.headers, etag }
  const plain = { ...answer, headers, body: bytes }
  const coding = compression.choose(call, plain)
  if (matchesEntityTag(call.headers.get("if-none-match"), etag)) return { status: 304, headers, body: "" }
  return coding === undefined ? plain : whenReady(compressed(coding), (body) => encoded(plain, coding, body))
}
