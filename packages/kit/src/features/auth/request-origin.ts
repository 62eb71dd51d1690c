import type { HeaderReader } from "../../ports/session-provider.ts"

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * The origin that links of a request start with: the configured one. Without it, that of a request on this machine;
 * a Host header of anybody else is not trusted, or mails would carry links to where they say.
 */
export function originOf(headers: HeaderReader, configured: string | undefined): string {
  if (configured !== undefined) return configured
  const host = headers.get("host") ?? ""
  return LOOPBACK.test(host) ? `http://${host.toLowerCase()}` : "http://localhost"
}
