import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

export interface OriginSettings {
  /** The URL under which browsers reach the app. If it is not set, the `Host` header of each request is used. */
  readonly appUrl?: string | undefined
  /** The other origins that may call the app, spelled exactly as browsers send them. */
  readonly origins?: readonly string[] | undefined
  /** True in development: every origin on the developer's own machine is trusted. */
  readonly isDevelopment?: boolean | undefined
}

export interface TrustedOrigins {
  /** True if pages of this other origin may read responses and send the user's cookies. */
  isAllowedOrigin(origin: string): boolean
  /** Returns an error if the call comes from a page that may not act for the user whose cookies the call carries. */
  refuse(call: IncomingCall): ApiError | undefined
  /** True if a page that may not act for the user may have sent the call, whatever its method, with cookies or not. */
  isFromOtherSite(call: IncomingCall): boolean
}

// Matches an origin as a browser sends it: a scheme, a host, an optional port, and nothing more.
const WEB_ORIGIN = /^https?:\/\/([^\s/?#@\\]+)$/
const LOCAL_ORIGIN = /^https?:\/\/(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/** Decides which web pages may send requests with the cookies of the user who has them open. */
export function trustedOrigins({ appUrl, origins = [], isDevelopment = false }: OriginSettings): TrustedOrigins {
  const own = appUrl === undefined ? undefined : new URL(appUrl).origin
  const invited: ReadonlySet<string> = new Set(origins)
  const isAllowedOrigin = (origin: string) => invited.has(origin) || (isDevelopment && LOCAL_ORIGIN.test(origin))
  const isOwn = (origin: string, call: IncomingCall) =>
    own === undefined ? isOnHost(origin, call.headers.get("host")) : origin === own
  const isTrusted = (call: IncomingCall) => {
    const origin = call.headers.get("origin")
    return origin === null ? isFromOwnPage(call) : isOwn(origin, call) || isAllowedOrigin(origin)
  }
  return {
    isAllowedOrigin,
    refuse: (call) => {
      if (isSafeMethod(call.method) || call.headers.get("cookie") === null) return undefined
      return isTrusted(call) ? undefined : refusal()
    },
    isFromOtherSite: (call) => call.headers.get("sec-fetch-site") === "cross-site" || !isTrusted(call),
  }
}

function isSafeMethod(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS"
}

// Compares only host and port, because a proxy that terminates TLS hides the scheme from the app.
function isOnHost(origin: string, host: string | null): boolean {
  return host !== null && WEB_ORIGIN.exec(origin)?.[1] === host.toLowerCase()
}

// True if the call comes from a page of the app itself. Without an Origin header, the subdomains of a site cannot be
// distinguished, so "same-site" is not trusted.
function isFromOwnPage({ headers }: IncomingCall): boolean {
  const site = headers.get("sec-fetch-site")
  return site === null || site === "same-origin" || site === "none"
}

function refusal(): ApiError {
  return new ApiError("FORBIDDEN", {
    message:
      "A page of another origin may not write with cookies. Set app.url to the app's own address, or add the page's origin to cors.origins.",
  })
}
