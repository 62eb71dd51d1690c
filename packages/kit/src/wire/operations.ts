import type { FindOptions, GroupByInput, RecordOptions, WhereInput } from "./query-options.ts"
import type { DeleteResult, GroupedPage, Page } from "./results.ts"

export type RecordData = Readonly<Record<string, unknown>>

/** The page that `find` answers to these options. */
export type PageFor<Options> = Options extends { readonly groupBy: GroupByInput }
  ? GroupedPage<RecordData>
  : Page<RecordData>

/** The operations of a collection without generated types: what the client and the in-process API do at run time. */
export interface CollectionOperations {
  find<Options extends FindOptions>(options?: Options): Promise<PageFor<Options>>
  findOne(options?: FindOptions): Promise<RecordData | null>
  count(options?: { where?: WhereInput; search?: string }): Promise<number>
  create(data: RecordData, options?: RecordOptions): Promise<RecordData>
  updateById(change: { id: string; data: RecordData }, options?: RecordOptions): Promise<RecordData>
  deleteById(target: { id: string }, options?: RecordOptions): Promise<DeleteResult<RecordData>>
}

export interface GlobalOperations {
  get(options?: RecordOptions): Promise<RecordData | null>
  update(data: RecordData, options?: RecordOptions): Promise<RecordData>
}

/** All operations of an app, under the rights of one caller. */
export interface LocalApi {
  readonly collections: Readonly<Record<string, CollectionOperations>>
  readonly globals: Readonly<Record<string, GlobalOperations>>
  /** Everything done through the inner operations is stored together, or not at all if `work` throws. */
  transaction<Result>(work: (api: LocalApi) => Promise<Result>): Promise<Result>
}
