import { isObject } from "../../wire/codecs/is-object.ts"
import type { Entry } from "../store/entry.ts"

/**
 * The part of a list that a page shows: the first records after a cursor or, as soon as the next page begins where it
 * ends, all records between two cursors.
 */
export interface ListRange {
  /** The cursor at which the page begins; null at the beginning of the list. */
  readonly after: string | null
  readonly before?: string | undefined
}

/** The members of a page's result that an endless list uses. */
export interface ReadPage {
  readonly docs: readonly { readonly id?: unknown }[]
  readonly totalDocs: number
  readonly totalIs?: unknown
  readonly endCursor: string | null
  readonly hasNextPage: boolean
}

interface PageRead {
  readonly entry: Entry
  /** The result that is shown until the first one has arrived. */
  readonly former?: ReadPage | undefined
  /** True if the read is that of the first records of the range only. */
  readonly isBeginning?: boolean
}

/** One page of an endless list. */
export class ListPage {
  readonly range: ListRange
  readonly entry: Entry
  /** True if the page reads only the first records of its range. */
  readonly isBeginning: boolean
  #former: ReadPage | undefined
  #leave: (() => void) | undefined

  constructor(range: ListRange, { entry, former, isBeginning = false }: PageRead) {
    this.range = range
    this.entry = entry
    this.isBeginning = isBeginning
    this.#former = former
    this.#update()
  }

  /** The newest result of the page's own read. */
  get found(): ReadPage | undefined {
    return readPageOf(this.entry.result.data)
  }

  get shown(): ReadPage | undefined {
    return this.#former ?? this.found
  }

  get isPending(): boolean {
    return this.entry.result.status === "pending"
  }

  get hasCursor(): boolean {
    return this.range.after !== null || this.range.before !== undefined
  }

  /** True if the server refuses the read. */
  get isRefused(): boolean {
    const { status, error } = this.entry.result
    return status === "error" && error?.code === "VALIDATION_ERROR"
  }

  follow(onChange: (page: ListPage) => void): void {
    this.#leave ??= this.entry.subscribe(() => {
      this.#update()
      onChange(this)
    })
  }

  leave(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  // A read that somebody has left keeps its last result for a while, which may be older than the former one.
  #update(): void {
    if (this.entry.isCurrent && !this.isBeginning) this.#former = undefined
  }
}

/** Returns the data of a read by cursors, which is undefined before the first result. */
export function readPageOf(data: unknown): ReadPage | undefined {
  // The cast is safe: each page that such a read returns has these members.
  return isObject(data) ? (data as ReadPage) : undefined
}
