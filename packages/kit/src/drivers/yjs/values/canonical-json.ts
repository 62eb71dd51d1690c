import { isObject } from "./json-values.ts"

/** Returns the JSON text of a value. Equal values have equal texts: the members of objects are sorted by their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null"
}

function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const)
  return Object.fromEntries(members.sort(([first], [second]) => (first < second ? -1 : 1)))
}
