import type { Direction } from "../options/query-options.ts"
import type { Found } from "../results/found.ts"
import type { DeleteManyResult, DeleteResult, GroupedPage, Page, PurgeResult } from "../results/results.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ExactGroup, ExactMembers, ExactNames, OfferedTo, WithNames } from "./exact.ts"

/**
 * The operations of a collection, with the types generated for it.
 *
 * A client adds its options per call: to the options of a change, and as a separate argument to a read.
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
  >(
    options?: GroupedOptionsOf<Types, With, Columns, Group>,
    ...perCall: PerCall
  ): Promise<PageOf<Types, With, Columns, Group>>
  findOne<const With extends Types["with"] = never, const Columns extends Types["columns"] = never>(
    options?: FindOptionsOf<Types, With, Columns>,
    ...perCall: PerCall
  ): Promise<Found<Types, With, Columns> | null>
}

/** The operations whose result types depend on their options; the types of each collection define how. */
export interface Reads {
  /** Returns a page of records or, with `groupBy`, a page of groups. */
  find(options?: object): Promise<object>
  /** Returns the first record that matches, or null. */
  findOne(options?: object): Promise<object | null>
}

/** The operations whose result types do not depend on their options. */
export interface CountAndWrites<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> {
  count(options?: CountOptionsOf<Types>, ...perCall: PerCall): Promise<number>
  create(data: Types["create"], options?: Options): Promise<Types["record"]>
  updateById(change: ChangeOf<Types>, options?: Options): Promise<Types["record"]>
  deleteById(target: TargetOf<Types>, options?: Options): Promise<DeleteResult<Types["record"]>>
  /** Changes all matching records, or none; returns the records that still matched when they were locked. */
  updateMany(change: ChangeMany<Types> | ChangeAll<Types>, options?: Options): Promise<readonly Types["record"][]>
  /** Changes each record with its own data; all records or none. */
  updateBatch(batch: { updates: readonly ChangeOf<Types>[] }, options?: Options): Promise<readonly Types["record"][]>
  deleteMany(target: ManyOf<Types> | AllRecords, options?: Options): Promise<DeleteManyResult>
}

/** The operations on the deleted records of a collection with soft delete. */
export interface KeptRecords<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Makes a deleted record active again. */
  restoreById(target: TargetOf<Types>, options?: Options): Promise<Types["record"]>
  /** Removes a deleted record for good. */
  purgeById(target: TargetOf<Types>, options?: Options): Promise<PurgeResult>
}

/** An existing record, and the revision that it must still have. */
interface TargetOf<Types extends GlobalTypes> extends ExpectedOptions<Types> {
  id: string
}

// Repeats the members of `TargetOf` instead of extending it, as do other interfaces below: the compiler then creates
// one type per call, and not one for each interface that is extended.
export interface ChangeOf<Types extends CollectionTypes> {
  id: string
  /** The change is refused unless this is the newest revision. */
  expectedRevision?: Types["expectedRevision"] | undefined
  data: Types["update"]
}

/** The operations of a global, with the types generated for it. */
export interface TypedGlobal<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
  PerCall extends readonly unknown[] = [],
> {
  /** Null before the first `update`. */
  get<
    const With extends Types["with"] = never,
    const Columns extends Types["columns"] = never,
    const Locale extends Types["locale"] | "*" = never,
  >(
    options?: SelectionOf<Types, With, Columns> & { locale?: Locale | undefined },
    ...perCall: PerCall
  ): Promise<Found<TypesIn<Types, Locale>, With, Columns> | null>
  /** With `stage`, changes the copy of the record in that stage, and not the working copy. */
  update(data: Types["update"], options?: Options & GlobalChangeOptions<Types>): Promise<Types["record"]>
}

// Many records are selected by a filter, or by `all: true`.
interface ManyOf<Types extends CollectionTypes> {
  where: Types["where"]
  all?: boolean | undefined
}

interface AllRecords {
  where?: undefined
  all: true
}

interface ChangeMany<Types extends CollectionTypes> {
  where: Types["where"]
  all?: boolean | undefined
  data: Types["update"]
}

interface ChangeAll<Types extends CollectionTypes> extends AllRecords {
  data: Types["update"]
}

interface ExpectedOptions<Types extends GlobalTypes> {
  /** The change is refused unless this is the newest revision. */
  expectedRevision?: Types["expectedRevision"] | undefined
}

interface GlobalChangeOptions<Types extends GlobalTypes> {
  expectedRevision?: Types["expectedRevision"] | undefined
  stage?: Types["stage"] | undefined
}

export interface LocaleOptions {
  locale?: string | undefined
  localeFallback?: boolean | undefined
}

/** The locale options of a change, limited to the locales of the app. */
export interface LocaleOptionsOf<Locale> {
  locale?: Locale | undefined
  localeFallback?: boolean | undefined
}

/** The types of a read in one locale, or in all of them. */
export type TypesIn<Types extends GlobalTypes, Locale> = "*" extends Locale
  ? Types["byLocale"] extends infer ByLocale extends GlobalTypes
    ? ByLocale
    : Types
  : Types

/** Only `with` and `columns` are type parameters: only they change the type of the result. */
export interface SelectionOf<Types extends GlobalTypes, With, Columns> extends LocaleOptions {
  stage?: Types["stage"] | undefined
  with?:
    | (With & NoInfer<WithNames<Types> extends With ? unknown : ExactMembers<With, Types["with"]>>)
    | OfferedTo<With, Types["with"]>
    | undefined
  columns?:
    | (Columns &
        NoInfer<keyof Columns extends keyof Types["columns"] ? unknown : ExactNames<Columns, Types["columns"]>>)
    | OfferedTo<Columns, Types["columns"]>
    | undefined
}

export interface CountOptionsOf<Types extends CollectionTypes> extends SearchOptions {
  stage?: Types["stage"] | undefined
  locale?: Types["locale"] | "*" | undefined
  where?: Types["where"] | undefined
  /** Includes soft-deleted records; requires the right to delete. */
  includeDeleted?: Types["includeDeleted"] | undefined
}

interface SearchOptions extends LocaleOptions {
  search?: string | undefined
}

/** The options of a page, without the locale, on which the type of the result depends. */
export interface PageOptions {
  localeFallback?: boolean | undefined
  search?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
  page?: number | undefined
  /** `false` skips the count: `totalDocs` and `totalPages` are -1. */
  total?: boolean | undefined
}

export interface FindOptionsOf<Types extends CollectionTypes, With, Columns> extends PageOptions, LocaleOptions {
  stage?: Types["stage"] | undefined
  with?:
    | (With & NoInfer<WithNames<Types> extends With ? unknown : ExactMembers<With, Types["with"]>>)
    | OfferedTo<With, Types["with"]>
    | undefined
  columns?:
    | (Columns &
        NoInfer<keyof Columns extends keyof Types["columns"] ? unknown : ExactNames<Columns, Types["columns"]>>)
    | OfferedTo<Columns, Types["columns"]>
    | undefined
  where?: Types["where"] | undefined
  includeDeleted?: Types["includeDeleted"] | undefined
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
}

export interface GroupedOptionsOf<Types extends CollectionTypes, With, Columns, Group>
  extends PageOptions,
    LocaleOptions {
  stage?: Types["stage"] | undefined
  with?:
    | (With & NoInfer<WithNames<Types> extends With ? unknown : ExactMembers<With, Types["with"]>>)
    | OfferedTo<With, Types["with"]>
    | undefined
  columns?:
    | (Columns &
        NoInfer<keyof Columns extends keyof Types["columns"] ? unknown : ExactNames<Columns, Types["columns"]>>)
    | OfferedTo<Columns, Types["columns"]>
    | undefined
  where?: Types["where"] | undefined
  includeDeleted?: Types["includeDeleted"] | undefined
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][] | undefined
  // An undefined stays part of the inferred type, because it determines the type of the result.
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

/** Every field that records can be ordered by can also group them. */
type GroupByOf<Types extends CollectionTypes> = keyof Types["orderBy"] | GroupByOptions<keyof Types["orderBy"]>

export interface GroupByOptions<Field> {
  field: Field
  /** The order of the groups by their value; the group without a value is the last one. */
  order?: Direction | undefined
  /** The number of records returned for each group; 0 returns none. */
  docs?: number | undefined
}

/** A page of records or, with `groupBy`, of groups. `PresenceData` has the types of the records, in all locales or in one. */
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

// A record whose field is hidden by a rule is not in any group.
type WithoutUndefined<Value> = undefined extends Value ? Exclude<Value, undefined> : Value
