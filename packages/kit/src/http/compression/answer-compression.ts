import type { IncomingCall, OutgoingAnswer } from "../../ports/http.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { AcceptedCodings, type Coding } from "./accepted-coding.ts"
import { codingsFor, compress } from "./compress.ts"

/** A response whose whole body is in memory. */
interface WholeAnswer extends OutgoingAnswer {
  readonly body: string | Uint8Array
}

interface CompressionParts {
  /** False if responses are never compressed, because the app says so. */
  readonly isEnabled: boolean
  /** True if a page of another site may have sent the request. */
  isFromOtherSite(call: IncomingCall): boolean
}

// A shorter response fits into one packet either way.
const MIN_COMPRESSED_BYTES = 1024

/**
 * Decides which responses are compressed. A page of another site can have the browser of a signed-in user send requests
 * with text of its choice. If the length of a compressed response then depended on whether that text and a secret in the
 * response are alike, an observer of the network could guess the secret. Such responses are sent as they are.
 */
export class AnswerCompression {
  readonly #parts: CompressionParts

  constructor(parts: CompressionParts) {
    this.#parts = parts
  }

  /** Returns the response as it is sent to the caller. */
  encode(call: IncomingCall, answer: OutgoingAnswer): MaybePromise<OutgoingAnswer> {
    if (!isWhole(answer)) return answer
    const coding = this.choose(call, answer)
    return coding === undefined
      ? answer
      : whenReady(compress(answer.body, coding), (body) => encoded(answer, coding, body))
  }

  /**
   * Returns the coding in which to send the response; undefined for none. If the choice depends on the request, the
   * headers of the response say so, whatever is chosen.
   */
  choose(call: IncomingCall, { headers, body }: WholeAnswer): Coding | undefined {
    if (!this.#parts.isEnabled) return undefined
    const header = call.headers.get("accept-encoding")
    const accepted = header === null ? undefined : new AcceptedCodings(header)
    if (!isLong(body) && !accepted?.refusesPlain) return undefined
    headers["vary"] = withAcceptEncoding(headers["vary"])
    if (accepted === undefined || this.#parts.isFromOtherSite(call)) return undefined
    return accepted.preferred(codingsFor(body))
  }
}

export function isWhole(answer: OutgoingAnswer): answer is WholeAnswer {
  return typeof answer.body === "string" || answer.body instanceof Uint8Array
}

/** Returns the response with its body in the coding. */
export function encoded(answer: OutgoingAnswer, coding: Coding, body: Uint8Array): OutgoingAnswer {
  return { ...answer, headers: { ...answer.headers, "content-encoding": coding }, body }
}

function isLong(body: string | Uint8Array): boolean {
  // A text has at least as many bytes as characters, which need not be counted.
  return body.length >= MIN_COMPRESSED_BYTES || Buffer.byteLength(body) >= MIN_COMPRESSED_BYTES
}

function withAcceptEncoding(vary: string | readonly string[] | undefined): string {
  return vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`
}
