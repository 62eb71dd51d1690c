/**
 * Returns the segments of a URL path, decoded, as names of folders and a file. The last one is empty if the path ends
 * with a slash. Returns undefined if no file that may be served can have this path: nothing leads out of the folder,
 * and names that begin with a dot belong to programs (`.env`, `.git`).
 */
export function fileSegments(path: string): readonly string[] | undefined {
  const segments = path.slice(1).split("/").map(decodeSegment)
  const isServed = segments.every((segment, index) =>
    segment === "" ? index === segments.length - 1 : segment !== undefined && isFileName(segment),
  )
  // The cast is safe: `every` above has seen that no segment is undefined.
  return isServed ? (segments as string[]) : undefined
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
