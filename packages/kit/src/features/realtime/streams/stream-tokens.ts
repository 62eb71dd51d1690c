import { createHmac, timingSafeEqual } from "node:crypto"

/** The credentials of a stream, sent in its first event. A client that presents both may change its topics. */
export interface StreamCredentials {
  readonly sessionId: string
  readonly token: string
}

/** The credentials that a client presents to change the topics of a stream. */
interface PresentedCredentials extends StreamCredentials {
  readonly userId: string | undefined
}

/**
 * Signs the ids of streams. From a token, a process can verify that a process of the app opened the stream, and for
 * which user, without contacting it. So nothing is stored for a stream id that a client has invented.
 */
export class StreamTokens {
  readonly #instance: string
  readonly #secret: () => Promise<string>

  constructor(instance: string, secret: () => Promise<string>) {
    this.#instance = instance
    this.#secret = secret
  }

  /** Issues the id and the token of a new stream of this process. */
  async issue(userId: string | undefined): Promise<StreamCredentials> {
    const sessionId = `${this.#instance}.${crypto.randomUUID()}`
    return { sessionId, token: await this.#sign(sessionId, userId) }
  }

  /** True if a process with the same secret issued this token for this user, or for a client that is not signed in. */
  async isIssued({ sessionId, token, userId }: PresentedCredentials): Promise<boolean> {
    return timingSafeEqualText(token, await this.#sign(sessionId, userId))
  }

  // The first element separates these signatures from others that use the same secret.
  async #sign(sessionId: string, userId: string | undefined): Promise<string> {
    const signed = JSON.stringify(["kit-stream", sessionId, userId ?? null])
    return createHmac("sha256", await this.#secret())
      .update(signed)
      .digest("base64url")
  }
}

/** Compares two texts in constant time: a text that is nearly right takes as long as any other. */
export function timingSafeEqualText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
