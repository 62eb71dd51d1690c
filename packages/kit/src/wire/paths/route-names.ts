/** What the client does at the end of a route's path; no segment can be called so. */
export const ROUTE_LEAVES: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "url", "then"])

/**
 * A segment of a URL from the name that code has for it.
 *
 * kebabCase("adminStats") // "admin-stats"
 */
export function kebabCase(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&-").toLowerCase()
}

/** The name that code has for a segment of a URL: one that leads back to it. */
export function routeKey(segment: string): string {
  const name = camelCase(segment)
  return kebabCase(name) === segment ? name : segment
}

export function camelCase(name: string): string {
  return name.replace(/[-_]+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}
