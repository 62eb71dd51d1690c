/** The members that the client has at the end of a route's path; a segment cannot have one of these names. */
export const ROUTE_LEAVES: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "url", "then"])

/**
 * Returns the segment of a URL for a name in code.
 *
 * kebabCase("adminStats") // "admin-stats"
 */
export function kebabCase(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&-").toLowerCase()
}

/** Returns the name in code for a segment of a URL: a name that `kebabCase` turns back into the segment. */
export function routeKey(segment: string): string {
  const name = camelCase(segment)
  return kebabCase(name) === segment ? name : segment
}

export function camelCase(name: string): string {
  return name.replace(/[-_]+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}
