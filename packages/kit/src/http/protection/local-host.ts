import { isIPv4 } from "node:net"

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
