/** One page of records, as the operation `find` returns it. */
export interface Page<Record = unknown> extends PagePosition {
  readonly docs: readonly Record[]
}

/** The position of a page in the whole result: its number, its size and the total number of pages and records. */
interface PagePosition {
  readonly totalDocs: number
  readonly limit: number
  readonly totalPages: number
  readonly page: number
  readonly pagingCounter: number
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
  readonly prevPage: number | null
  readonly nextPage: number | null
}

/** The key of the group whose records have no value in the grouping field. */
export const EMPTY_GROUP_KEY = "__empty"

/** A group: the records that have the same value in the grouping field. */
export interface Group<Record = unknown, Value = unknown> {
  /** The group's value as a string; `__empty` if the value is null. */
  readonly key: string
  readonly value: Value
  /** The number of all records in the group. `docs` contains only the first of them. */
  readonly count: number
  readonly docs: readonly Record[]
}

/** One page of groups, as `find` returns it with `groupBy`. Page numbers and `limit` count groups, not records. */
export interface GroupedPage<Record = unknown, Value = unknown> extends PagePosition {
  readonly groups: readonly Group<Record, Value>[]
  readonly groupBy: string
  readonly totalGroups: number
  /** The number of records in all groups, on all pages. */
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

/**
 * Returns the page for a read whose total number of records is unknown. The read requests one row more than `limit`: if
 * that row exists, another page follows.
 */
export function pageWithoutTotal<Record>(docs: readonly Record[], window: PageWindow): Page<Record> {
  const { limit, offset } = window
  const page = Math.floor(offset / limit) + 1
  const hasNextPage = docs.length > limit
  return {
    docs: hasNextPage ? docs.slice(0, limit) : docs,
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
