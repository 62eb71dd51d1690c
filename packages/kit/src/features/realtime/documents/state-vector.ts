import { ByteReader } from "./byte-reader.ts"

/** True if the bytes are a Yjs state vector: a count, and as many pairs of a client id and a number. */
export function isStateVector(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes)
  const count = reader.readNumber()
  if (count === undefined || count > bytes.length) return false
  for (let left = 2 * count; left > 0; left--) if (reader.readNumber() === undefined) return false
  return reader.isAtEnd
}
