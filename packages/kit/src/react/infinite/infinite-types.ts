import type { TotalIs } from "../../wire/results/results.ts"
import type { CollectionTypes } from "../../wire/typed/app-config.ts"
import type { ColumnsOption, WithOption } from "../../wire/typed/exact.ts"
import type { PageOptions } from "../../wire/typed/typed-operations.ts"
import type { IdleResult, LiveResult } from "../reads/live-result.ts"

/** The options of an endless list: those of `find` that do not say where a page begins. */
export interface InfiniteOptionsOf<Types extends CollectionTypes, With, Columns, Locale extends string>
  extends Omit<PageOptions, "offset" | "page" | "after" | "before"> {
  with?: WithOption<Types, With>
  columns?: ColumnsOption<Types, Columns>
  where?: Types["where"] | undefined
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
  stage?: Types["stage"] | undefined
  includeDeleted?: Types["includeDeleted"] | undefined
  locale?: Locale | undefined
}

interface ListMembers {
  /** The number of all records of the list; -1 unless the option `total` asks for it. */
  readonly totalDocs: number
  /** The meaning of `totalDocs` if the option `total` is `"estimate"` or `{ max }`. */
  readonly totalIs: TotalIs | undefined
  readonly hasNextPage: boolean
  /** True while the records that `loadMore` has asked for are on their way. */
  readonly isLoadingMore: boolean
  /** Loads the next records, or tries again if that has failed. The function stays the same while the options do. */
  loadMore(): void
}

/** The result of `useInfinite`; `data` has the records of all pages that were loaded. */
export type InfiniteResult<Data> = LiveResult<Data> & ListMembers

/** The result of `useInfinite` whose options are null: nothing is read. */
export type IdleList = IdleResult & ListMembers
