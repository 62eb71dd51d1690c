/** A message that arrives in parts. */
interface Incomplete {
  readonly parts: (string | undefined)[]
  left: number
}

// The maximum number of characters in one message of the bus, without its header. Postgres takes some 8,000 bytes.
const MAX_CHUNK_CHARACTERS = 5_000
// More messages than this do not arrive at the same time. Parts that got lost leave the others behind.
const MAX_INCOMPLETE = 200
const MAX_CHUNKS = 1_000

/** Splits a message of any length into texts that are short enough for the message bus. */
export function splitMessage(message: unknown): readonly string[] {
  const text = Buffer.from(JSON.stringify(message)).toString("base64")
  const count = Math.max(1, Math.ceil(text.length / MAX_CHUNK_CHARACTERS))
  const id = crypto.randomUUID()
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * MAX_CHUNK_CHARACTERS, (index + 1) * MAX_CHUNK_CHARACTERS)
    return `${id} ${index} ${count} ${part}`
  })
}

/** Puts the parts of messages together again. */
export class MessageAssembler {
  readonly #incomplete = new Map<string, Incomplete>()

  /** Takes a part. Returns the message if it was the last missing part. */
  add(text: string): unknown {
    const [id = "", index = "", count = "", part = ""] = text.split(" ")
    const total = Number(count)
    if (!(total >= 1 && total <= MAX_CHUNKS)) return undefined
    const message = this.#incomplete.get(id) ?? { parts: new Array<undefined>(total), left: total }
    if (message.parts[Number(index)] === undefined) message.left--
    message.parts[Number(index)] = part
    this.#incomplete.delete(id)
    if (message.left === 0) return JSON.parse(Buffer.from(message.parts.join(""), "base64").toString())
    this.#keep(id, message)
    return undefined
  }

  #keep(id: string, message: Incomplete): void {
    const [oldest] = this.#incomplete.keys()
    if (this.#incomplete.size === MAX_INCOMPLETE && oldest !== undefined) this.#incomplete.delete(oldest)
    this.#incomplete.set(id, message)
  }
}
