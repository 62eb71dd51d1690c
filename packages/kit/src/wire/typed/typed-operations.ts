import type { Direction, DryRunOption, TotalInput } from "../options/query-options.ts"
import type { Found } from "../results/found.ts"
import type { DeleteManyResult, DeleteResult, GroupedPage, Page, PageCursors, PurgeResult } from "../results/results.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ColumnsOption, ExactGroup, WithOption } from "./exact.ts"
import type {
  AggregateGroupOf,
  AggregateOf,
  AggregateOptionsOf,
  NumberFlags,
  OrderedFlags,
} from "./typed-aggregates.ts"
import type { Descriptions, GlobalDescriptions } from "./typed-descriptions.ts"

/**
 * The operations on a collection, with the generated types of the collection.
 *
 * In a client, every operation also accepts the options of the call itself, such as a timeout. A read or count takes
 * them as a separate argument (`PerCall`), and a write takes them as part of its `Options`.
 */
export interface TypedCollection<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends Reads,
    CountAndWrites<Types, Options, PerCall> {
  find<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Group extends GroupByOf<Types> | undefined = never,
    PageNumber extends number | undefined = undefined,
    Cursor extends CursorValue = undefined,
  >(
    options?: GroupedOptionsOf<Types, With, Columns, Group> & PageOrOffset<PageNumber, Cursor>,
    ...perCall: PerCall
  ): Promise<WithCursors<PageOf<Types, With, Columns, Group>, Cursor>>
  findOne<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    PageNumber extends number | undefined = undefined,
  >(
    options?: FindOptionsOf<Types, With, Columns> & PageOrOffset<PageNumber>,
    ...perCall: PerCall
  ): Promise<Found<Types, With, Columns> | null>
}

/**
 * The operations whose result types depend on their options. The generated types of each collection define the result
 * types.
 */
export interface Reads {
  /** Returns a page of records or, with `groupBy`, a page of groups. */
  find(options?: object): Promise<object>
  /** Returns the first record that matches the options, or null if no record matches. */
  findOne(options?: object): Promise<object | null>
}

/** The operations whose signatures are alike in all collections. */
export interface CountAndWrites<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends Descriptions<Types, PerCall> {
  count(options?: CountOptionsOf<Types>, ...perCall: PerCall): Promise<number>
  /** Computes values from the records that match the options: from all of them or, with `groupBy`, from each group. */
  aggregate<
    const Group extends AggregateGroupOf<Types> | undefined = never,
    const Count extends true | undefined = never,
    const Sum extends NumberFlags<Types> | undefined = never,
    const Avg extends NumberFlags<Types> | undefined = never,
    const Min extends OrderedFlags<Types> | undefined = never,
    const Max extends OrderedFlags<Types> | undefined = never,
  >(
    options: AggregateOptionsOf<Types, Group, Count, Sum, Avg, Min, Max>,
    ...perCall: PerCall
  ): Promise<AggregateOf<Types, Group, Count, Sum, Avg, Min, Max>>
  create<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    data: Types["create"],
    options: Options & WriteSelection<Types, With, Columns>,
  ): Promise<Found<Types, With, Columns>>
  // The last signature: `useMutation` infers its types from it.
  create(data: Types["create"], options?: Options & DryRunOption): Promise<Types["record"]>
  updateById<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    change: ChangeOf<Types>,
    options: Options & WriteSelection<Types, With, Columns>,
  ): Promise<Found<Types, With, Columns>>
  updateById(change: ChangeOf<Types>, options?: Options & DryRunOption): Promise<Types["record"]>
  deleteById(target: TargetOf<Types>, options?: Options): Promise<DeleteResult<Types["record"]>>
  /**
   * Changes all records that match the filter, or none. Returns the records that still matched the filter when they
   * were locked.
   */
  updateMany(change: ChangeMany<Types> | ChangeAll<Types>, options?: Options): Promise<readonly Types["record"][]>
  /** Changes each of these records with its own data: all of the records, or none of them. */
  updateBatch(batch: { updates: readonly ChangeOf<Types>[] }, options?: Options): Promise<readonly Types["record"][]>
  deleteMany(target: ManyOf<Types> | AllRecords, options?: Options): Promise<DeleteManyResult>
}

/** The operations on soft-deleted records of a collection. */
export interface KeptRecords<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Restores a soft-deleted record. */
  restoreById(target: TargetOf<Types>, options?: Options): Promise<Types["record"]>
  /** Removes the row of a soft-deleted record permanently. */
  purgeById(target: TargetOf<Types>, options?: Options): Promise<PurgeResult>
}

/** The id of an existing record, and optionally the revision that the record must still have. */
export interface TargetOf<Types extends GlobalTypes> {
  id: string
  /** The change is refused unless this is the current revision of the record. */
  expectedRevision?: Types["expectedRevision"] | undefined
}

/** The id of a record, and the change to make. */
export interface ChangeOf<Types extends CollectionTypes> extends TargetOf<Types> {
  data: Types["update"]
}

/** The operations on a global, with the generated types of the global. */
export interface TypedGlobal<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> extends GlobalDescriptions<Types, PerCall> {
  /** Returns the global's record, or null before the first `update`. */
  get<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: SelectionOf<Types, With, Columns> & { locale?: Locale | undefined },
    ...perCall: PerCall
  ): Promise<Found<TypesIn<Types, Locale>, With, Columns> | null>
  /**
   * Changes the global's record. With `stage`, changes the copy of the record in that stage, and not the working copy.
   */
  update<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    data: Types["update"],
    options: Options & GlobalChangeOptions<Types, With, Columns>,
  ): Promise<Found<Types, With, Columns>>
  // The last signature: `useMutation` infers its types from it.
  update(data: Types["update"], options?: Options & GlobalWriteOptions<Types>): Promise<Types["record"]>
}

/** Selects many records by a filter. Without a filter, `all: true` is required. */
export interface ManyOf<Types extends CollectionTypes> {
  where: Types["where"]
  all?: boolean | undefined
}

export interface AllRecords {
  where?: undefined
  all: true
}

export interface ChangeMany<Types extends CollectionTypes> {
  where: Types["where"]
  all?: boolean | undefined
  data: Types["update"]
}

export interface ChangeAll<Types extends CollectionTypes> extends AllRecords {
  data: Types["update"]
}

interface GlobalWriteOptions<Types extends GlobalTypes> extends DryRunOption {
  expectedRevision?: Types["expectedRevision"] | undefined
  stage?: Types["stage"] | undefined
}

type GlobalChangeOptions<Types extends GlobalTypes, With, Columns> = GlobalWriteOptions<Types> &
  WriteSelection<Types, With, Columns>

/** The options that select what a create or an update of one record returns. */
export interface WriteSelection<Types extends GlobalTypes, With, Columns> extends DryRunOption {
  with?: WithOption<Types, With>
  columns?: ColumnsOption<Types, Columns>
}

export interface LocaleOptions {
  locale?: string | undefined
  localeFallback?: boolean | undefined
}

/** The locale options of a write, limited to the locales of the app. */
export interface LocaleOptionsOf<Locale> {
  locale?: Locale | undefined
  localeFallback?: boolean | undefined
}

/** The generated types for a read in one locale or, if `Locale` is "*", in all locales. */
export type TypesIn<Types extends GlobalTypes, Locale> = "*" extends Locale
  ? Types["byLocale"] extends infer ByLocale extends GlobalTypes
    ? ByLocale
    : Types
  : Types

/**
 * The options of a read of one record. Only `with` and `columns` are type parameters, because only these options change
 * the result type.
 */
export interface SelectionOf<Types extends GlobalTypes, With, Columns> extends LocaleOptions {
  stage?: Types["stage"] | undefined
  with?: WithOption<Types, With>
  columns?: ColumnsOption<Types, Columns>
}

export interface CountOptionsOf<Types extends CollectionTypes> extends SearchOptions {
  /** The number at which the count ends. */
  max?: number | undefined
  stage?: Types["stage"] | undefined
  locale?: Types["locale"] | "*" | undefined
  where?: Types["where"] | undefined
  /** Also counts soft-deleted records; requires the right to delete records. */
  includeDeleted?: Types["includeDeleted"] | undefined
}

interface SearchOptions extends LocaleOptions {
  search?: string | undefined
}

/** The options of a read that returns a page. The locale is not included, because the result type depends on it. */
export interface PageOptions {
  localeFallback?: boolean | undefined
  search?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
  page?: number | undefined
  /**
   * `false` skips counting all records: `totalDocs` and `totalPages` are then -1. `{ max }` counts at most so many, and
   * `"estimate"` returns what Postgres expects; `totalIs` then says what `totalDocs` is.
   */
  total?: TotalInput | undefined
}

/**
 * The options that say where a page begins. A read that gives two of `page`, `offset` and cursors is refused.
 * `PageNumber` is the inferred type of `page`, and `Cursor` that of the cursors. Options that a program puts together are
 * accepted: their type leaves open whether they have a page.
 */
export interface PageOrOffset<PageNumber extends number | undefined, Cursor extends CursorValue = undefined> {
  // As with `groupBy`, an undefined value must become part of the inferred type.
  page?: PageNumber
  offset?: OffsetBeside<PageNumber>
  /** The `endCursor` of a page, to get the records behind it; null for the first ones. */
  after?: Cursor
  /**
   * The `startCursor` of a page, to get the records before it; null for the last ones. With `after`, the page has the
   * first records between both.
   */
  before?: Cursor
}

/** The value of the options `after` and `before`. */
export type CursorValue = string | null | undefined

/** The type of a page that has cursors if the read is given one. `Cursor` is the inferred type of `after` and `before`. */
export type WithCursors<Found, Cursor> = undefined extends Cursor ? Found : Found & PageCursors

/** The type of `offset` beside a `page` of this type: a read has one of the two. */
export type OffsetBeside<PageNumber> = [PageNumber] extends [number]
  ? number extends PageNumber
    ? OffsetBesideNumber
    : undefined
  : number | undefined

// With the compiler's option `exactOptionalPropertyTypes`, `number` means that there is a page. Without it, `number` is
// inferred for a page that may be missing, too.
type OffsetBesideNumber = { page?: 1 | undefined } extends { page?: 1 } ? number | undefined : undefined

interface FindOptionsOf<Types extends CollectionTypes, With, Columns>
  extends PageOptions,
    SelectionOf<Types, With, Columns> {
  where?: Types["where"] | undefined
  includeDeleted?: Types["includeDeleted"] | undefined
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
}

export interface GroupedOptionsOf<Types extends CollectionTypes, With, Columns, Group>
  extends FindOptionsOf<Types, With, Columns> {
  // Unlike the other options, `groupBy` does not add `| undefined` to its type: an undefined value must become part of
  // the inferred `Group`, because the result type depends on it.
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

/** The type of `groupBy`. Every field by which records can be ordered can also group records. */
export type GroupByOf<Types extends CollectionTypes> = keyof Types["orderBy"] | GroupByOptions<keyof Types["orderBy"]>

export interface GroupByOptions<Field> {
  field: Field
  /** The order in which groups are sorted by their value. The group without a value is always the last one. */
  order?: Direction | undefined
  /** The maximum number of records returned for each group; 0 returns no records. */
  docs?: number | undefined
}

/**
 * The type of a page of records or, with `groupBy`, of groups. The type parameter `Shown` has the generated types of
 * the returned records, in one locale or in all locales.
 */
export type PageOf<Types extends CollectionTypes, With, Columns, Group, Shown extends GlobalTypes = Types> =
  | Group
  | undefined extends undefined
  ? Page<Found<Shown, With, Columns>>
  : undefined extends Group
    ? Page<Found<Shown, With, Columns>> | GroupedPage<Found<Shown, With, Columns>, GroupValue<Types, Group>>
    : GroupedPage<Found<Shown, With, Columns>, GroupValue<Types, Group>>

type GroupValue<Types extends CollectionTypes, Group> = Group extends keyof Types["record"]
  ? WithoutUndefined<Types["record"][Group]>
  : Group extends { field: infer Field extends keyof Types["record"] }
    ? WithoutUndefined<Types["record"][Field]>
    : never

// Excludes undefined, which stands for a hidden field: a record whose grouping field is hidden by a rule is in no
// group.
type WithoutUndefined<Value> = undefined extends Value ? Exclude<Value, undefined> : Value
