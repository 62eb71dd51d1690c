import type { HeaderReader } from "../../ports/session-provider.ts"

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Returns the origin for links in responses and mails: the configured origin or, if none is configured, the Host header
 * if it names this machine. Any other Host header is not trusted, because its sender could choose where the links lead.
 */
export function originOf(headers: HeaderReader, configured: string | undefined): string {
  if (configured !== undefined) return configured
  const host = headers.get("host") ?? ""
  return LOOPBACK.test(host) ? `http://${host.toLowerCase()}` : "http://localhost"
}
