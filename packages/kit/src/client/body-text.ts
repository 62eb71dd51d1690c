import { isObject } from "../wire/is-object.ts"

/** A body as text; what JSON would turn into something else is refused. */
export function bodyText(body: unknown, encode: (body: unknown) => string): string {
  const text = encode(body)
  // After it was written: something that holds itself was refused then.
  refuseLostNumbers(body, "")
  return text
}

/** Plain JSON has no big integers; the server reads them from digits. */
export function encodePlain(body: unknown): string {
  return JSON.stringify(body, asPlainJson)
}

function asPlainJson(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) throw new TypeError("Only extended JSON can hold a Map or a Set.")
  return typeof value === "bigint" ? String(value) : value
}

// JSON writes them as null, which empties a field.
function refuseLostNumbers(value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`JSON cannot hold ${value} (at "${path}").`)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) refuseLostNumbers(member, path === "" ? key : `${path}.${key}`)
}
