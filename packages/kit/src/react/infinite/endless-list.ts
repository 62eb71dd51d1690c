import type { Entry } from "../store/entry.ts"
import { share } from "../store/share.ts"
import { ListPage, type ListRange, type ReadPage, readPageOf } from "./list-page.ts"
import { isSameResult, type ListResult, stateOf, totalOf } from "./list-result.ts"

type Pages = readonly [ListPage, ...ListPage[]]

export const BEGINNING: ListRange = { after: null }

/**
 * The pages of an endless list, shown as one list. The last page follows the first records after its cursor. When more
 * is loaded, it becomes the range between its cursors, and the next page begins where it ends. So a new record appears
 * in the page into which it falls, and no other page moves.
 */
export class EndlessList {
  readonly #entryOf: (range: ListRange) => Entry
  readonly #listeners = new Set<() => void>()
  #pages: Pages
  #docs: ReadPage["docs"] | undefined
  #result: ListResult
  #serverResult: ListResult | undefined
  /** The last reset of the store that the list knows of. The cursors of a former user are refused. */
  #resetAt: number
  /** True if the server has accepted a cursor since the list began. */
  #hasUsedCursor = false

  /** `entryOf` returns the read of a range, which all components with this range share. */
  constructor(entryOf: (range: ListRange) => Entry) {
    this.#entryOf = entryOf
    this.#pages = [this.#pageOf(BEGINNING)]
    this.#resetAt = this.first.store.resetAt
    this.#result = this.#newResult()
  }

  /** The read of the first page. */
  get first(): Entry {
    return this.#pages[0].entry
  }

  get result(): ListResult {
    return this.#result
  }

  /** The result of the server's render: the first page, which the browser shows while it hydrates. */
  get serverResult(): ListResult {
    const { serverResult } = this.first
    const page = readPageOf(serverResult.data)
    const { data, ...state } = serverResult
    this.#serverResult ??= {
      ...this.#result,
      ...state,
      ...totalOf(page),
      data: page?.docs,
      hasNextPage: page?.hasNextPage ?? false,
    }
    return this.#serverResult
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    for (const page of this.#pages) page.follow(this.#onChange)
    this.#show()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) for (const page of this.#pages) page.leave()
    }
  }

  /** Loads the next page, or tries again what has failed. It does nothing while a page is being loaded. */
  readonly loadMore = (): void => {
    const failed = this.#pages.filter(({ entry }) => entry.result.status === "error")
    // Two pages can fail together: the next one, and the range that the last one has become.
    for (const page of failed) this.#replace(page, [this.#pageOf(page.range, page.shown)])
    if (failed.length === 0 && !this.#lastPage.isPending) this.#split(this.#lastPage)
    this.#show()
  }

  get #lastPage(): ListPage {
    return this.#pages.at(-1) ?? this.#pages[0]
  }

  readonly #onChange = (page: ListPage): void => {
    if (this.first.store.resetAt !== this.#resetAt) this.#forget()
    else if (page.isRefused && this.#hasUsedCursor) this.#restart()
    else this.#takeOver(page)
    this.#show()
  }

  #takeOver(page: ListPage): void {
    this.#hasUsedCursor ||= page.hasCursor && page.found !== undefined
    const isTooLong = page.range.before !== undefined && page.found?.hasNextPage
    if (!isTooLong) return
    if (page.isBeginning) this.#split(page)
    else this.#readBeginningOf(page)
  }

  /** Reads where a page can be split that new records have made too long. */
  #readBeginningOf(page: ListPage): void {
    const { range, found } = page
    const entry = this.#entryOf({ after: range.after })
    this.#replace(page, [new ListPage(range, { entry, former: found, isBeginning: true })])
  }

  /** Puts two pages in the place of one that is followed by other records: those that it has found, and the others. */
  #split(page: ListPage): void {
    const { found, range } = page
    if (!found?.hasNextPage || found.endCursor === null) return
    const { endCursor } = found
    this.#replace(page, [
      this.#pageOf({ after: range.after, before: endCursor }, found),
      this.#pageOf({ after: endCursor, before: range.before }),
    ])
  }

  #replace(page: ListPage, parts: readonly ListPage[]): void {
    // The cast is safe: each page has at least one part.
    this.#pages = this.#pages.flatMap((each) => (each === page ? parts : [each])) as unknown as Pages
    if (this.#listeners.size > 0) for (const part of parts) part.follow(this.#onChange)
    page.leave()
    // Somebody else may follow the same read. Its next change may be far away.
    for (const part of parts) if (part.entry.isCurrent) this.#takeOver(part)
  }

  /** Begins again without anything that a former user has seen. */
  #forget(): void {
    this.#resetAt = this.first.store.resetAt
    this.#docs = undefined
    this.#restart()
  }

  /** Begins again with the first page. The records stay until it has arrived. */
  #restart(): void {
    const former = this.#pages
    this.#hasUsedCursor = false
    this.#pages = [this.#pageOf(BEGINNING)]
    this.#pages[0].follow(this.#onChange)
    for (const page of former) page.leave()
  }

  #pageOf(range: ListRange, former?: ReadPage): ListPage {
    return new ListPage(range, { entry: this.#entryOf(range), former })
  }

  #show(): void {
    const result = this.#newResult()
    if (isSameResult(this.#result, result)) return
    this.#result = result
    for (const listener of [...this.#listeners]) listener()
  }

  #newResult(): ListResult {
    const [first] = this.#pages
    const last = this.#lastPage
    return {
      ...stateOf(this.#pages),
      ...totalOf(first.shown),
      data: this.#joinedDocs(),
      hasNextPage: last.shown ? last.shown.hasNextPage : last !== first,
      isLoadingMore: last !== first && last.isPending,
      loadMore: this.loadMore,
    }
  }

  /** Returns the records of all pages, or the former ones while a page between two others is on its way. */
  #joinedDocs(): ReadPage["docs"] | undefined {
    const isComplete = this.#pages.every((page) => page.shown || page === this.#lastPage)
    const docs = this.#pages.flatMap((page) => page.shown?.docs ?? [])
    // The cast is safe: a shared list has the records of the new one.
    if (isComplete && this.#pages[0].shown) this.#docs = share(this.#docs, withoutRepeated(docs)) as ReadPage["docs"]
    return this.#docs
  }
}

// A record that moves from one page to another is in both for a moment.
function withoutRepeated(docs: ReadPage["docs"]): ReadPage["docs"] {
  const seen = new Set<unknown>()
  return docs.filter(({ id }) => !seen.has(id) && seen.add(id))
}
