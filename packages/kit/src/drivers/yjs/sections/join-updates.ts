import { type DeletedRange, type SplitUpdate, splitUpdate, type UpdateSection } from "./update-sections.ts"

/** The sections of some updates: for each session of an editor those that follow each other without a gap. */
interface JoinedUpdates {
  readonly chains: readonly SectionChain[]
  readonly deletions: ReadonlyMap<number, readonly DeletedRange[]>
}

interface SectionChain {
  readonly client: number
  readonly clock: number
  readonly clockEnd: number
  readonly sections: readonly UpdateSection[]
}

/**
 * Joins updates by their bytes: much faster than merging them with Yjs, because most of the bytes, the compacted state
 * of the document, are only copied. Returns undefined if there are gaps, or sections that overlap in part.
 */
export function joinUpdates(updates: readonly Uint8Array[]): JoinedUpdates | undefined {
  const split = updates.map(splitUpdate)
  if (!split.every((update) => update !== undefined)) return undefined
  const sections = split.flatMap((update) => update.sections.map((section) => [section.client, section] as const))
  const byClient = grouped(sections)
  const chains = [...byClient.values()].map(chainOf)
  if (!chains.every((chain) => chain !== undefined)) return undefined
  return { chains, deletions: joinDeletions(split) }
}

function chainOf(all: readonly UpdateSection[]): SectionChain | undefined {
  const [first, ...others] = all.toSorted((one, other) => one.clock - other.clock || other.clockEnd - one.clockEnd)
  if (first === undefined) return undefined
  const sections = [first]
  let { clockEnd } = first
  for (const section of others) {
    if (section.clockEnd <= clockEnd) continue
    if (section.clock !== clockEnd) return undefined
    sections.push(section)
    clockEnd = section.clockEnd
  }
  return { client: first.client, clock: first.clock, clockEnd, sections }
}

function joinDeletions(split: readonly SplitUpdate[]): Map<number, DeletedRange[]> {
  const lists = grouped(split.flatMap(({ deletions }) => [...deletions]))
  return new Map([...lists].map(([client, ranges]) => [client, joinRanges(ranges.flat())]))
}

function grouped<Item>(entries: readonly (readonly [number, Item])[]): Map<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const [client, item] of entries) {
    const group = groups.get(client)
    if (group === undefined) groups.set(client, [item])
    else group.push(item)
  }
  return groups
}

function joinRanges(ranges: readonly DeletedRange[]): DeletedRange[] {
  const joined: DeletedRange[] = []
  for (const range of ranges.toSorted((one, other) => one.clock - other.clock)) {
    const last = joined.at(-1)
    if (last === undefined || last.clockEnd < range.clock) joined.push(range)
    else joined[joined.length - 1] = { clock: last.clock, clockEnd: Math.max(last.clockEnd, range.clockEnd) }
  }
  return joined
}

/** Returns joined updates as one update, without what a replica with this state has completely. */
export function encodeJoined({ chains, deletions }: JoinedUpdates, known: ReadonlyMap<number, number>): Uint8Array {
  const missing = chains.filter(({ client, clockEnd }) => clockEnd > (known.get(client) ?? 0))
  // Yjs needs the highest client first.
  const sorted = missing.toSorted((one, other) => other.client - one.client)
  const parts = sorted.flatMap(({ client, clock, sections }) => {
    const structs = sections.reduce((sum, section) => sum + section.structs, 0)
    return [encodeNumbers([structs, client, clock]), ...sections.map(({ bytes }) => bytes)]
  })
  return concatenate([encodeNumbers([sorted.length]), ...parts, encodeDeletions(deletions)])
}

/** Returns the state vector of joined updates: what they have of each session of an editor from its beginning on. */
export function encodeJoinedState({ chains }: JoinedUpdates): Uint8Array {
  const complete = chains.filter(({ clock }) => clock === 0).toSorted((one, other) => other.client - one.client)
  return encodeNumbers([complete.length, ...complete.flatMap(({ client, clockEnd }) => [client, clockEnd])])
}

function encodeDeletions(deletions: ReadonlyMap<number, readonly DeletedRange[]>): Uint8Array {
  const sorted = [...deletions].toSorted(([one], [other]) => other - one)
  return encodeNumbers([
    sorted.length,
    ...sorted.flatMap(([client, ranges]) => [
      client,
      ranges.length,
      ...ranges.flatMap(({ clock, clockEnd }) => [clock, clockEnd - clock]),
    ]),
  ])
}

// Seven bits in each byte, the lowest first.
function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}
