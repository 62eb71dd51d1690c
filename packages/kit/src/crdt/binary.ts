// A call has a limited number of arguments, so the bytes are converted in parts of this size.
const PART_BYTES = 8_192

export function toBase64(bytes: Uint8Array): string {
  let characters = ""
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    characters += String.fromCharCode(...bytes.subarray(start, start + PART_BYTES))
  }
  return btoa(characters)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Returns the body of a request: each part with its length before it, as an unsigned integer of variable length. */
export function framesOf(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap((part) => [varUint(part.length), part])
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const piece of pieces) {
    body.set(piece, offset)
    offset += piece.length
  }
  return body
}

// Seven bits in each byte, the lowest first; the highest bit says that another byte follows.
function varUint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Uint8Array.of(...bytes, rest)
}
