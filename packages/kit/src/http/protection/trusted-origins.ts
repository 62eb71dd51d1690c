import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

export interface OriginSettings {
  /** The address under which browsers know the app; without it, the host that a request was sent to counts. */
  readonly appUrl?: string | undefined
  /** Other origins that may call the app, written exactly as browsers send them. */
  readonly origins?: readonly string[] | undefined
  /** Trusts every origin on the developer's own machine. */
  readonly isDevelopment?: boolean | undefined
}

export interface TrustedOrigins {
  /** Another origin that may read answers and send the visitor's cookies. */
  isInvited(origin: string): boolean
  /** Why this call may not act for the visitor whose cookies it carries. */
  refuse(call: IncomingCall): ApiError | undefined
}

// What a browser sends: a scheme, a host, perhaps a port, and nothing else.
const WEB_ORIGIN = /^https?:\/\/([^\s/?#@\\]+)$/
const LOCAL_ORIGIN = /^https?:\/\/(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/** Decides which pages may act as the visitor that they are shown to. */
export function trustedOrigins({ appUrl, origins = [], isDevelopment = false }: OriginSettings): TrustedOrigins {
  const own = appUrl === undefined ? undefined : new URL(appUrl).origin
  const invited: ReadonlySet<string> = new Set(origins)
  const isInvited = (origin: string) => invited.has(origin) || (isDevelopment && LOCAL_ORIGIN.test(origin))
  const isOwn = (origin: string, call: IncomingCall) =>
    own === undefined ? isOnHost(origin, call.headers.get("host")) : origin === own
  return {
    isInvited,
    refuse: (call) => {
      if (isSafe(call.method) || call.headers.get("cookie") === null) return undefined
      const origin = call.headers.get("origin")
      if (origin === null) return isOfOwnPage(call) ? undefined : refusal()
      return isOwn(origin, call) || isInvited(origin) ? undefined : refusal()
    },
  }
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS"
}

// Whoever ends TLS in front of the app hides the scheme from it, so only host and port can be compared.
function isOnHost(origin: string, host: string | null): boolean {
  return host !== null && WEB_ORIGIN.exec(origin)?.[1] === host.toLowerCase()
}

// Without an origin nobody can tell one neighbour on the same site from another, so none of them is trusted.
function isOfOwnPage({ headers }: IncomingCall): boolean {
  const site = headers.get("sec-fetch-site")
  return site === null || site === "same-origin" || site === "none"
}

function refusal(): ApiError {
  return new ApiError("FORBIDDEN", {
    message:
      "A page of another origin may not write with cookies. The app's own is app.url; others go into cors.origins.",
  })
}
