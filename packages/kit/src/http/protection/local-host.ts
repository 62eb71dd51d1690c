import { isIPv4 } from "node:net"

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/

/**
 * Whether a `Host` header names this machine, so that the request cannot come from a page whose own name was pointed to
 * this machine (DNS rebinding): such a page sends its own name.
 */
export function isLocalHost(host: string | null): boolean {
  const name = HOST.exec(host?.toLowerCase() ?? "")?.[1] ?? ""
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true
  return isIPv4(name) && name.startsWith("127.")
}
