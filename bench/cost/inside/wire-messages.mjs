// The framing of PostgreSQL's protocol: a letter, the length of the rest, the rest.

const HEADER_BYTES = 5

/**
 * @typedef {{ type: string, start: number, end: number }} Message its letter, and where its content is
 * @param {Buffer} bytes
 * @returns {{ messages: Message[], rest: number }} `rest` is where an incomplete message begins
 */
export function splitMessages(bytes) {
  const messages = []
  let at = 0
  while (bytes.length - at >= HEADER_BYTES) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push({ type: String.fromCharCode(bytes[at]), start: at + HEADER_BYTES, end })
    at = end
  }
  return { messages, rest: at }
}

/** Reads a text that ends with a zero byte. @param {Buffer} bytes @param {number} start */
export function textAt(bytes, start) {
  const end = bytes.indexOf(0, start)
  return { text: bytes.utf8Slice(start, end), next: end + 1 }
}
