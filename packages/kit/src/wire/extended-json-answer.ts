/**
 * Reads the parsed envelope of an answer and takes its `json` over.
 *
 * The server is trusted here, which keeps this small; what strangers send is read by `decodeExtended`.
 */
export function decodeAnswer(envelope: unknown): unknown {
  if (!isObject(envelope) || !("json" in envelope)) throw new TypeError("An envelope has a json.")
  const { json, meta } = { meta: undefined, ...envelope }
  const entries = isObject(meta) && "values" in meta && isObject(meta.values) ? Object.entries(meta.values) : []
  const types = entries.map(([path, type]) => ({ keys: keysOf(path, json), type }))
  // From the inside out: what lies within a Map cannot be reached once it is one.
  types.sort((one, other) => other.keys.length - one.keys.length)
  for (const { keys, type } of types) reviveAt(envelope, ["json", ...keys], type)
  return envelope.json
}

// The path "" is a key where the value has keys, and the value itself where it has none.
function keysOf(path: string, json: unknown): string[] {
  if (path === "" && (!isObject(json) || Array.isArray(json))) return []
  return Array.from(`${path}.`.matchAll(/((?:\\.|[^\\.])*)\./gs), ([, key = ""]) => key)
}

function reviveAt(holder: unknown, [first = "", ...rest]: readonly string[], type: unknown): void {
  if (!isObject(holder)) return
  const keys = first === "*" && Array.isArray(holder) ? Object.keys(holder) : [first.replace(/\\(.)/gs, "$1")]
  for (const key of keys) {
    if (!Object.hasOwn(holder, key)) continue
    const value: unknown = Reflect.get(holder, key)
    if (rest.length > 0) reviveAt(value, rest, type)
    else Reflect.set(holder, key, revived(value, type))
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
      throw new TypeError(`There is no type ${type}.`)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
