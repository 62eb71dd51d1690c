interface DecodedChunks {
  readonly text: string
  /** True if the last chunk has arrived, which ends the body. */
  readonly isComplete: boolean
}

/** Decodes a body in chunked transfer coding, as far as it has arrived. Throws if it breaks the rules of the coding. */
export function decodeChunks(body: Uint8Array | string): DecodedChunks {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf("\r\n", at)
    if (line < 0) break
    const digits = bytes.toString("latin1", at, line)
    if (!/^[\da-f]+$/i.test(digits)) throw new Error(`"${digits}" is not the length of a chunk.`)
    const start = line + 2
    const end = start + Number.parseInt(digits, 16)
    if (bytes.length < end + 2) break
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") throw new Error("A chunk does not end where it says.")
    if (end === start) return { text: Buffer.concat(parts).toString(), isComplete: true }
    parts.push(bytes.subarray(start, end))
    at = end + 2
  }
  return { text: Buffer.concat(parts).toString(), isComplete: false }
}
