import { isObject } from "./is-object.ts"

/**
 * Reads the parsed envelope of an answer and takes its `json` over.
 *
 * The server is trusted here, which keeps this small; what strangers send is read by `decodeExtended`.
 */
export function decodeAnswer(envelope: unknown): unknown {
  // The server writes nothing else, and JSON has no undefined.
  const { json, meta } = envelope as { json?: unknown; meta?: { values?: object } }
  if (json === undefined) throw new TypeError("Unreadable json.")
  // From the inside out: what lies within a Map cannot be reached once it is one, and has a longer path.
  const entries = Object.entries(meta?.values ?? {}).sort(([one], [other]) => other.length - one.length)
  return entries.reduce<unknown>((value, [path, type]) => reviveAt(value, keysOf(path, json), type), json)
}

/** A key of a path; null stands for every element of an array. */
type Key = string | null

// The path "" is a key where the value has keys, and the value itself where it has none.
function keysOf(path: string, json: unknown): Key[] {
  if (path === "" && (!isObject(json) || Array.isArray(json))) return []
  const parts = `${path}.`.matchAll(/((?:\\.|[^\\.])*)\./gs)
  return Array.from(parts, ([, part = ""]) => (part === "*" ? null : part.replace(/\\(.)/gs, "$1")))
}

function reviveAt(value: unknown, [key, ...rest]: readonly Key[], type: unknown): unknown {
  if (key === undefined) return revived(value, type)
  if (!isObject(value)) return value
  // By a key that it has, an object of JSON can be read and changed.
  const members = value as Record<string, unknown>
  const keys = key !== null ? [key] : Array.isArray(value) ? Object.keys(value) : []
  for (const name of keys) {
    if (Object.hasOwn(value, name)) members[name] = reviveAt(members[name], rest, type)
  }
  return value
}

// The server wrote the value in the form of its type; where it did not, what is called here throws.
function revived(json: unknown, type: unknown): unknown {
  if (type === "undefined") return undefined
  // Whatever else is expected, null stays null.
  if (json === null) return null
  if (type === "Map") return new Map(json as [unknown, unknown][])
  if (type === "Set") return new Set(json as unknown[])
  if (type === "BigInt") return BigInt(json as string)
  const date = new Date(json as string)
  if (type === "Date" && !Number.isNaN(date.getTime())) return date
  throw new TypeError(`Unreadable ${type}.`)
}
