import type {
  DataTag,
  InfiniteData,
  MutationFunctionContext,
  MutationKey,
  Query,
  QueryFunctionContext,
  QueryKey,
} from "@tanstack/query-core"

/** The options of one read, for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and their like. */
export interface ReadOptions<Data> {
  /** The key, which also carries the type of the data: `queryClient.getQueryData(options.queryKey)`. */
  readonly queryKey: DataTag<QueryKey, Data>
  readonly queryFn: (context: QueryFunctionContext) => Promise<Data>
  readonly structuralSharing: ShareParts
}

/**
 * Returns the new data with the equal parts of the old data in it. TanStack Query itself takes records with dates for
 * different each time.
 */
type ShareParts = (old: unknown, data: unknown) => unknown

/** The options of a live read. TanStack Query asks these functions whether it has to start the read. */
export interface LiveOptions<Data> extends ReadOptions<Data> {
  readonly staleTime: (query: AnyQuery) => number
  readonly refetchOnMount: (query: AnyQuery) => boolean | "always"
}

/** A query of any type. A type parameter that functions of the query take as argument accepts only `never` here. */
export type AnyQuery = Pick<Query<never, never, never, never>, "queryHash">

/** The options of a read that grows page by page, for `useInfiniteQuery` and its like. The parameter is the offset. */
export interface PagesOptions<Page> {
  readonly queryKey: DataTag<QueryKey, InfiniteData<Page, number>>
  readonly queryFn: (context: QueryFunctionContext<QueryKey, number>) => Promise<Page>
  readonly initialPageParam: number
  readonly getNextPageParam: (last: Page, pages: readonly Page[], offset: number) => number | undefined
  readonly structuralSharing: ShareParts
}

/** The options of a read that grows page by page by cursors. The parameter is the cursor behind which a page begins. */
export interface CursorPagesOptions<Page> {
  readonly queryKey: DataTag<QueryKey, InfiniteData<Page, string | null>>
  readonly queryFn: (context: QueryFunctionContext<QueryKey, string | null>) => Promise<Page>
  readonly initialPageParam: string | null
  readonly getNextPageParam: (last: Page) => string | null
  readonly structuralSharing: ShareParts
}

/** The options of a write, for `useMutation` and its like. */
export interface WriteOptions<Data, Input> {
  readonly mutationKey: MutationKey
  readonly mutationFn: (input: Input) => Promise<Data>
  /** Invalidates the reads of the same collection or global, except those that are live. */
  readonly onSuccess: (
    data: Data,
    input: Input,
    onMutateResult: unknown,
    context: MutationFunctionContext,
  ) => Promise<unknown>
}

/** The options of a route call that changes something, for `useMutation` and its like. */
export type RouteWriteOptions<Data, Input> = Omit<WriteOptions<Data, Input>, "onSuccess">

/** Selects queries: `queryClient.invalidateQueries(q.articles.filter())`. */
export interface QueryFilter {
  readonly queryKey: QueryKey
}
