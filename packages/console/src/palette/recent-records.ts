import { KeptValue } from "../kit/kept-value.ts"

/** A record that was open. Its title is not kept: the person may lose the right to read it. */
export interface RecentRecord {
  readonly collection: string
  readonly id: string
}

const MAX_RECORDS = 6

// Each person of this browser has their own.
function keptFor(person: string): KeptValue<readonly RecentRecord[]> {
  return new KeptValue(`recent-${person}`, { fallback: [], parse: parseRecords })
}

function parseRecords(kept: unknown): readonly RecentRecord[] | undefined {
  if (!Array.isArray(kept)) return undefined
  return kept.filter(isRecord).slice(0, MAX_RECORDS)
}

function isRecord(kept: unknown): kept is RecentRecord {
  if (typeof kept !== "object" || kept === null) return false
  const { collection, id } = kept as Readonly<Record<string, unknown>>
  return typeof collection === "string" && typeof id === "string"
}

/** Returns the records that the person opened last in this browser, the last one first. */
export function recentRecords(person: string): readonly RecentRecord[] {
  return keptFor(person).read()
}

/** Keeps that the person has opened a record. */
export function keepRecent(person: string, { collection, id }: RecentRecord): void {
  const others = recentRecords(person).filter((other) => other.collection !== collection || other.id !== id)
  keptFor(person).keep([{ collection, id }, ...others].slice(0, MAX_RECORDS))
}

/** Forgets the records of a person who signs out. */
export function forgetRecent(person: string): void {
  keptFor(person).keep([])
}
