import { markName, nodeName } from "../names/name-counts.ts"
import type { ByteReader } from "./byte-reader.ts"
import { readJsonText, skipPlainValue } from "./plain-values.ts"
import { Refusal } from "./refusal.ts"

/** An item that an update adds to a document at one place. */
export interface AddedItem {
  readonly id: string
  /** The name of the root or the identity of the type that it is a part of. Undefined if it is that of its neighbours. */
  readonly parent: ItemParent | undefined
  readonly content: ItemContent
  /** The number of its parts: characters of a text, or values of a list. */
  readonly length: number
  /** The node or mark to which the item belongs, if it is an element or a format. */
  readonly name?: string
  /** True for a format that ends a mark. */
  readonly isEnd?: boolean
}

interface ItemParent {
  readonly kind: "root" | "type"
  /** The name of the root, or the identity of the item that holds the type. */
  readonly name: string
  /** True if it is a member of a map or an attribute, rather than an item of a list. */
  readonly isMember: boolean
}

export type ItemContent = "deleted" | "text" | "format" | "plain" | SharedType

type SharedType = (typeof SHARED_TYPES)[number]

const SHARED_TYPES = ["array", "map", "sharedText", "xmlElement", "xmlFragment", "xmlHook", "xmlText"] as const

// More than any document has: its identifiers are counted from 0 for each session of an editor.
const MAX_CLOCK = 2 ** 32
const MAX_CLIENTS = 1000
const MAX_STRUCTS = 100_000

// The numbers with which Yjs marks the kinds of structs and contents, and what follows in the bytes.
const GARBAGE = 0
const GAP = 10
const KIND_BITS = 0b0001_1111
const HAS_MEMBER_NAME = 0b0010_0000
const HAS_RIGHT_ORIGIN = 0b0100_0000
const HAS_ORIGIN = 0b1000_0000

/** Reads the part of an update that adds something. Refuses what Yjs could not apply. */
export function readAddedItems(reader: ByteReader): AddedItem[] {
  const items: AddedItem[] = []
  const clients = reader.number()
  if (clients > MAX_CLIENTS) throw new Refusal(`The update has more than ${MAX_CLIENTS} sessions of editors.`)
  let previous = Number.POSITIVE_INFINITY
  for (let count = 0; count < clients; count++) {
    const structs = reader.number()
    const client = reader.number()
    // Yjs loses a part of an update in another order when it is merged with others.
    if (client >= previous) throw new Refusal("The sessions of editors in the update are not sorted.")
    previous = client
    readStructs(reader, { structs, client, items })
  }
  return items
}

interface Section {
  readonly structs: number
  readonly client: number
  readonly items: AddedItem[]
}

function readStructs(reader: ByteReader, { structs, client, items }: Section): void {
  if (structs > MAX_STRUCTS) throw new Refusal(`The update has more than ${MAX_STRUCTS} parts.`)
  let clock = reader.number()
  for (let count = 0; count < structs; count++) {
    const info = reader.byte()
    const length = info === GARBAGE || info === GAP ? reader.number() : readItem(reader, { info, client, clock, items })
    if (length === 0) throw new Refusal("The update contains an empty part.")
    clock += length
    if (clock > MAX_CLOCK) throw new Refusal("The update contains a number that is too large.")
  }
}

interface ItemHead {
  readonly info: number
  readonly client: number
  readonly clock: number
  readonly items: AddedItem[]
}

// Returns the length of the item.
function readItem(reader: ByteReader, head: ItemHead): number {
  const { info, client, clock, items } = head
  const hasOrigin = (info & HAS_ORIGIN) !== 0
  const hasRightOrigin = (info & HAS_RIGHT_ORIGIN) !== 0
  if (hasOrigin) readId(reader, head)
  if (hasRightOrigin) readId(reader, head)
  const parent = hasOrigin || hasRightOrigin ? undefined : readParent(reader, head)
  const content = readContent(reader, info & KIND_BITS)
  items.push({ id: `${client}:${clock}`, parent, ...content })
  const { length } = content
  return length
}

function readParent(reader: ByteReader, head: ItemHead): ItemParent {
  const isRoot = reader.number()
  if (isRoot > 1) throw new Refusal("The update cannot be decoded.")
  const name = isRoot === 1 ? reader.text() : readId(reader, head)
  const isMember = (head.info & HAS_MEMBER_NAME) !== 0
  if (isMember) reader.text()
  return { kind: isRoot === 1 ? "root" : "type", name, isMember }
}

// An item can refer to what the same session of an editor has added before, and to anything of others.
function readId(reader: ByteReader, { client, clock }: ItemHead): string {
  const id = { client: reader.number(), clock: reader.number() }
  if (id.clock > MAX_CLOCK) throw new Refusal("The update contains a number that is too large.")
  if (id.client === client && id.clock >= clock) throw new Refusal("The update refers to something that comes later.")
  return `${id.client}:${id.clock}`
}

interface ReadContent extends Pick<AddedItem, "content" | "name" | "isEnd"> {
  readonly length: number
}

function readContent(reader: ByteReader, kind: number): ReadContent {
  switch (kind) {
    case 1:
      return { content: "deleted", length: reader.number() }
    case 4:
      return { content: "text", length: reader.text().length }
    case 6:
      return { content: "format", name: markName(reader.text()), isEnd: readJsonText(reader) === null, length: 1 }
    case 7:
      return { ...readSharedType(reader), length: 1 }
    case 8:
      return { content: "plain", length: skipPlainValues(reader) }
    default:
      throw new Refusal("The update contains something that a collaborative field cannot have.")
  }
}

function readSharedType(reader: ByteReader): Pick<AddedItem, "content" | "name"> {
  const type = SHARED_TYPES[reader.number()]
  if (type === undefined) throw new Refusal("The update contains something that a collaborative field cannot have.")
  // Elements and hooks have a name.
  const hasName = type === "xmlElement" || type === "xmlHook"
  return { content: type, ...(hasName && { name: nodeName(reader.text()) }) }
}

function skipPlainValues(reader: ByteReader): number {
  const count = reader.number()
  for (let value = 0; value < count; value++) skipPlainValue(reader)
  return count
}

/** Passes over the part of an update that says what is deleted. Returns true if that is anything. */
export function skipDeletions(reader: ByteReader): boolean {
  const clients = reader.number()
  for (let client = 0; client < clients; client++) {
    reader.number()
    const ranges = reader.number()
    for (let range = 0; range < ranges; range++) skipRange(reader)
  }
  return clients > 0
}

function skipRange(reader: ByteReader): void {
  const clock = reader.number()
  const length = reader.number()
  if (length === 0 || clock + length > MAX_CLOCK) throw new Refusal("The update deletes something that cannot exist.")
}
