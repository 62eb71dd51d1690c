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

/** The mount path with a leading slash and without a trailing one; the root is the empty string. */
export function normalizeBasePath(path: string | undefined): string {
  const trimmed = (path ?? "").replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** Whether the path of this URL, as it was sent, lies below the mount path. */
export function isBelow(basePath: string, url: string): boolean {
  return url.startsWith(`${basePath}/`)
}

export const paths = {
  collection: (name: string) => `/${encodeURIComponent(name)}`,
  query: (name: string) => `/${encodeURIComponent(name)}/query`,
  count: (name: string) => `/${encodeURIComponent(name)}/count`,
  updateBatch: (name: string) => `/${encodeURIComponent(name)}/update-batch`,
  deleteMany: (name: string) => `/${encodeURIComponent(name)}/delete-many`,
  record: (name: string, id: string) => `/${encodeURIComponent(name)}/${encodeURIComponent(id)}`,
  recordAction: (name: string, id: string, action: "restore" | "purge") =>
    `/${encodeURIComponent(name)}/${encodeURIComponent(id)}/${action}`,
  global: (name: string) => `/globals/${encodeURIComponent(name)}`,
} as const
