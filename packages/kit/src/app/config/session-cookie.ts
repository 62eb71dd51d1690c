import { cookieName } from "../../features/auth/sessions/credential.ts"
import type { AppMode } from "../definition/app-definition.ts"

export const COOKIE_PREFIX = "kit"

interface CookieInput {
  /** The app's public URL. Undefined if it is not configured. */
  readonly url: string | undefined
  readonly mode: AppMode
}

/** True if cookies are for https only: in production they are, unless the app's public URL is an http address. */
export function areCookiesSecure({ url, mode }: CookieInput): boolean {
  return url === undefined ? mode === "production" : url.startsWith("https:")
}

/** Returns the name of the cookie that a sign-in sets. */
export function sessionCookieName(input: CookieInput): string {
  return cookieName("session_token", { prefix: COOKIE_PREFIX, isSecure: areCookiesSecure(input) })
}
