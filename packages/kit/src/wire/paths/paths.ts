/** Path segments that follow a collection name and therefore can never be a record's id. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  "count",
  "meta",
  "schema",
  "upload",
  "update-batch",
  "delete-many",
  "files",
  "query",
])

/** Returns the mount path with a leading slash and without a trailing one; the root is the empty string. */
export function normalizeBasePath(path: string | undefined): string {
  const trimmed = (path ?? "").replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** True if the path of this URL, as it was sent, lies below the mount path. */
export function isBelow(basePath: string, url: string): boolean {
  return url.startsWith(`${basePath}/`)
}

/** Returns an encoded segment of a path with its slash. Throws if the text would vanish or cannot be encoded. */
export function segment(text: unknown): string {
  const isWhole = typeof text === "string" && !["", ".", ".."].includes(text) && !/\p{Surrogate}/u.test(text)
  if (!isWhole) throw new TypeError(`${JSON.stringify(text)} cannot be a segment of a path.`)
  return `/${encodeURIComponent(text)}`
}

export function globalPath(name: string): string {
  return `/globals${segment(name)}`
}
