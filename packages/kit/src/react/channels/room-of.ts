/** The room of params that are null. */
export const NO_ROOM = "null"

/** Returns a string that identifies a room of a channel: equal params in any order have the same one. */
export function roomOf(params: unknown): string {
  return JSON.stringify(params ?? (params === null ? null : {}), (_name, value: unknown) => sorted(value))
}

function sorted(value: unknown): unknown {
  const isNamed = typeof value === "object" && value !== null && !Array.isArray(value)
  return isNamed ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value
}
