import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import type { EndpointCall } from "../../endpoint.ts"

type Body = Readonly<Record<string, unknown>>

/** Reads the body of a request. Returns undefined if the request has no body. */
export async function readBody(call: EndpointCall): Promise<Body | undefined> {
  const { method } = call.incoming
  if (method === "GET" || method === "HEAD" || hasNoBody(call)) return undefined
  const body = await call.body()
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("", "Expected an object.")
  // The cast is safe: `body` is an object, and the properties of `Body` are unknown.
  return body as Body
}

function hasNoBody(call: EndpointCall): boolean {
  return call.header("content-type") === null || call.header("content-length") === "0"
}

export function textIn(body: Body | undefined, name: string): string {
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined
  if (typeof value !== "string" || value === "") throw invalid(name, "Required.")
  return value
}

/**
 * Returns the session of a signed-in caller. Throws if the caller uses an API key, because the key acts for a user but
 * has not signed in.
 */
export function callerWithSession({ session }: OperationContext): Session {
  if (session === null) throw new ApiError("UNAUTHORIZED")
  if (session.session === undefined) {
    throw new ApiError("FORBIDDEN", { message: "An API key cannot do this. Sign in." })
  }
  return session
}
