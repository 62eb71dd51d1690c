import { ByteReader, numberBytes } from "../byte-reader.ts"

/** The state of one client of a document: its cursor, and the name and colour of its user. */
export interface AwarenessEntry {
  /** The id of the client's replica, which the client has chosen. */
  readonly clientId: number
  /** Rises with each new state of the client. */
  readonly clock: number
  /** The state as JSON; `null` if the client has left. */
  readonly state: string
}

/** The state of a client that has left. */
export const GONE = "null"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * Decodes an update of the Yjs awareness protocol: a count, and as many entries. Returns undefined if it is malformed or
 * has more than `maxEntries`.
 */
export function decodeAwareness(bytes: Uint8Array, maxEntries: number): readonly AwarenessEntry[] | undefined {
  const reader = new ByteReader(bytes)
  const count = reader.readNumber()
  if (count === undefined || count > maxEntries) return undefined
  const entries: AwarenessEntry[] = []
  for (let left = count; left > 0; left--) {
    const entry = readEntry(reader)
    if (entry === undefined) return undefined
    entries.push(entry)
  }
  return reader.isAtEnd ? entries : undefined
}

function readEntry(reader: ByteReader): AwarenessEntry | undefined {
  const clientId = reader.readNumber()
  const clock = reader.readNumber()
  const state = readText(reader)
  if (clientId === undefined || clock === undefined || state === undefined) return undefined
  return { clientId, clock, state }
}

function readText(reader: ByteReader): string | undefined {
  const bytes = reader.readBytes()
  try {
    return bytes && utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the entries as an update of the Yjs awareness protocol. */
export function encodeAwareness(entries: readonly AwarenessEntry[]): Uint8Array {
  const parts = entries.flatMap(({ clientId, clock, state }) => {
    const text = Buffer.from(state)
    return [Buffer.from([...numberBytes(clientId), ...numberBytes(clock), ...numberBytes(text.length)]), text]
  })
  return Buffer.concat([Buffer.from(numberBytes(entries.length)), ...parts])
}
