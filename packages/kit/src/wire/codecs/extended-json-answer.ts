import { isObject } from "./is-object.ts"

/**
 * Decodes the parsed extended JSON envelope of a server response, and modifies the envelope's `json` in place.
 *
 * The code is small because it trusts the server. `decodeExtended` decodes the input of untrusted clients.
 */
export function decodeAnswer(envelope: unknown): unknown {
  // The cast is safe: the server writes envelopes in no other shape. `json` is undefined only if the member is missing,
  // because JSON has no undefined.
  const { json, meta } = envelope as { json?: unknown; meta?: { values?: object } }
  if (json === undefined) throw new TypeError("Unreadable json.")
  // Converts the longest paths first: a value inside a Map has a longer path, and cannot be reached once the Map is
  // built.
  const entries = Object.entries(meta?.values ?? {}).sort(([one], [other]) => other.length - one.length)
  return entries.reduce<unknown>((value, [path, type]) => reviveAt(value, keysOf(path, json), type), json)
}

/** One key of a path inside the JSON; null stands for every element of an array. */
type Key = string | null

// Returns the keys of a path inside the JSON. The path "" means the member with the key "" if the value is an object,
// and otherwise the whole value.
function keysOf(path: string, json: unknown): Key[] {
  if (path === "" && (!isObject(json) || Array.isArray(json))) return []
  const parts = `${path}.`.matchAll(/((?:\\.|[^\\.])*)\./gs)
  return Array.from(parts, ([, part = ""]) => (part === "*" ? null : part.replace(/\\(.)/gs, "$1")))
}

function reviveAt(value: unknown, [key, ...rest]: readonly Key[], type: unknown): unknown {
  if (key === undefined) return revived(value, type)
  if (!isObject(value)) return value
  // The cast is safe: members of an object that was parsed from JSON can be read and set by any key that it has.
  const members = value as Record<string, unknown>
  const keys = key !== null ? [key] : Array.isArray(value) ? Object.keys(value) : []
  for (const name of keys) {
    if (Object.hasOwn(value, name)) members[name] = reviveAt(members[name], rest, type)
  }
  return value
}

// Converts a JSON value to this type. The casts are safe: the server wrote the value in the format of the type, and if
// it did not, the constructors below throw.
function revived(json: unknown, type: unknown): unknown {
  if (type === "undefined") return undefined
  // Null stays null under every type except "undefined".
  if (json === null) return null
  if (type === "Map") return new Map(json as [unknown, unknown][])
  if (type === "Set") return new Set(json as unknown[])
  if (type === "BigInt") return BigInt(json as string)
  const date = new Date(json as string)
  if (type === "Date" && !Number.isNaN(date.getTime())) return date
  throw new TypeError(`Unreadable ${type}.`)
}
