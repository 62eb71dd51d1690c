import { isObject } from "../../wire/codecs/is-object.ts"

/**
 * The type of a value: the name of an extended JSON type, null for null, false for a list, or "" for other plain JSON.
 * If the items of a list have different types, 0 stands for the type of its items.
 */
type Type = string | null | false | 0

/**
 * The types of a value and of all values inside it, by their paths in the value. Each key in a path ends with a dot.
 */
type Types = Map<string, Type>

/**
 * Wraps a JSON text in the envelope of extended JSON, which adds the types of the value. The server has a separate
 * writer, which is optimized for large responses. This writer is optimized for a small bundle, and its output is the
 * same.
 */
export function extendedBody(json: string | undefined, value: unknown): string {
  const typed = [...typesIn(value)].filter(([, type]) => type).map(([path, type]) => [path.slice(0, -1), type])
  const meta = typed[0] ? `,"meta":${JSON.stringify({ values: Object.fromEntries(typed) })}` : ""
  return `{"json":${json ?? null}${meta}}`
}

function typesIn(value: unknown): Types {
  const type = typeOf(value)
  const types: Types = new Map([["", type]])
  if (!isObject(value) || type === "Date") return types
  // JSON.stringify writes the result of `toJSON` instead of the value, so the types are taken from that result.
  const { toJSON }: { toJSON?: unknown } = value
  if (typeof toJSON === "function") return typesIn(toJSON.call(value))
  // A Map and a Set are written as lists.
  const members: Iterable<[key: string | number, inside: Types]> =
    type === "" ? Object.entries(value).map(typesInMember) : typesInList(value as [])
  for (const [key, inside] of members) {
    for (const [path, innerType] of inside) types.set(`${key}.${path}`, innerType)
  }
  return types
}

function typeOf(value: unknown): Type {
  if (value === null) return null
  if (value === undefined) return "undefined"
  if (typeof value === "bigint") return "BigInt"
  return [Date, Map, Set].find((type) => value instanceof type)?.name ?? (Array.isArray(value) ? false : "")
}

function typesInMember([key, value]: [string, unknown]): [key: string, inside: Types] {
  return [key.replace(/^\*$|[\\.]/g, "\\$&"), typesIn(value)]
}

/** Returns the types in a list. If a type applies to all items of the list, it is written only once. */
function typesInList(list: Iterable<unknown>): Iterable<[key: string | number, inside: Types]> {
  const items = Array.from(list, typesIn)
  const united: Types = new Map()
  for (const [path, type] of items.flatMap((item) => [...item])) {
    const known = united.get(path)
    if (!areCompatible(known, type)) return [["*", new Map([["", 0]])], ...items.entries()]
    united.set(path, known ?? type)
  }
  return [["*", united]]
}

// True if two list items can share one type. Null can share every type except "undefined", under which it would be read
// as undefined, and 0, because items of different types may include "undefined".
function areCompatible(known: Type | undefined, type: Type): boolean {
  if (known === undefined || known === type) return true
  const other = known ?? type
  return (known === null || type === null) && other !== 0 && other !== "undefined"
}
