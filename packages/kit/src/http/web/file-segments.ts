// The folder of the files that other services ask of a site, such as the authority that issues its certificate.
const WELL_KNOWN = ".well-known"

/**
 * Returns the segments of a URL path, decoded, as names of folders and a file. The last one is empty if the path ends
 * with a slash. Returns undefined if no file that may be served can have this path: nothing leads out of the folder,
 * and names that begin with a dot belong to programs (`.env`, `.git`).
 */
export function fileSegments(path: string): readonly string[] | undefined {
  const segments = decodeSegments(path)
  const [first, ...others] = segments ?? []
  const named = first === WELL_KNOWN ? others : segments
  return named?.every((segment) => segment === "" || isFileName(segment)) ? segments : undefined
}

/**
 * True if the script of a page may handle this URL path: it does not look like the path of a file, but it may have
 * characters that the names of files cannot have.
 */
export function isPagePath(path: string): boolean {
  const segments = decodeSegments(path)
  const isNamedLikeFile = segments?.at(-1)?.includes(".") || segments?.some((segment) => segment.startsWith("."))
  return segments !== undefined && !isNamedLikeFile
}

// Only the last segment may be empty. A browser takes a path that begins with two slashes for the name of a host.
function decodeSegments(path: string): readonly string[] | undefined {
  const segments = path.slice(1).split("/").map(decodeSegment)
  const isWhole = segments.every((segment, index) => segment || (segment === "" && index === segments.length - 1))
  // The cast is safe: `every` above has seen that no segment is undefined.
  return isWhole ? (segments as string[]) : undefined
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

// Slashes of both kinds, the colons of Windows (drives, streams of a file) and control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL ends the name of a file early.
const REFUSED_CHARACTERS = /[/\\:\x00-\x1f\x7f]/

// Windows ignores a dot or a space at the end of a name, so that one file would have several names.
function isFileName(segment: string): boolean {
  return !segment.startsWith(".") && !REFUSED_CHARACTERS.test(segment) && !/[. ]$/.test(segment)
}
