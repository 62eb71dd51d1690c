import type { ConsoleRecord } from "../resources.ts"
import { PAGE_SIZE } from "./page-size.ts"

/**
 * The part of a list that a page shows. With one end it is the first or the last records from there, with both ends all
 * records between them. Null is the beginning or the end of the list.
 */
export interface PageRange {
  readonly after?: string | null | undefined
  readonly before?: string | null | undefined
}

/** A page that was read by cursors, as the API answers it. */
export interface ReadPage {
  readonly docs: readonly ConsoleRecord[]
  readonly startCursor: string | null
  readonly endCursor: string | null
  readonly hasNextPage: boolean
  readonly hasPrevPage: boolean
}

export interface ListPage {
  readonly key: number
  readonly range: PageRange
  /** Undefined until the page has been read. */
  readonly read: ReadPage | undefined
}

/** Adjacent pages of a list, in its order. */
export type ListPages = readonly ListPage[]

let lastKey = 0

export function newPage(range: PageRange): ListPage {
  lastKey += 1
  return { key: lastKey, range, read: undefined }
}

/** Returns the options by which a page is read. */
export function pageOptions({ range }: ListPage): PageRange & { readonly limit: number } {
  return { ...range, limit: isBounded(range) ? 2 * PAGE_SIZE : PAGE_SIZE }
}

/** Puts what was read into its page. A page with more records than one page may have becomes two. */
export function receivePage(pages: ListPages, key: number, read: ReadPage): ListPages {
  return pages.flatMap((page) => {
    if (page.key !== key) return [page]
    const shared = { ...read, docs: shareRecords(page.read?.docs ?? [], read.docs) }
    const isTooLong = isBounded(page.range) && read.hasNextPage && read.endCursor !== null
    if (!isTooLong) return [{ ...page, read: shared }]
    const { after, before } = page.range
    return [
      { ...page, range: { after, before: read.endCursor }, read: shared },
      newPage({ after: read.endCursor, before }),
    ]
  })
}

/** Adds the page behind the last one; returns the same pages if there is none, or if the last one is still being read. */
export function extendDown(pages: ListPages): ListPages {
  const last = pages.at(-1)
  if (!last?.read?.hasNextPage || last.read.endCursor === null || last.range.before === null) return pages
  const { startCursor, endCursor } = last.read
  const after = last.range.after === undefined ? startCursor : last.range.after
  return [...pages.slice(0, -1), { ...last, range: { after, before: endCursor } }, newPage({ after: endCursor })]
}

/** Adds the page before the first one; returns the same pages if there is none, or if the first one is still being read. */
export function extendUp(pages: ListPages): ListPages {
  const [first, ...others] = pages
  if (!first?.read?.hasPrevPage || first.read.startCursor === null || first.range.after === null) return pages
  const { startCursor } = first.read
  // A page without an end below is the last one, too. With an end it would not know whether the list goes on.
  return [newPage({ before: startCursor }), { ...first, range: { ...first.range, after: startCursor } }, ...others]
}

/** Returns the records of all pages. A record that moves from one page to another is in both for a moment. */
export function recordsOf(pages: ListPages): readonly ConsoleRecord[] {
  const records = new Map<string, ConsoleRecord>()
  const all = pages.flatMap(({ read }) => read?.docs ?? [])
  for (const record of all) records.set(record.id, records.get(record.id) ?? record)
  return [...records.values()]
}

function isBounded({ after, before }: PageRange): boolean {
  return after !== undefined && before !== undefined
}

/**
 * Returns the new records; those that are equal to a former one are the same object, so that their rows are not rendered.
 * If all of them are where they were, it is the former list.
 */
export function shareRecords(
  former: readonly ConsoleRecord[],
  next: readonly ConsoleRecord[],
): readonly ConsoleRecord[] {
  const byId = new Map(former.map((record) => [record.id, record]))
  const shared = next.map((record) => {
    const known = byId.get(record.id)
    return known !== undefined && isSameData(known, record) ? known : record
  })
  const isSame = shared.length === former.length && shared.every((record, place) => record === former[place])
  return isSame ? former : shared
}

function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime()
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  // Both are objects, whose members are compared by their names.
  const members = other as Record<string, unknown>
  return keys.every((key) => key in members && isSameData((one as Record<string, unknown>)[key], members[key]))
}
