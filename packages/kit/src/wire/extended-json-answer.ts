import { isObject } from "./is-object.ts"

/**
 * Reads the parsed envelope of an answer and takes its `json` over.
 *
 * The server is trusted here, which keeps this small; what strangers send is read by `decodeExtended`.
 */
export function decodeAnswer(envelope: unknown): unknown {
  if (!isObject(envelope) || !("json" in envelope)) throw new TypeError("An envelope has a json.")
  // The server writes no other meta.
  const { json, meta } = envelope as { json: unknown; meta?: { values?: object } }
  // From the inside out: what lies within a Map cannot be reached once it is one, and has a longer path.
  const entries = Object.entries(meta?.values ?? {}).sort(([one], [other]) => other.length - one.length)
  for (const [path, type] of entries) reviveAt(envelope, ["json", ...keysOf(path, json)], type)
  return envelope.json
}

// The path "" is a key where the value has keys, and the value itself where it has none.
function keysOf(path: string, json: unknown): string[] {
  if (path === "" && (!isObject(json) || Array.isArray(json))) return []
  return Array.from(`${path}.`.matchAll(/((?:\\.|[^\\.])*)\./gs), ([, key = ""]) => key)
}

function reviveAt(value: unknown, [first = "", ...rest]: readonly string[], type: unknown): void {
  if (!isObject(value)) return
  // Only keys that it has are read and written.
  const holder = value as Record<string, unknown>
  const keys = first === "*" && Array.isArray(value) ? Object.keys(value) : [first.replace(/\\(.)/gs, "$1")]
  for (const key of keys.filter((name) => Object.hasOwn(holder, name))) {
    if (rest.length > 0) reviveAt(holder[key], rest, type)
    else holder[key] = revived(holder[key], type)
  }
}

// The server wrote the value in the form of its type; where it did not, what is called here throws.
function revived(json: unknown, type: unknown): unknown {
  if (type === "undefined") return undefined
  // Whatever else is expected, null stays null.
  if (json === null) return null
  switch (type) {
    case "Date":
      // An invalid Date is a RangeError as text.
      return new Date(new Date(json as string).toISOString())
    case "Map":
      return new Map(json as [unknown, unknown][])
    case "Set":
      return new Set(json as unknown[])
    case "BigInt":
      return BigInt(json as string)
    default:
      throw new TypeError(`Unknown type ${type}.`)
  }
}
