import type { ClientRange, UpdateFacts } from "../../../ports/document-codec.ts"
import { ByteReader } from "../checks/byte-reader.ts"
import { type DeletedRange, GAP, GARBAGE, readDeletions, skipItem } from "./update-sections.ts"

/** The part of one client, with what its structs refer to. */
interface ClientStructs {
  readonly client: number
  readonly structs: readonly StructFacts[]
}

interface StructFacts {
  readonly from: number
  readonly to: number
  readonly references: readonly Reference[]
}

interface Reference {
  readonly client: number
  readonly clock: number
}

/**
 * Returns what the numbers in an update say, without decoding its content. The update has been checked: it can be
 * decoded, and its contents are known.
 */
export function factsOf(update: Uint8Array): UpdateFacts {
  const reader = new ByteReader(update)
  const clients = Array.from({ length: reader.number() }, () => readClient(reader))
  const deletions = readDeletions(reader)
  return {
    ranges: clients.flatMap(rangesOf),
    needs: neededClocks(clients),
    deletes: new Map([...deletions].map(([client, ranges]) => [client, endOf(ranges)])),
    isCircular: clients.length > 1 && isCircular(clients),
  }
}

function endOf(ranges: readonly DeletedRange[]): number {
  return ranges.reduce((end, { clockEnd }) => Math.max(end, clockEnd), 0)
}

function readClient(reader: ByteReader): ClientStructs {
  const count = reader.number()
  const client = reader.number()
  let clock = reader.number()
  const structs: StructFacts[] = []
  for (let index = 0; index < count; index++) {
    const info = reader.byte()
    const references: Reference[] = []
    const note = () => void references.push({ client: reader.number(), clock: reader.number() })
    const isEmpty = info === GARBAGE || info === GAP
    const length = isEmpty ? reader.number() : skipItem(reader, info, note)
    if (length === undefined) throw new Error("The update contains something that a collaborative field cannot have.")
    if (info !== GAP) structs.push({ from: clock, to: clock + length, references })
    clock += length
  }
  return { client, structs }
}

// Structs that follow each other without a gap are one range.
function rangesOf({ client, structs }: ClientStructs): readonly ClientRange[] {
  const ranges: ClientRange[] = []
  for (const { from, to } of structs) {
    const last = ranges.at(-1)
    if (last?.to === from) ranges[ranges.length - 1] = { ...last, to }
    else ranges.push({ client, from, to })
  }
  return ranges
}

function neededClocks(clients: readonly ClientStructs[]): Map<number, number> {
  const needs = new Map<number, number>()
  for (const { client, clock } of clients.flatMap(({ structs }) => structs.flatMap(({ references }) => references))) {
    if (clock >= (needs.get(client) ?? 0)) needs.set(client, clock + 1)
  }
  return needs
}

/** A client's structs while they are put in an order in which each comes after those that it refers to. */
interface Progress extends ClientStructs {
  next: number
  /** The clients that wait for this one. */
  waiting: Progress[]
}

// True if the structs of some clients refer to each other in a circle, so that Yjs could apply none of them.
function isCircular(clients: readonly ClientStructs[]): boolean {
  const all = new Map(clients.map((each) => [each.client, { ...each, next: 0, waiting: [] } satisfies Progress]))
  const ready: Progress[] = [...all.values()]
  for (let current = ready.pop(); current !== undefined; current = ready.pop()) advance(current, all, ready)
  return [...all.values()].some(({ next, structs }) => next < structs.length)
}

function advance(current: Progress, all: ReadonlyMap<number, Progress>, ready: Progress[]): void {
  const start = current.next
  for (; current.next < current.structs.length; current.next++) {
    const missing = missingOf(current, all)
    if (missing) {
      missing.waiting.push(current)
      break
    }
  }
  if (current.next === start) return
  for (const waiting of current.waiting) ready.push(waiting)
  current.waiting = []
}

function missingOf({ structs, next }: Progress, all: ReadonlyMap<number, Progress>): Progress | undefined {
  const references = structs[next]?.references ?? []
  for (const { client, clock } of references) {
    const other = all.get(client)
    const upcoming = other?.structs[other.next]
    const last = other?.structs.at(-1)
    // A reference to something outside of the update depends on the document.
    if (other && upcoming && last && clock >= upcoming.from && clock < last.to) return other
  }
  return undefined
}
