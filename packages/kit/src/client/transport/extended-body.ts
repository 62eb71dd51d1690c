import { isObject } from "../../wire/codecs/is-object.ts"

/** Null for null, false for a list, 0 for items that differ, empty for all else that plain JSON can hold. */
type Type = string | null | false | 0

/** What a value is, and what the values inside of it are: each key of a path ends with a dot. */
type Types = Map<string, Type>

/**
 * The envelope of extended JSON around a value that is JSON already.
 *
 * The server has a writer of its own, made for large answers; this one is made to be small. They write the same.
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
  // What JSON looks at in place of the value.
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

/** Says it once for all items, if it is true of each of them. */
function typesInList(list: Iterable<unknown>): Iterable<[key: string | number, inside: Types]> {
  const items = Array.from(list, typesIn)
  const united: Types = new Map()
  for (const [path, type] of items.flatMap((item) => [...item])) {
    const known = united.get(path)
    if (!canBeBoth(known, type)) return [["*", new Map([["", 0]])], ...items.entries()]
    united.set(path, known ?? type)
  }
  return [["*", united]]
}

// Whatever else is expected, null stays null; only "undefined" would change it, which one of differing items may be.
function canBeBoth(known: Type | undefined, type: Type): boolean {
  if (known === undefined || known === type) return true
  const other = known ?? type
  return (known === null || type === null) && other !== 0 && other !== "undefined"
}
