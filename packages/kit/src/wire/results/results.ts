/** One page of records, as `find` returns it. */
export interface Page<Record = unknown> extends PagePosition {
  readonly docs: readonly Record[]
}

/** The number of a page, and of how many. */
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

/** The key of the group of records without a value. */
export const EMPTY_GROUP_KEY = "__empty"

/** Records with the same value of a field. */
export interface Group<Record = unknown, Value = unknown> {
  /** The value as text; `__empty` for null. */
  readonly key: string
  readonly value: Value
  /** The number of all records of the group; `docs` has the first ones. */
  readonly count: number
  readonly docs: readonly Record[]
}

/** One page of groups, as `find` returns it with `groupBy`: pages and `limit` count groups. */
export interface GroupedPage<Record = unknown, Value = unknown> extends PagePosition {
  readonly groups: readonly Group<Record, Value>[]
  readonly groupBy: string
  readonly totalGroups: number
  /** The number of records in all groups of all pages. */
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

/** Returns the page of a read with an exact total. */
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
 * Returns the page of a read without a total. The read requests one extra row: if it is there, another page follows.
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
