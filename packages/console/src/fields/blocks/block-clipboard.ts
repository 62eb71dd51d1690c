import type { BlockSchema, PartSchema } from "kit/client"
import { newBlockId } from "../items/copied.ts"

type Parts = Readonly<Record<string, PartSchema>>

/** The blocks of a clipboard that a list takes, and what it has left out. */
export interface PastedBlocks {
  readonly blocks: readonly unknown[]
  /** The kinds of blocks that the list does not have. */
  readonly unknownTypes: readonly string[]
  /** The names of members that the blocks of this list do not have, or have with other types. */
  readonly lostMembers: readonly string[]
  /** The number of blocks for which there is no room. */
  readonly tooMany: number
  /** True if the clipboard holds no blocks. */
  readonly isForeign: boolean
}

/** Writes blocks for the clipboard, as JSON that `readBlocks` understands in any list of blocks. */
export function blocksText(blocks: readonly unknown[]): string {
  return JSON.stringify({ kitBlocks: blocks })
}

/** Reads blocks from the text of a clipboard, as far as the description of the list allows them. */
export function readBlocks(text: string, list: PartSchema, room: number): PastedBlocks {
  const found = parsedBlocks(text)
  if (found === undefined) return { blocks: [], unknownTypes: [], lostMembers: [], tooMany: 0, isForeign: true }
  const known = found.filter((block) => blockOf(list, block) !== undefined)
  const unknownTypes = found.filter((block) => !known.includes(block)).map((block) => String(Object(block).type))
  const lostMembers = new Set<string>()
  const blocks = known.slice(0, room).map((block) => acceptedBlock(list, block, lostMembers))
  return {
    blocks,
    unknownTypes: [...new Set(unknownTypes)],
    lostMembers: [...lostMembers],
    tooMany: known.length - blocks.length,
    isForeign: false,
  }
}

function parsedBlocks(text: string): readonly unknown[] | undefined {
  try {
    const { kitBlocks } = Object(JSON.parse(text))
    return Array.isArray(kitBlocks) ? kitBlocks : undefined
  } catch {
    return undefined
  }
}

function blockOf({ blocks = {} }: PartSchema, block: unknown): BlockSchema | undefined {
  const { type } = Object(block)
  return typeof type === "string" && Object.hasOwn(blocks, type) ? blocks[type] : undefined
}

// A block that is pasted is a new one, so it gets an id of its own.
function acceptedBlock(list: PartSchema, block: unknown, lost: Set<string>): unknown {
  const { type, id: _id, ...members } = Object(block)
  return { type, id: newBlockId(), ...acceptedMembers(blockOf(list, block)?.fields ?? {}, members, lost) }
}

function acceptedMembers(fields: Parts, members: object, lost: Set<string>): object {
  const accepted: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    if (member === null || member === undefined) continue
    const part = Object.hasOwn(fields, name) ? fields[name] : undefined
    const value = part && acceptedValue(part, member, lost)
    if (value === undefined) lost.add(part?.label ?? name)
    else accepted[name] = value
  }
  return accepted
}

// Returns undefined if the value is not one of the part's type. What the server checks besides, it says when it is saved.
function acceptedValue(part: PartSchema, value: unknown, lost: Set<string>): unknown {
  const { type, fields, items, options } = part
  if (type === "json") return value
  if (type === "object") return isPlainObject(value) ? acceptedMembers(fields ?? {}, value, lost) : undefined
  if (type === "richText") return Object(value).type === "doc" ? value : undefined
  if (type === "boolean") return typeof value === "boolean" ? value : undefined
  if (type === "number") return typeof value === "number" || typeof value === "string" ? value : undefined
  if (type === "select") return options?.some((option) => option.value === value) ? value : undefined
  if (type === "blocks") return Array.isArray(value) ? acceptedBlocks(part, value, lost) : undefined
  if (!Array.isArray(value)) return typeof value === "string" ? value : undefined
  if (items === undefined) return value.every((item) => typeof item === "string") ? value : undefined
  return value.map((item) => acceptedValue(items, item, lost)).filter((item) => item !== undefined)
}

function acceptedBlocks(list: PartSchema, blocks: readonly unknown[], lost: Set<string>): readonly unknown[] {
  const known = blocks.filter((block) => blockOf(list, block) !== undefined)
  if (known.length < blocks.length) lost.add(list.label)
  return known.map((block) => acceptedBlock(list, block, lost))
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
