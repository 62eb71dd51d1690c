import type { ConsoleRecord } from "../resources.ts"
import {
  extendDown,
  extendUp,
  type ListPage,
  type ListPages,
  newPage,
  type PageRange,
  type ReadPage,
  receivePage,
  recordsOf,
} from "./list-pages.ts"
import { PAGE_SIZE } from "./page-size.ts"
import { holdOrder } from "./shown-order.ts"

interface ShownRows {
  /** The records to show, in the order in which they are shown. */
  readonly rows: readonly ConsoleRecord[]
  /** The number of new records above the last row in view, which wait until they are asked for. */
  readonly newCount: number
  /** The number of records that are shown in their former place, although they have another one now. */
  readonly movedCount: number
}

export interface WindowState extends ShownRows {
  readonly pages: ListPages
  /** The place of the first row in the whole list, as far as it is known. */
  readonly offset: number
  /** True if the first row is that of the whole list; so is `isToEnd` for the last one. */
  readonly isFromStart: boolean
  readonly isToEnd: boolean
  readonly isLoaded: boolean
}

/** The rows that a person sees: the numbers of the first and the last one among `rows`. */
interface RowsInView {
  readonly first: number
  readonly last: number
}

// A page is followed while rows of it, or this many rows beside it, are in view.
const NEAR_ROWS = 40

/** If so many unread rows lie between the window and the view, the window starts again there instead of reading them. */
export const FAR_ROWS = 120

/**
 * The part of a long list that was read: adjacent pages, found by cursors, so that new records shift nothing. It grows
 * at both ends as its ends come into view, and starts again where a person jumps to.
 */
export class ListWindow {
  readonly #listeners = new Set<() => void>()
  #pages: ListPages = [newPage({ after: null })]
  #offset = 0
  #ids: readonly string[] = []
  #loaded = new Set<string>()
  readonly #expected = new Set<string>()
  #inView: RowsInView = { first: 0, last: -1 }
  /** The records of the pages from which the shown rows were made. */
  #docs: readonly (readonly ConsoleRecord[] | undefined)[] = []
  #shown: ShownRows | undefined
  #state: WindowState

  constructor() {
    this.#state = this.#newState()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): WindowState => this.#state

  /** Takes what was read of a page, now or again. */
  receive(key: number, read: ReadPage): void {
    const page = this.#pages.find((each) => each.key === key)
    if (page === undefined || page.read === read) return
    const isNew = page.read === undefined
    this.#pages = receivePage(this.#pages, key, read)
    if (isNew) for (const { id } of read.docs) this.#loaded.add(id)
    // A page that was read backwards stands before the former first one.
    if (isNew && page.range.before && page.range.after === undefined) {
      this.#offset = Math.max(0, this.#offset - read.docs.length)
    }
    this.#show()
  }

  /** Says which rows are in view. Reads on where they come near an end. */
  setInView(inView: RowsInView): void {
    const { first, last } = this.#inView
    if (first === inView.first && last === inView.last) return
    this.#inView = inView
    const { rows } = this.#state
    let pages = this.#pages
    if (inView.last >= rows.length - NEAR_ROWS && inView.first < rows.length + FAR_ROWS) pages = extendDown(pages)
    if (inView.first < NEAR_ROWS && inView.last > -FAR_ROWS) pages = extendUp(pages)
    const isFollowedAlike = pages === this.#pages && !this.#hasMovedOn(first, last)
    this.#pages = pages
    if (!isFollowedAlike) this.#show()
  }

  /** Returns the pages that are near to what is in view: these are followed. Pages that were never read always are. */
  followedPages(): readonly ListPage[] {
    const { first, last } = this.#inView
    let start = 0
    return this.#pages.filter(({ read }) => {
      const from = start
      start += read?.docs.length ?? 0
      return read === undefined || (from <= last + NEAR_ROWS && start > first - NEAR_ROWS)
    })
  }

  /** Lets records in as soon as they are there, without waiting: the person has brought them back. */
  expect(ids: readonly string[]): void {
    for (const id of ids) this.#expected.add(id)
  }

  /** Shows the rows that wait, and every row in its place. */
  release(): void {
    this.#ids = []
    this.#shown = undefined
    this.#show()
  }

  /** Starts again with another part of the list, whose first row has this place. */
  restart(range: PageRange, offset: number): void {
    this.#pages = [newPage(range)]
    this.#offset = offset
    this.#ids = []
    this.#shown = undefined
    this.#loaded = new Set()
    this.#inView = { first: 0, last: PAGE_SIZE - 1 }
    this.#show()
  }

  /** Returns the cursors of what was read that is nearest to a place in the list. */
  cursorNear(place: number): { readonly cursor: string | null; readonly place: number } {
    const known: { cursor: string | null; place: number }[] = [{ cursor: null, place: 0 }]
    let at = this.#offset
    for (const { read } of this.#pages) {
      if (read?.startCursor) known.push({ cursor: read.startCursor, place: at })
      at += read?.docs.length ?? 0
      if (read?.endCursor) known.push({ cursor: read.endCursor, place: at })
    }
    const behind = known.filter((each) => each.place <= place)
    return behind.reduce((one, other) => (other.place > one.place ? other : one))
  }

  #hasMovedOn(first: number, last: number): boolean {
    const before = this.#keysNear(first, last)
    return before !== this.#keysNear(this.#inView.first, this.#inView.last)
  }

  #keysNear(first: number, last: number): string {
    const page = (row: number) => Math.floor(row / (PAGE_SIZE / 4))
    return `${page(first)}-${page(last)}`
  }

  #show(): void {
    this.#state = this.#newState()
    for (const listener of [...this.#listeners]) listener()
  }

  #newState(): WindowState {
    const shown = this.#shownRows()
    const [first, last] = [this.#pages[0], this.#pages.at(-1)]
    const isFromStart = first?.read !== undefined && !first.read.hasPrevPage
    if (isFromStart) this.#offset = 0
    return {
      pages: this.#pages,
      offset: this.#offset,
      isFromStart,
      isToEnd: last?.read !== undefined && !last.read.hasNextPage,
      isLoaded: first?.read !== undefined,
      ...shown,
    }
  }

  // Most changes of the window leave its records alone, and there may be thousands of them.
  #shownRows(): ShownRows {
    const docs = this.#pages.map(({ read }) => read?.docs)
    const isSame = docs.length === this.#docs.length && docs.every((each, page) => each === this.#docs[page])
    if (this.#shown && isSame) return this.#shown
    this.#docs = docs
    const byId = new Map(recordsOf(this.#pages).map((record) => [record.id, record]))
    const lastInView = this.#ids[Math.min(this.#inView.last, this.#ids.length - 1)] ?? null
    const wanted = new Set([...this.#loaded, ...this.#expected])
    const held = holdOrder([...byId.keys()], { ids: this.#ids, lastInView }, wanted)
    this.#ids = held.ids
    this.#loaded = new Set()
    this.#shown = {
      rows: held.ids.flatMap((id) => byId.get(id) ?? []),
      newCount: held.newCount,
      movedCount: held.movedCount,
    }
    return this.#shown
  }
}
