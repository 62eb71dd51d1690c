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
