import { ByteReader } from "../checks/byte-reader.ts"
import { skipPlainValue } from "../checks/plain-values.ts"

/** The part of an update that one session of an editor (a client of Yjs) has added. */
export interface UpdateSection {
  readonly client: number
  /** The number of its first part, and the number after its last one. */
  readonly clock: number
  readonly clockEnd: number
  readonly structs: number
  /** The bytes of its parts. */
  readonly bytes: Uint8Array
}

/** A range of deleted parts: from `clock` up to `clockEnd`. */
export interface DeletedRange {
  readonly clock: number
  readonly clockEnd: number
}

export interface SplitUpdate {
  readonly sections: readonly UpdateSection[]
  readonly deletions: ReadonlyMap<number, readonly DeletedRange[]>
}

// The numbers with which Yjs marks the kinds of structs, and what follows in the bytes.
export const GARBAGE = 0
export const GAP = 10
const KIND_BITS = 0b0001_1111
const HAS_MEMBER_NAME = 0b0010_0000
const HAS_RIGHT_ORIGIN = 0b0100_0000
const HAS_ORIGIN = 0b1000_0000

/**
 * Splits a valid update into its sections without decoding their content. Returns undefined if the update has a gap, or
 * content that a collaborative field cannot have.
 */
export function splitUpdate(update: Uint8Array): SplitUpdate | undefined {
  const reader = new ByteReader(update)
  const sections: UpdateSection[] = []
  const clients = reader.number()
  for (let count = 0; count < clients; count++) {
    const section = readSection(reader)
    if (section === undefined) return undefined
    sections.push(section)
  }
  return { sections, deletions: readDeletions(reader) }
}

function readSection(reader: ByteReader): UpdateSection | undefined {
  const structs = reader.number()
  const client = reader.number()
  const clock = reader.number()
  const start = reader.place
  let clockEnd = clock
  for (let count = 0; count < structs; count++) {
    const length = skipStruct(reader)
    if (length === undefined) return undefined
    clockEnd += length
  }
  return { client, clock, clockEnd, structs, bytes: reader.bytesFrom(start) }
}

// Returns the length of the struct; undefined if it is a gap or has unknown content.
function skipStruct(reader: ByteReader): number | undefined {
  const info = reader.byte()
  if (info === GARBAGE) return reader.number()
  return info === GAP ? undefined : skipItem(reader, info, skipId)
}

/**
 * Passes over an item whose first byte is `info`. Calls `readId` where the item refers to another one. Returns the
 * item's length; undefined if it has unknown content.
 */
export function skipItem(reader: ByteReader, info: number, readId: (reader: ByteReader) => void): number | undefined {
  if ((info & HAS_ORIGIN) !== 0) readId(reader)
  if ((info & HAS_RIGHT_ORIGIN) !== 0) readId(reader)
  if ((info & (HAS_ORIGIN | HAS_RIGHT_ORIGIN)) === 0) {
    const isRoot = reader.number() === 1
    if (isRoot) reader.skipText()
    else readId(reader)
    if ((info & HAS_MEMBER_NAME) !== 0) reader.skipText()
  }
  return skipContent(reader, info & KIND_BITS)
}

function skipId(reader: ByteReader): void {
  reader.number()
  reader.number()
}

function skipContent(reader: ByteReader, kind: number): number | undefined {
  switch (kind) {
    case 1:
      return reader.number()
    case 4:
      return reader.skipText()
    case 6:
      reader.skipText()
      reader.skipText()
      return 1
    case 7:
      skipSharedType(reader)
      return 1
    case 8:
      return skipPlainValues(reader)
    default:
      return undefined
  }
}

function skipSharedType(reader: ByteReader): void {
  const type = reader.number()
  // Elements and hooks have a name.
  if (type === 3 || type === 5) reader.skipText()
}

function skipPlainValues(reader: ByteReader): number {
  const count = reader.number()
  for (let value = 0; value < count; value++) skipPlainValue(reader)
  return count
}

export function readDeletions(reader: ByteReader): Map<number, DeletedRange[]> {
  const deletions = new Map<number, DeletedRange[]>()
  const clients = reader.number()
  for (let count = 0; count < clients; count++) {
    const client = reader.number()
    const ranges = Array.from({ length: reader.number() }, () => readRange(reader))
    deletions.set(client, [...(deletions.get(client) ?? []), ...ranges])
  }
  return deletions
}

function readRange(reader: ByteReader): DeletedRange {
  const clock = reader.number()
  return { clock, clockEnd: clock + reader.number() }
}
