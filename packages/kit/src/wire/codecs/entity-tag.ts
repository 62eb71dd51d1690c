/**
 * True if the value of an If-None-Match header contains the entity tag, or is `*`. Weak and strong tags match each
 * other, as a GET allows.
 */
export function matchesEntityTag(header: string | null, tag: string): boolean {
  const given = header?.split(",").map((each) => opaque(each.trim())) ?? []
  return given.some((each) => each === "*" || each === opaque(tag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "")
}
