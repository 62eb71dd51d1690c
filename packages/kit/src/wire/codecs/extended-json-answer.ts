import { isObject } from "./is-object.ts"

/**
 * Decodes the parsed envelope of a response, and modifies its `json` in place.
 *
 * It trusts the server, which keeps it small; `decodeExtended` reads the input of untrusted clients.
 */
export function decodeAnswer(envelope: unknown): unknown {
  // The server writes no other shape, and JSON has no undefined.
  const { json, meta } = envelope as { json?: unknown; meta?: { values?: object } }
  if (json === undefined) throw new TypeError("Unreadable json.")
  // Works from the inside out: a value inside a Map has a longer path, and cannot be reached once the Map is built.
  const entries = Object.entries(meta?.values ?? {}).sort(([one], [other]) => other.length - one.length)
  return entries.reduce<unknown>((value, [path, type]) => reviveAt(value, keysOf(path, json), type), json)
}

/** A key of a path; null stands for every element of an array. */
type Key = string | null

// The path "" is a key if the value is an object with keys, and otherwise the value itself.
function keysOf(path: string, json: unknown): Key[] {
  if (path === "" && (!isObject(json) || Array.isArray(json))) return []
  const parts = `${path}.`.matchAll(/((?:\\.|[^\\.])*)\./gs)
  return Array.from(parts, ([, part = ""]) => (part === "*" ? null : part.replace(/\\(.)/gs, "$1")))
}

function reviveAt(value: unknown, [key, ...rest]: readonly Key[], type: unknown): unknown {
  if (key === undefined) return revived(value, type)
  if (!isObject(value)) return value
  // An object of JSON can be read and changed by any key that it has.
  const members = value as Record<string, unknown>
  const keys = key !== null ? [key] : Array.isArray(value) ? Object.keys(value) : []
  for (const name of keys) {
    if (Object.hasOwn(value, name)) members[name] = reviveAt(members[name], rest, type)
  }
  return value
}

// The server wrote the value in the format of its type; if it did not, the constructors below throw.
function revived(json: unknown, type: unknown): unknown {
  if (type === "undefined") return undefined
  // Null stays null under every other type.
  if (json === null) return null
  if (type === "Map") return new Map(json as [unknown, unknown][])
  if (type === "Set") return new Set(json as unknown[])
  if (type === "BigInt") return BigInt(json as string)
  const date = new Date(json as string)
  if (type === "Date" && !Number.isNaN(date.getTime())) return date
  throw new TypeError(`Unreadable ${type}.`)
}
