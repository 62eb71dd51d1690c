import { createHmac, timingSafeEqual } from "node:crypto"

/**
 * The id and the token of a stream, sent to the client in the first event. A client that presents both may change the
 * stream's topics.
 */
export interface StreamCredentials {
  readonly sessionId: string
  readonly token: string
}

/** The credentials that a client presents to change the topics of a stream, and the id of the signed-in user. */
interface PresentedCredentials extends StreamCredentials {
  readonly userId: string | undefined
}

/**
 * Issues and verifies the tokens of streams. A token is a signature of the stream id and the user id, so any process of
 * the app can verify that the app has opened this stream for this user. Nothing is stored for an invented stream id.
 */
export class StreamTokens {
  readonly #instance: string
  readonly #secret: () => Promise<string>

  constructor(instance: string, secret: () => Promise<string>) {
    this.#instance = instance
    this.#secret = secret
  }

  /** Issues the id and the token for a new stream of this process. */
  async issue(userId: string | undefined): Promise<StreamCredentials> {
    const sessionId = `${this.#instance}.${crypto.randomUUID()}`
    return { sessionId, token: await this.#sign(sessionId, userId) }
  }

  /**
   * True if a process with the same secret issued this token for this stream and this user (undefined if not signed
   * in).
   */
  async isIssued({ sessionId, token, userId }: PresentedCredentials): Promise<boolean> {
    return timingSafeEqualText(token, await this.#sign(sessionId, userId))
  }

  // Returns the signature of a stream id and a user id. The string "kit-stream" is signed too, so that no signature
  // made with the same secret for another purpose is valid here.
  async #sign(sessionId: string, userId: string | undefined): Promise<string> {
    const signed = JSON.stringify(["kit-stream", sessionId, userId ?? null])
    return createHmac("sha256", await this.#secret())
      .update(signed)
      .digest("base64url")
  }
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const STREAM_ID = new RegExp(`^${UUID}\\.${UUID}$`)

/** True if the text can be the id of a stream. */
export function isStreamId(text: string): boolean {
  return STREAM_ID.test(text)
}

/** Returns the id of the process that holds the stream; an empty text if the stream id is invented. */
export function holderOf(streamId: string): string {
  return streamId.split(".", 1)[0] ?? ""
}

/**
 * True if both strings are equal. Takes constant time: a nearly correct string takes as long as any other of the same
 * length.
 */
export function timingSafeEqualText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
