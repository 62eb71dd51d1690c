import type { PartSchema } from "kit/client"

type Parts = Readonly<Record<string, PartSchema>>

// 15 bytes as 24 letters: an id that nobody else makes.
const ID_BYTES = 15

/** Returns an id for a new block. The server keeps it, so that the block is the same one before and after a save. */
export function newBlockId(): string {
  // `crypto.randomUUID` does not exist on pages that are served without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES))
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("")
}

/** Returns a copy of a value. The blocks in it are new ones, with ids of their own. */
export function copied(part: PartSchema, value: unknown): unknown {
  if (value === null || typeof value !== "object") return value
  if (part.fields) return copiedMembers(part.fields, value)
  if (!Array.isArray(value)) return structuredClone(value)
  const { items, blocks } = part
  if (items) return value.map((item) => copied(items, item))
  if (blocks) return value.map((block) => copiedBlock(part, block))
  return structuredClone(value)
}

/** Returns a copy of a block of a list with this description. */
export function copiedBlock({ blocks }: PartSchema, block: unknown): unknown {
  const { type } = Object(block)
  return { ...copiedMembers(blocks?.[type]?.fields ?? {}, Object(block)), type, id: newBlockId() }
}

function copiedMembers(fields: Parts, value: object): object {
  const members = Object.entries(value).map(([name, member]) => {
    const part = fields[name]
    return [name, part ? copied(part, member) : structuredClone(member)] as const
  })
  return Object.fromEntries(members)
}
