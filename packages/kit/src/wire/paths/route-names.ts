/**
 * The names of the members that the client has on every route, such as `get` and `url`. A segment of a route's URL path
 * cannot have one of these names.
 */
export const ROUTE_LEAVES: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "url", "then"])

/**
 * Returns the URL path segment for a name in TypeScript code.
 *
 * kebabCase("adminStats") // "admin-stats"
 */
export function kebabCase(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&-").toLowerCase()
}

/**
 * Returns the name in TypeScript code for a URL path segment. If `kebabCase` cannot turn that name back into the
 * segment, returns the segment unchanged.
 */
export function routeKey(segment: string): string {
  const name = camelCase(segment)
  return kebabCase(name) === segment ? name : segment
}

export function camelCase(name: string): string {
  return name.replace(/[-_]+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}
