import { createHmac, timingSafeEqual } from "node:crypto"

/** What a stream begins with: whoever shows both may change its topics. */
export interface StreamNames {
  readonly sessionId: string
  readonly token: string
}

/** What somebody shows to change the topics of a stream. */
interface ShownNames extends StreamNames {
  readonly userId: string | undefined
}

/**
 * Signs the ids of streams. A process sees from a token that some process of the app has opened the stream, and for whom,
 * without asking it: nothing is stored for a stream that somebody has made up.
 */
export class StreamTokens {
  readonly #instance: string
  readonly #secret: () => Promise<string>

  constructor(instance: string, secret: () => Promise<string>) {
    this.#instance = instance
    this.#secret = secret
  }

  /** The names of a new stream of this process. */
  async issue(userId: string | undefined): Promise<StreamNames> {
    const sessionId = `${this.#instance}.${crypto.randomUUID()}`
    return { sessionId, token: await this.#sign(sessionId, userId) }
  }

  /** Whether a process with the same secret has issued these names for this user, or for one who is not signed in. */
  async isIssued({ sessionId, token, userId }: ShownNames): Promise<boolean> {
    return isSameText(token, await this.#sign(sessionId, userId))
  }

  // The first word keeps what is signed here apart from what the secret signs elsewhere.
  async #sign(sessionId: string, userId: string | undefined): Promise<string> {
    const signed = JSON.stringify(["kit-stream", sessionId, userId ?? null])
    return createHmac("sha256", await this.#secret())
      .update(signed)
      .digest("base64url")
  }
}

/** Takes as long for a text that is nearly right as for any other. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
