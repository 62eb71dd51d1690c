import { collectionHandle } from "../../../kit/resources.ts"
import type { ListFilter } from "../list-options.ts"

/** The most records that are selected together: as many as one delete takes. */
export const MAX_SELECTED = 10_000
// The most records that one read answers.
const PAGE = 1000

interface Matching extends ListFilter {
  readonly orderBy?: Readonly<Record<string, unknown>>
}

/** Reads the ids of all records that a list has, in its order, page by page. */
export async function readMatchingIds(
  collection: string,
  matching: Matching,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids: string[] = []
  let after: string | null = null
  do {
    const page = await readPage(collection, { ...matching, after }, signal)
    ids.push(...page.ids)
    after = page.next
  } while (after !== null && ids.length < MAX_SELECTED)
  return ids
}

interface IdPage {
  readonly ids: readonly string[]
  /** The cursor of the next page; null behind the last one. */
  readonly next: string | null
}

async function readPage(collection: string, from: object, signal: AbortSignal): Promise<IdPage> {
  const options = { ...from, columns: { id: true }, total: false, limit: PAGE }
  const { docs, hasNextPage, ...page } = await collectionHandle(collection).find(options, { signal })
  // A page that was read by a cursor has that of its end.
  const end = "endCursor" in page && typeof page.endCursor === "string" ? page.endCursor : null
  return { ids: docs.map(({ id }) => String(id)), next: hasNextPage ? end : null }
}
