import { createHmac, timingSafeEqual } from "node:crypto"

interface SignedLink {
  /** The URL path with its query string. */
  readonly url: string
  readonly expiresAt: string
}

const LIFETIME_MS = 60 * 60 * 1000

/** Creates and checks signed links to files. Such a link works without a session, and expires. */
export class SignedLinks {
  readonly #secret: () => Promise<string>

  /** `secret` is called when the first link is signed or checked, because an app without files needs no secret. */
  constructor(secret: () => Promise<string>) {
    this.#secret = secret
  }

  async sign(path: string, now: Date): Promise<SignedLink> {
    const expiresAt = new Date(now.getTime() + LIFETIME_MS)
    const expires = String(expiresAt.getTime())
    const signature = await this.#signatureOf(path, expires)
    return { url: `${path}?expires=${expires}&signature=${signature}`, expiresAt: expiresAt.toISOString() }
  }

  /** True if the query string contains a valid signature for this URL path and the signature has not expired. */
  async isSigned(path: string, query: string, now: Date): Promise<boolean> {
    const given = new URLSearchParams(query)
    const [expires, signature] = [given.get("expires"), given.get("signature")]
    if (expires === null || signature === null || !(Number(expires) > now.getTime())) return false
    const expected = Buffer.from(await this.#signatureOf(path, expires))
    const found = Buffer.from(signature)
    return found.length === expected.length && timingSafeEqual(found, expected)
  }

  // Returns the signature of a link. The prefix separates it from other signatures that use the same secret.
  async #signatureOf(path: string, expires: string): Promise<string> {
    const hmac = createHmac("sha256", await this.#secret())
    return hmac.update(`kit-file\n${path}\n${expires}`).digest("base64url")
  }
}
