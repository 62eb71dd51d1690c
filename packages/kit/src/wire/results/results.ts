/** One page of records, as the operation `find` returns it. */
export interface Page<Record = unknown> extends PagePosition {
  readonly docs: readonly Record[]
}

/**
 * A page that was read by the option `after` or `before`. Its number is unknown: `page`, `pagingCounter` and
 * `totalPages` are -1.
 */
export interface CursorPage<Record = unknown> extends Page<Record>, PageCursors {}

/** The cursors of a page. */
export interface PageCursors {
  /** The position just before the first record of the page; null if the page is empty and no cursor was given. */
  readonly startCursor: string | null
  /** The position just after the last record of the page; null if the page is empty and no cursor was given. */
  readonly endCursor: string | null
}

/** A page of the stored events of a channel, the newest first. */
export interface EventPage<Event = ChannelEvent> extends PageCursors {
  readonly docs: readonly Event[]
  readonly limit: number
  /** True if there are newer events before the page. */
  readonly hasPrevPage: boolean
  /** True if there are older events behind the page. */
  readonly hasNextPage: boolean
}

interface ChannelEvent {
  readonly event: string
  readonly eventId: string
  readonly data: unknown
}

/** The position of a page in the whole result: its number, its size and the total number of pages and records. */
interface PagePosition {
  readonly totalDocs: number
  /** The meaning of `totalDocs`. It is there if the option `total` is `"estimate"` or `{ max }`. */
  readonly totalIs?: TotalIs
  readonly limit: number
  readonly totalPages: number
  readonly page: number
  readonly pagingCounter: number
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
  readonly prevPage: number | null
  readonly nextPage: number | null
}

/** The meaning of a total: the exact number, what Postgres expects, or the number at which the count ended. */
export type TotalIs = "exact" | "estimate" | "atLeast"

/** The key of the group whose records have no value in the grouping field. */
export const EMPTY_GROUP_KEY = "__empty"

/** A group: the records that have the same value in the grouping field. */
export interface Group<Record = unknown, Value = unknown> {
  /** The group's value as a string; `__empty` if the value is null. */
  readonly key: string
  readonly value: Value
  /**
   * The title of the related record. Only groups by a relation to one record have it, and only if those records have a
   * title; null if the caller may not read it, and in the group without a value.
   */
  readonly title?: string | null
  /** The number of all records in the group, of which `docs` contains only the first; -1 if nothing was counted. */
  readonly count: number
  readonly docs: readonly Record[]
}

/** One page of groups, as `find` returns it with `groupBy`. Page numbers and `limit` count groups, not records. */
export interface GroupedPage<Record = unknown, Value = unknown> extends PagePosition {
  readonly groups: readonly Group<Record, Value>[]
  readonly groupBy: string
  /** The number of groups on all pages; -1 if nothing was counted. */
  readonly totalGroups: number
  /** The number of records in all groups, on all pages; -1 if nothing was counted. */
  readonly totalDocs: number
}

export interface DeleteResult<Record = unknown> {
  readonly success: true
  readonly data: Record
}

export interface DeleteManyResult {
  readonly success: true
  readonly count: number
}

export interface PurgeResult {
  readonly success: true
}

export interface PageWindow {
  readonly limit: number
  readonly offset: number
}

/** Returns the page for the records of a read whose total number of records is known. */
export function pageOf<Record>(docs: readonly Record[], total: number, window: PageWindow): Page<Record> {
  const { limit, offset } = window
  const page = Math.floor(offset / limit) + 1
  const totalPages = Math.max(1, Math.ceil(total / limit))
  const hasPrevPage = page > 1
  const hasNextPage = offset + limit < total
  return {
    docs,
    totalDocs: total,
    limit,
    totalPages,
    page,
    pagingCounter: offset + 1,
    hasPrevPage,
    hasNextPage,
    prevPage: hasPrevPage ? page - 1 : null,
    nextPage: hasNextPage ? page + 1 : null,
  }
}

/** A page of which only the number of its own records is known, and whether another one follows. */
interface UncountedPage {
  readonly window: PageWindow
  readonly hasNextPage: boolean
}

/** Returns the page for a read whose total number of records is unknown. */
export function pageWithoutTotal<Record>(
  docs: readonly Record[],
  { window, hasNextPage }: UncountedPage,
): Page<Record> {
  const { limit, offset } = window
  const page = Math.floor(offset / limit) + 1
  return {
    docs,
    totalDocs: -1,
    limit,
    totalPages: -1,
    page,
    pagingCounter: offset + 1,
    hasPrevPage: page > 1,
    hasNextPage,
    prevPage: page > 1 ? page - 1 : null,
    nextPage: hasNextPage ? page + 1 : null,
  }
}
