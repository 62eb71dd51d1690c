import type { OpenApiDocument, SecurityRequirement } from "./openapi-document.ts"

const WITHOUT_CREDENTIALS: SecurityRequirement = Object.freeze({})
const SESSION: readonly SecurityRequirement[] = [{ sessionCookie: [] }, { sessionToken: [] }]
const CREDENTIALS: readonly SecurityRequirement[] = [...SESSION, { apiKey: [] }]

/** The credentials of a call: a session or key, a session only, a session or key if there is one, or none. */
type Credentials = "needed" | "session" | "optional" | "none"

/**
 * Returns the security requirements of a call. An app with its own session provider has none: only its author knows the
 * credentials.
 */
export function securityOf(credentials: Credentials, cookie: string | undefined): readonly SecurityRequirement[] {
  if (cookie === undefined || credentials === "none") return []
  if (credentials === "session") return SESSION
  return credentials === "needed" ? CREDENTIALS : [WITHOUT_CREDENTIALS, ...CREDENTIALS]
}

/** Returns the ways in which callers identify themselves. */
export function securitySchemes(cookie: string | undefined): OpenApiDocument["components"]["securitySchemes"] {
  if (cookie === undefined) return {}
  return {
    sessionCookie: { type: "apiKey", in: "cookie", name: cookie, description: "The cookie that a sign-in sets." },
    sessionToken: { type: "http", scheme: "bearer", description: "The token in the answer of a sign-in." },
    apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key of a user." },
  }
}
