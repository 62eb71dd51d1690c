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
 * Signs stream ids. From the token alone, any process of the app can verify that a process of the app opened the
 * stream, and for which user. So nothing is stored for a stream id that a client has invented.
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

  // Returns the signature of a stream id and a user id. The element "kit-stream" separates these signatures from others
  // that use the same secret.
  async #sign(sessionId: string, userId: string | undefined): Promise<string> {
    const signed = JSON.stringify(["kit-stream", sessionId, userId ?? null])
    return createHmac("sha256", await this.#secret())
      .update(signed)
      .digest("base64url")
  }
}

/**
 * True if both texts are equal. Takes constant time: a nearly correct text takes as long as any other of the same
 * length.
 */
export function timingSafeEqualText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
