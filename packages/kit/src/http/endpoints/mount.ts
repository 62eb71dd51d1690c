import { plainAnswer } from "../../engine/read/answer.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint } from "../endpoint.ts"
import { isLocalHost } from "../protection/local-host.ts"

export interface MountDependencies {
  readonly appName: string
  /** The app's public URL. Undefined if it is not configured. */
  readonly appUrl: string | undefined
  /** The URL path under which the API is mounted, without a trailing slash. Empty for the root. */
  readonly basePath: string
  /** The version of the kit package. */
  readonly kitVersion: string
}

/**
 * Returns the endpoint at the mount path itself. It shows that the API is there, and nothing about the schema, because
 * every caller may read it.
 */
export function mountEndpoint({ appName, basePath, kitVersion }: MountDependencies): Endpoint {
  const shown = { name: appName, kit: kitVersion, health: `${basePath}/_kit/health` }
  return {
    method: "GET",
    path: "/",
    maySuggest: () => Promise.resolve(false),
    run: () => plainAnswer(shown),
  }
}

/** Returns the error for a call to a path outside the mount path. It shows how to create a client for the API. */
export function outsideMountPath({ basePath, appUrl }: MountDependencies, call: IncomingCall): ApiError {
  const mounted = JSON.stringify(basePath || "/")
  const baseURL = JSON.stringify(originFor(appUrl, call.headers.get("host")))
  return new ApiError("NOT_FOUND", {
    message: `The API is mounted at ${mounted}. Write createClient({ baseURL: ${baseURL}, basePath: ${mounted} }).`,
  })
}

// Returns the origin at which the caller reaches the app, or a placeholder: the Host header of another machine does not
// say whether a proxy in front of the app takes https.
function originFor(appUrl: string | undefined, host: string | null): string {
  if (appUrl !== undefined) return new URL(appUrl).origin
  return isLocalHost(host) ? `http://${host}` : "https://…"
}
