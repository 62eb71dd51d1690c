/** One page of records, as `find` answers it. */
export interface Page<Record = unknown> {
  readonly docs: readonly Record[]
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

/** The page of an exact total. */
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

/** The page of a read that skipped its total; one row more than the limit tells whether another page follows. */
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
