/** The place of a value in a record: the name of its field, then names of members and indexes of items. */
export type Path = readonly [field: string, ...rest: (string | number)[]]

/** Returns the value at the rest of a path, or undefined if something before it is missing. */
export function valueAt(value: unknown, rest: readonly (string | number)[]): unknown {
  let found = value
  for (const key of rest) {
    if (found === null || typeof found !== "object") return undefined
    // Names and indexes are read alike; a missing one is undefined.
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}

/** Returns a copy of the value in which the one at the rest of a path is replaced. What is not on the path is shared. */
export function withValueAt(value: unknown, rest: readonly (string | number)[], replacement: unknown): unknown {
  const [key, ...further] = rest
  if (key === undefined) return replacement
  if (typeof key === "number") {
    const items = Array.isArray(value) ? [...value] : []
    items[key] = withValueAt(items[key], further, replacement)
    return items
  }
  const members = value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {}
  return { ...members, [key]: withValueAt(members[key], further, replacement) }
}

/** Writes a path as the API does in its problems: `body.0.title`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.join(".")
}
