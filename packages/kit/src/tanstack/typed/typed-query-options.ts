import type { QueryKey } from "@tanstack/query-core"
import type { ClientCollection, ClientGlobal } from "../../client/typed-client.ts"
import type { Found } from "../../wire/results/found.ts"
import type { CursorPage, Page } from "../../wire/results/results.ts"
import type { AppTypes, CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import type {
  AggregateGroupOf,
  AggregateOf,
  AggregateOptionsOf,
  NumberFlags,
  OrderedFlags,
} from "../../wire/typed/typed-aggregates.ts"
import type {
  CountOptionsOf,
  CursorValue,
  GroupByOf,
  PageOf,
  TypesIn,
  WithCursors,
  WriteSelection,
} from "../../wire/typed/typed-operations.ts"
import type { PagedOptionsOf, RecordOptionsOf, WatchOptionsOf } from "../../wire/typed/typed-watch.ts"
import type { COLLECTION_WRITES, GLOBAL_WRITES } from "../resource-writes.ts"
import type {
  CursorPagesOptions,
  LiveOptions,
  PagesOptions,
  QueryFilter,
  ReadOptions,
  WriteOptions,
} from "./built-options.ts"
import type { RouteQueryOptions } from "./typed-route-options.ts"

/** The option factories of an app: `q.articles.find(options)`, `q.globals.settings.get()`, `q.routes.stats.get()`. */
export type AppQueryOptions<Config extends AppTypes> = CollectionsOf<Config["collections"]> & {
  /** The factories of all collections. A collection whose name is `routes` is found only here. */
  readonly collections: CollectionsOf<Config["collections"]>
  readonly globals: GlobalsOf<Config["globals"]>
  readonly routes: RouteQueryOptions<Config["routes"]>
}

type CollectionsOf<Collections> = {
  readonly [Name in keyof Collections]: Collections[Name] extends CollectionTypes
    ? CollectionQueryOptions<Collections[Name]>
    : never
}

type GlobalsOf<Globals> = {
  readonly [Name in keyof Globals]: Globals[Name] extends GlobalTypes ? GlobalQueryOptions<Globals[Name]> : never
}

/** The option factories of a collection. */
export type CollectionQueryOptions<Types extends CollectionTypes> = CollectionReads<Types> &
  Writes<ClientCollection<Types>, Exclude<(typeof COLLECTION_WRITES)[number], SelectingName>> &
  SelectingWrites<Types, ClientCollection<Types>, SelectingName>

interface CollectionReads<Types extends CollectionTypes> extends Keys<FilterOptions<Types>> {
  find: PageFactory<Types, "once">
  /**
   * The same as `find`, under the same key, but live: the first result answers the query, and each later one becomes the
   * data of the query until its last observer has left.
   */
  live: PageFactory<Types, "live">
  findOne<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: WatchOptionsOf<Types, With, Columns, never, Locale>,
  ): ReadOptions<Found<TypesIn<Types, Locale>, With, Columns> | null>
  count(options?: CountOptionsOf<Types>): ReadOptions<number>
  /** Pages of records for an infinite query. Each page follows the one before. */
  pages<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: Omit<WatchOptionsOf<Types, With, Columns, never, Locale>, "page" | "groupBy">,
  ): PagesOptions<Page<Found<TypesIn<Types, Locale>, With, Columns>>>
  /**
   * Pages of records for an infinite query, by cursors. What others insert and delete meanwhile moves no record to
   * another page.
   */
  cursorPages<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: Omit<WatchOptionsOf<Types, With, Columns, never, Locale>, "page" | "offset" | "groupBy">,
  ): CursorPagesOptions<CursorPage<Found<TypesIn<Types, Locale>, With, Columns>>>
  /** One record. Its data is null if there is no such record, or if the caller may not read it. */
  record(id: string): RecordReads<Types>
  /** The number of records, live. The key is that of `count`. */
  readonly total: { live(options?: CountOptionsOf<Types>): LiveOptions<number> }
  /** Values that are computed from records. */
  aggregate: AggregateFactory<Types, "once">
  /** Computed values, live. The key is that of `aggregate`. */
  readonly aggregates: { readonly live: AggregateFactory<Types, "live"> }
}

interface RecordReads<Types extends GlobalTypes> {
  get: RecordFactory<Types, "once">
  /** The same as `get`, under the same key, but live. */
  live: RecordFactory<Types, "live">
}

/** The options of a query for data of this type, by the kind of query. */
interface OptionsFor<Data> {
  once: ReadOptions<Data>
  live: LiveOptions<Data>
}

type PageFactory<Types extends CollectionTypes, Kind extends keyof OptionsFor<unknown>> = <
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Group extends GroupByOf<Types> | undefined = never,
  const Locale extends Types["locale"] | "*" = never,
  PageNumber extends number | undefined = undefined,
  Cursor extends CursorValue = undefined,
>(
  options?: PagedOptionsOf<Types, With, Columns, Group, Locale, PageNumber, Cursor>,
) => OptionsFor<WithCursors<PageOf<Types, With, Columns, Group, TypesIn<Types, Locale>>, Cursor>>[Kind]

type AggregateFactory<Types extends CollectionTypes, Kind extends keyof OptionsFor<unknown>> = <
  const Group extends AggregateGroupOf<Types> | undefined = never,
  const Count extends true | undefined = never,
  const Sum extends NumberFlags<Types> | undefined = never,
  const Avg extends NumberFlags<Types> | undefined = never,
  const Min extends OrderedFlags<Types> | undefined = never,
  const Max extends OrderedFlags<Types> | undefined = never,
>(
  options: AggregateOptionsOf<Types, Group, Count, Sum, Avg, Min, Max>,
) => OptionsFor<AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>>[Kind]

type RecordFactory<Types extends GlobalTypes, Kind extends keyof OptionsFor<unknown>> = <
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Locale extends Types["locale"] | "*" = never,
>(
  options?: RecordOptionsOf<Types, With, Columns, Locale>,
) => OptionsFor<Found<TypesIn<Types, Locale>, With, Columns> | null>[Kind]

/** The option factories of a global. */
export type GlobalQueryOptions<Types extends GlobalTypes> = RecordReads<Types> &
  Keys<RecordOptionsOf<Types, Types["with"], Types["columns"], Types["locale"]>> &
  Writes<ClientGlobal<Types>, Exclude<(typeof GLOBAL_WRITES)[number], "cancelTransition" | "update">> &
  SelectingWrites<Types, ClientGlobal<Types>, "update"> &
  (ClientGlobal<Types> extends { cancelTransition(options?: infer Options): Promise<infer Cancelled> }
    ? { cancelTransition(options?: Options): WriteOptions<Cancelled, undefined> }
    : unknown)

interface Keys<Options> {
  /** The beginning of the keys of all reads of this resource. */
  key(): QueryKey
  /** Selects all reads of this resource or, with options, the reads of a list that have these options and maybe more. */
  filter(options?: Options): QueryFilter
}

interface FilterOptions<Types extends CollectionTypes> extends CountOptionsOf<Types> {
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

type Writes<Operations, Names> = {
  readonly [Name in keyof Operations & Names]: Operations[Name] extends (
    input: infer Input,
    options?: infer Options,
  ) => Promise<infer Data>
    ? (options?: Options) => WriteOptions<Data, Input>
    : never
}

/** The writes of a collection that return a selection. */
type SelectingName = "create" | "updateById" | "update"

/** Like `Writes`, for writes whose result type depends on the options `with` and `columns`. */
type SelectingWrites<Types extends GlobalTypes, Operations, Names> = {
  readonly [Name in keyof Operations & Names]: Operations[Name] extends (
    input: infer Input,
    options?: infer Options,
  ) => Promise<unknown>
    ? SelectingFactory<Types, Options, Input>
    : never
}

type SelectingFactory<Types extends GlobalTypes, Options, Input> = <
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
>(
  options?: Options & WriteSelection<Types, With, Columns>,
) => WriteOptions<Found<Types, With, Columns>, Input>
