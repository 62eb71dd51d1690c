import type { AggregateOptions } from "../options/aggregate-options.ts"
import type {
  ChangeOptions,
  DryRunOption,
  FindOptions,
  GroupByInput,
  RecordOptions,
  WhereInput,
} from "../options/query-options.ts"
import type { AggregateFor } from "./aggregates.ts"
import type { CollectionMeta, CollectionSchema, GlobalMeta, GlobalSchema, RecordAccess } from "./introspection.ts"
import type { CursorPage, DeleteManyResult, DeleteResult, GroupedPage, Page, PurgeResult } from "./results.ts"
import type { SearchOptions, SearchResult } from "./search.ts"
import type { FindByTitleOptions, FoundTitles } from "./titles.ts"

export type RecordData = Readonly<Record<string, unknown>>

/** The id of an existing record, and optionally the revision that the record must still have. */
export interface NamedRecord {
  readonly id: string
  readonly expectedRevision?: number | undefined
}

interface ChangedRecord extends NamedRecord {
  readonly data: RecordData
}

/** The record whose versions are read, and the range of versions to return. */
export interface VersionsOf {
  readonly id: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** The cursor behind which the page begins; null for the newest versions. With it, the answer is a page. */
  readonly after?: string | null | undefined
  /** The cursor before which the page ends; null for the oldest versions. With it, the answer is a page. */
  readonly before?: string | null | undefined
  readonly includeDeleted?: boolean | undefined
}

/** A version of a record, named by either its number or its id. */
interface NamedVersion {
  readonly version?: number | undefined
  readonly versionId?: string | undefined
}

interface TransitionInput {
  readonly stage: string
  /** The time at which the transition happens; if omitted, it happens now. */
  readonly scheduledAt?: Date | string | undefined
}

/** A transition that will happen at a later time. */
export interface PendingTransition<Stage extends string = string> {
  readonly stage: Stage
  readonly scheduledAt: Date
  /** The id of the user who requested the transition; null if system code or an anonymous caller requested it. */
  readonly userId: string | null
}

/**
 * The records that an operation changes: those that the filter matches. A filter that matches all records needs `all:
 * true`.
 */
interface ManyRecords {
  readonly where?: WhereInput | undefined
  readonly all?: boolean | undefined
}

/**
 * The type of the page that `find` returns for these options: a page of groups if they have `groupBy`, and one with
 * cursors if they have a cursor.
 */
export type PageFor<Options> = Options extends { readonly groupBy: GroupByInput }
  ? GroupedPage<RecordData>
  : Options extends { readonly after: string | null } | { readonly before: string | null }
    ? CursorPage<RecordData>
    : Page<RecordData>

/** The type of what `findVersions` returns for these options: a page if they have a cursor, and otherwise a list. */
export type VersionsFor<Options> = Options extends
  | { readonly after: string | null }
  | { readonly before: string | null }
  ? CursorPage<RecordData>
  : readonly RecordData[]

/** The operations on a collection without generated types. Both the client and the in-process API implement them. */
export interface CollectionOperations {
  find<Options extends FindOptions>(options?: Options): Promise<PageFor<Options>>
  findOne(options?: FindOptions): Promise<RecordData | null>
  count(options?: { where?: WhereInput; search?: string; includeDeleted?: boolean; max?: number }): Promise<number>
  /** Computes values from the records that match the options: from all of them or, with `groupBy`, from each group. */
  aggregate<Options extends AggregateOptions>(options: Options): Promise<AggregateFor<Options>>
  create(data: RecordData, options?: RecordOptions & DryRunOption): Promise<RecordData>
  updateById(change: ChangedRecord, options?: RecordOptions & DryRunOption): Promise<RecordData>
  deleteById(target: NamedRecord, options?: RecordOptions): Promise<DeleteResult<RecordData>>
  restoreById(target: NamedRecord, options?: RecordOptions): Promise<RecordData>
  purgeById(target: NamedRecord, options?: RecordOptions): Promise<PurgeResult>
  /** Returns the versions of a record, the newest version first. */
  findVersions<Target extends VersionsOf>(target: Target, options?: RecordOptions): Promise<VersionsFor<Target>>
  revertToVersion(target: NamedVersion & NamedRecord, options?: RecordOptions): Promise<RecordData>
  /** Transitions a record to a stage. Reads of that stage then return the record as it is now. */
  transitionStage(target: NamedRecord & TransitionInput, options?: RecordOptions): Promise<RecordData>
  /**
   * Returns the pending transition of a record; null if there is none, or if the caller may not make that transition.
   */
  findTransition(target: { readonly id: string }, options?: RecordOptions): Promise<PendingTransition | null>
  /** Cancels the pending transition of a record and returns it. */
  cancelTransition(target: NamedRecord, options?: RecordOptions): Promise<PendingTransition>
  updateMany(change: ManyRecords & { data: RecordData }, options?: RecordOptions): Promise<readonly RecordData[]>
  updateBatch(batch: { updates: readonly ChangedRecord[] }, options?: RecordOptions): Promise<readonly RecordData[]>
  deleteMany(target: ManyRecords, options?: RecordOptions): Promise<DeleteManyResult>
  meta(options?: InLocale): Promise<CollectionMeta>
  schema(options?: InLocale): Promise<CollectionSchema>
  access(target: DescribedRecord): Promise<RecordAccess>
  /** Returns for each id what `access` returns, or null for a record that the caller may not read. */
  accessMany(targets: DescribedRecords): Promise<readonly (RecordAccess | null)[]>
}

/** The locale of a description's texts. */
interface InLocale {
  readonly locale?: string | undefined
}

interface DescribedRecord extends InLocale {
  readonly id: string
  readonly includeDeleted?: boolean | undefined
}

interface DescribedRecords extends InLocale {
  readonly ids: readonly string[]
  readonly includeDeleted?: boolean | undefined
}

export interface GlobalOperations {
  /** Returns the versions of the global, the newest version first. */
  findVersions<Options extends Partial<VersionsOf> & RecordOptions>(options?: Options): Promise<VersionsFor<Options>>
  revertToVersion(
    target: NamedVersion & { readonly id?: string | undefined },
    options?: ChangeOptions,
  ): Promise<RecordData>
  transitionStage(target: TransitionInput, options?: ChangeOptions): Promise<RecordData>
  findTransition(options?: RecordOptions): Promise<PendingTransition | null>
  cancelTransition(options?: ChangeOptions): Promise<PendingTransition>
  get(options?: RecordOptions): Promise<RecordData | null>
  update(data: RecordData, options?: ChangeOptions & DryRunOption): Promise<RecordData>
  meta(options?: InLocale): Promise<GlobalMeta>
  schema(options?: InLocale): Promise<GlobalSchema>
  access(options?: InLocale): Promise<RecordAccess>
}

/** The search of an app. */
export interface SearchOperations {
  search(options: SearchOptions): Promise<SearchResult>
  /** Finds records of all collections by the beginnings of the words in their titles. */
  findByTitle(options: FindByTitleOptions): Promise<FoundTitles>
}

/** All operations of an app, with the rights of one caller. */
export interface LocalApi {
  readonly collections: Readonly<Record<string, CollectionOperations>>
  readonly globals: Readonly<Record<string, GlobalOperations>>
  readonly search: SearchOperations
  /** Runs `work` in a transaction: commits all writes made through `api`, or none of them if `work` throws. */
  transaction<Result>(work: (api: LocalApi) => Promise<Result>): Promise<Result>
}
