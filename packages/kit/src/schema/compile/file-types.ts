/**
 * The file types that the server detects from a file's content, each with the extension that files of this type are
 * stored with.
 */
export const FILE_TYPES: Readonly<Record<string, string>> = Object.freeze({
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "audio/mpeg": "mp3",
  "application/zip": "zip",
  "text/html": "html",
  "application/xml": "xml",
  "text/plain": "txt",
  "application/octet-stream": "bin",
})

/** True if a file type matches one of the patterns. A pattern is an exact type, or a wildcard such as "image/*". */
export function matchesTypes(type: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(type, pattern))
}

/** True if the pattern matches no file type that the server can detect. */
export function isUnknownPattern(pattern: string): boolean {
  return !Object.keys(FILE_TYPES).some((type) => matchesPattern(type, pattern))
}

function matchesPattern(type: string, pattern: string): boolean {
  if (pattern === "*/*" || pattern === type) return true
  return pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1))
}
