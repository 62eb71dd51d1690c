// The chunks by the bytes in them. A chunk is forgotten together with its bytes.
const chunks = new WeakMap<Uint8Array, Buffer>()

const LINE_END = Buffer.from("\r\n")

/**
 * Returns the bytes as a chunk of the chunked transfer coding (RFC 9112, section 7.1). The chunk is made once, for all
 * responses to which the same bytes are written. There must be at least one byte: an empty chunk would end the response.
 */
export function sharedChunk(bytes: Uint8Array): Buffer {
  const known = chunks.get(bytes)
  if (known) return known
  const length = Buffer.from(`${bytes.length.toString(16)}\r\n`)
  const chunk = Buffer.concat([length, bytes, LINE_END])
  chunks.set(bytes, chunk)
  return chunk
}
