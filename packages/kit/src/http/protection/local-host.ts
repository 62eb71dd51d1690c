import { isIPv4 } from "node:net"
import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/

/**
 * True if the `Host` header names this machine. This check stops DNS rebinding: a page whose domain was made to resolve
 * to this machine sends its own domain in the `Host` header.
 */
export function isLocalHost(host: string | null): boolean {
  const name = HOST.exec(host?.toLowerCase() ?? "")?.[1] ?? ""
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true
  return isIPv4(name) && name.startsWith("127.")
}

/**
 * Throws if the `Host` header does not name this machine. `what` names the page in the error message, and `path` is its
 * URL path.
 */
export function requireLocalHost({ headers }: IncomingCall, { what, path }: { what: string; path: string }): void {
  const host = headers.get("host")
  if (isLocalHost(host)) return
  const message = `${what} can be opened on this machine only, not under the host ${JSON.stringify(host)}. Open http://localhost:<port>${path}.`
  throw new ApiError("FORBIDDEN", { message })
}
