import type { Handle } from "../realtime/handle.ts"
import type { IterationSettings, LiveSettings, Snapshots } from "../realtime/live-operations.ts"
import type { Found } from "../results/found.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ColumnsOption, ExactGroup, WithOption } from "./exact.ts"
import type {
  AggregateGroupOf,
  AggregateOf,
  AggregateOptionsOf,
  NumberFlags,
  OrderedFlags,
} from "./typed-aggregates.ts"
import type {
  CountOptionsOf,
  CursorValue,
  GroupByOf,
  GroupedOptionsOf,
  OffsetBeside,
  PageOf,
  PageOptions,
  PageOrOffset,
  SelectionOf,
  TypesIn,
  WithCursors,
} from "./typed-operations.ts"

/** Live queries on a collection with every option of `find`. */
export interface WatchCollection<Types extends CollectionTypes> extends Handle<"collection", Types> {
  /**
   * Calls back with the current page and with the new one after each change. Returns an unsubscribe function. Unlike
   * `live`, it has every option of `find`.
   */
  watch<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    const Locale extends Types["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    options: (WatchOptionsOf<Types, With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>) | undefined,
    onSnapshot: (page: WithCursors<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Cursor>) => void,
    settings?: LiveSettings,
  ): () => void
  watchIter<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    const Locale extends Types["locale"] | "*" = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    options?: WatchOptionsOf<Types, With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
    settings?: IterationSettings,
  ): Snapshots<WithCursors<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Cursor>>
  /** Returns the handle of one record: `articles.record(id).watch({ with: { author: true } }, onRecord)`. */
  record(id: string): WatchRecord<"record", Types>
  /** The handle of the number of records: `articles.total.watch({ where }, onCount)`. */
  readonly total: WatchTotal<Types>
  /** The handle of computed values: `orders.aggregates.watch({ groupBy: "status", count: true }, onResult)`. */
  readonly aggregates: WatchAggregates<Types>
}

/** Live queries on one record, which is null if the record does not exist or the caller may not read it. */
export interface WatchRecord<Kind extends "record" | "global", Types extends GlobalTypes> extends Handle<Kind, Types> {
  watch<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options: RecordOptionsOf<Types, With, Columns, Locale> | undefined,
    onSnapshot: (record: Found<TypesIn<Types, Locale>, With, Columns> | null) => void,
    settings?: LiveSettings,
  ): () => void
  watchIter<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: RecordOptionsOf<Types, With, Columns, Locale>,
    settings?: IterationSettings,
  ): Snapshots<Found<TypesIn<Types, Locale>, With, Columns> | null>
}

/** Live queries on the number of records. */
interface WatchTotal<Types extends CollectionTypes> extends Handle<"total", Types> {
  watch(
    options: CountOptionsOf<Types> | undefined,
    onSnapshot: (count: number) => void,
    settings?: LiveSettings,
  ): () => void
  watchIter(options?: CountOptionsOf<Types>, settings?: IterationSettings): Snapshots<number>
}

/** Live queries on values that are computed from records. */
interface WatchAggregates<Types extends CollectionTypes> extends Handle<"aggregates", Types> {
  watch<
    const Group extends AggregateGroupOf<Types> | undefined = never,
    const Count extends true | undefined = never,
    const Sum extends NumberFlags<Types> | undefined = never,
    const Avg extends NumberFlags<Types> | undefined = never,
    const Min extends OrderedFlags<Types> | undefined = never,
    const Max extends OrderedFlags<Types> | undefined = never,
  >(
    options: AggregateOptionsOf<Types, Group, Count, Sum, Avg, Min, Max>,
    onSnapshot: (result: AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>) => void,
    settings?: LiveSettings,
  ): () => void
  watchIter<
    const Group extends AggregateGroupOf<Types> | undefined = never,
    const Count extends true | undefined = never,
    const Sum extends NumberFlags<Types> | undefined = never,
    const Avg extends NumberFlags<Types> | undefined = never,
    const Min extends OrderedFlags<Types> | undefined = never,
    const Max extends OrderedFlags<Types> | undefined = never,
  >(
    options: AggregateOptionsOf<Types, Group, Count, Sum, Avg, Min, Max>,
    settings?: IterationSettings,
  ): Snapshots<AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>>
}

/** The options of `watch` on a collection. */
export interface WatchOptionsOf<Types extends CollectionTypes, With, Columns, Group, Locale extends string>
  extends GroupedOptionsOf<Types, With, Columns, Group> {
  locale?: Locale | undefined
}

/**
 * The options of `watch` on a collection together with `PageOrOffset`. One interface costs the compiler less than an
 * intersection of two.
 */
export interface PagedOptionsOf<
  Types extends CollectionTypes,
  With,
  Columns,
  Group,
  Locale extends string,
  PageNumber extends number | undefined,
  Cursor extends CursorValue = undefined,
> extends PlainOptionsOf<Types> {
  with?: WithOption<Types, With>
  columns?: ColumnsOption<Types, Columns>
  groupBy?: Group & NoInfer<ExactGroup<Group>>
  locale?: Locale | undefined
  page?: PageNumber
  offset?: OffsetBeside<PageNumber>
  after?: Cursor
  before?: Cursor
}

/** The options whose types do not depend on the call. */
interface PlainOptionsOf<Types extends CollectionTypes> extends PageOptions {
  where?: Types["where"] | undefined
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
  stage?: Types["stage"] | undefined
  includeDeleted?: Types["includeDeleted"] | undefined
}

/** The options of `watch` on one record or on a global. */
export interface RecordOptionsOf<Types extends GlobalTypes, With, Columns, Locale extends string>
  extends SelectionOf<Types, With, Columns> {
  with?: WithOption<Types, With>
  columns?: ColumnsOption<Types, Columns>
  locale?: Locale | undefined
}
