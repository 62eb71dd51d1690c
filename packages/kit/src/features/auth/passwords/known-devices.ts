import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { type CookieSettings, cookieIn, cookieName } from "../sessions/credential.ts"

/** One entry of the device cookie: a browser that has signed in to an account before. */
interface KnownDevice {
  readonly id: string
  readonly signature: string
}

const ID_BYTES = 12
const SIGNATURE_BYTES = 16
const MAX_ACCOUNTS = 5
// The longest time for which browsers keep a cookie: 400 days.
const MAX_AGE_S = 400 * 24 * 60 * 60
const DEVICE = /^[\w-]{16}\.[\w-]{22}$/

/**
 * Reads and writes the cookie of a browser that has signed in to an account before. The cookie grants no access: it
 * gives the browser a separate limit on wrong passwords, which the guesses of an attacker do not use up. The signature
 * of each entry covers the account, so the server stores nothing.
 */
export class KnownDevices {
  readonly #settings: CookieSettings & { readonly path: string }

  constructor(settings: CookieSettings & { readonly path: string }) {
    this.#settings = settings
  }

  /** Returns the device id in the cookie header, or undefined if the device has not signed in to the account before. */
  find(cookieHeader: string | null, account: string): string | undefined {
    return this.#devicesIn(cookieHeader).find((device) => this.#isOf(device, account))?.id
  }

  /**
   * Returns the `Set-Cookie` header for a device that has just signed in to the account. Entries for other accounts in
   * the device cookie are kept.
   */
  cookieFor(cookieHeader: string | null, account: string): string {
    const id = randomBytes(ID_BYTES).toString("base64url")
    const others = this.#devicesIn(cookieHeader).filter((device) => !this.#isOf(device, account))
    const devices = [{ id, signature: this.#sign(id, account).toString("base64url") }, ...others].slice(0, MAX_ACCOUNTS)
    const value = devices.map((device) => `${device.id}.${device.signature}`).join(":")
    const { path, isSecure } = this.#settings
    const limits = `Max-Age=${MAX_AGE_S}; Path=${path}; HttpOnly; SameSite=Lax`
    return `${this.#name}=${value}; ${limits}${isSecure ? "; Secure" : ""}`
  }

  get #name(): string {
    return cookieName("device", this.#settings)
  }

  #devicesIn(cookieHeader: string | null): readonly KnownDevice[] {
    const value = cookieIn(cookieHeader ?? "", this.#name) ?? ""
    const entries = value.split(":", MAX_ACCOUNTS).filter((entry) => DEVICE.test(entry))
    return entries.map((entry) => ({ id: entry.slice(0, 16), signature: entry.slice(17) }))
  }

  #isOf({ id, signature }: KnownDevice, account: string): boolean {
    const given = Buffer.from(signature, "base64url")
    return given.length === SIGNATURE_BYTES && timingSafeEqual(given, this.#sign(id, account))
  }

  #sign(id: string, account: string): Buffer {
    const text = `device ${id} ${account}`
    return createHmac("sha256", this.#settings.secret).update(text).digest().subarray(0, SIGNATURE_BYTES)
  }
}
