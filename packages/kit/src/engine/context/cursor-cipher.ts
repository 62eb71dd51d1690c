import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto"

/**
 * Encrypts and decrypts cursors with a key of the app's secret. Nobody can read a value in a cursor or make one up. Equal
 * texts give equal cursors, so that equal pages are equal, too.
 */
export class CursorCipher {
  readonly #secret: () => Promise<string>
  #keys: Promise<Keys> | undefined

  /** `secret` is called for the first cursor, because an app without cursors needs no secret. */
  constructor(secret: () => Promise<string>) {
    this.#secret = secret
  }

  /** Encrypts a text for `owner`. */
  async encrypt(text: string, owner: string): Promise<string> {
    const keys = await this.#open()
    const nonce = nonceOf(keys, text, owner)
    const cipher = createCipheriv(ALGORITHM, keys.encryption, nonce).setAAD(Buffer.from(owner))
    const encrypted = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
    return encrypted.toString("base64url")
  }

  /** Decrypts a cursor. Returns undefined unless it was encrypted for `owner` by an app with the same secret. */
  async decrypt(cursor: string, owner: string): Promise<string | undefined> {
    const keys = await this.#open()
    const bytes = Buffer.from(cursor, "base64url")
    // Characters that are no base64url are skipped when they are decoded. A cursor has only one spelling.
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString("base64url") !== cursor) return undefined
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(ALGORITHM, keys.encryption, nonce)
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return isAuthentic(decipher) ? text.toString("utf8") : undefined
  }

  #open(): Promise<Keys> {
    this.#keys ??= this.#secret().then(keysOf)
    return this.#keys
  }
}

const ALGORITHM = "aes-256-gcm"
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface Keys {
  readonly encryption: Buffer
  readonly nonce: Buffer
}

// Derives the keys from the app's secret. The label separates them from everything else that uses the same secret.
function keysOf(secret: string): Keys {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "kit-cursor", 2 * KEY_BYTES))
  return { encryption: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) }
}

// Returns the nonce of a text. Two texts that differ must never share one, so it is a keyed hash of all that is encrypted.
function nonceOf({ nonce }: Keys, text: string, owner: string): Buffer {
  return createHmac("sha256", nonce)
    .update(JSON.stringify([owner, text]))
    .digest()
    .subarray(0, NONCE_BYTES)
}

function isAuthentic(decipher: { final(): Buffer }): boolean {
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}
