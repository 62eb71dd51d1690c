/**
 * The URL path segments that name an operation after a collection's name, so that no record can have them as its id.
 */
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

/**
 * Returns the API's mount path with a leading slash and without a trailing slash; the root path is the empty string.
 */
export function normalizeBasePath(path: string | undefined): string {
  const trimmed = (path ?? "").replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** True if the URL path, as the client sent it, is the API's mount path or lies below it. A query may follow the path. */
export function isBelow(basePath: string, url: string): boolean {
  const next = url[basePath.length]
  return url.startsWith(basePath) && (next === "/" || next === "?" || next === undefined)
}

/**
 * Returns the string as an encoded URL path segment with a leading slash. Throws if the segment would be dropped from
 * the path, as "." would be, or if the value cannot be encoded.
 */
export function segment(text: unknown): string {
  const isWhole = typeof text === "string" && !["", ".", ".."].includes(text) && !/\p{Surrogate}/u.test(text)
  if (!isWhole) throw new TypeError(`${JSON.stringify(text)} cannot be a segment of a path.`)
  return `/${encodeURIComponent(text)}`
}

export function globalPath(name: string): string {
  return `/globals${segment(name)}`
}

export const RECORDS_ACCESS_PATH = "/_kit/access"

export const FIND_BY_TITLE_PATH = "/_kit/find-by-title"

export const SET_UP_PATH = "/_kit/setup"

export const AGGREGATE_PATH = "/_kit/aggregate"

export const CHANNELS_PATH = "/_kit/channels"

export const SEARCH_PATH = "/search"

export function reindexPath(collection: string): string {
  return `${SEARCH_PATH}/reindex${segment(collection)}`
}
