import type { ChangeOptions, FindOptions, GroupByInput, RecordOptions, WhereInput } from "../options/query-options.ts"
import type { DeleteManyResult, DeleteResult, GroupedPage, Page, PurgeResult } from "./results.ts"

export type RecordData = Readonly<Record<string, unknown>>

/** An existing record, and the revision that it must still have. */
export interface NamedRecord {
  readonly id: string
  readonly expectedRevision?: number | undefined
}

interface ChangedRecord extends NamedRecord {
  readonly data: RecordData
}

/** The record whose versions are read, and the range of them. */
interface VersionsOf {
  readonly id: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly includeDeleted?: boolean | undefined
}

/** A version, by exactly one of its number and its id. */
interface NamedVersion {
  readonly version?: number | undefined
  readonly versionId?: string | undefined
}

interface TransitionInput {
  readonly stage: string
  /** The time of the transition; now if omitted. */
  readonly scheduledAt?: Date | string | undefined
}

/** A pending transition. */
export interface PendingTransition<Stage extends string = string> {
  readonly stage: Stage
  readonly scheduledAt: Date
  /** The user who requested the transition; null for system code. */
  readonly userId: string | null
}

/** The records that a filter matches; a filter that matches all records needs `all: true`. */
interface ManyRecords {
  readonly where?: WhereInput | undefined
  readonly all?: boolean | undefined
}

/** The page that `find` returns for these options. */
export type PageFor<Options> = Options extends { readonly groupBy: GroupByInput }
  ? GroupedPage<RecordData>
  : Page<RecordData>

/** The operations of a collection without generated types, as the client and the in-process API implement them. */
export interface CollectionOperations {
  find<Options extends FindOptions>(options?: Options): Promise<PageFor<Options>>
  findOne(options?: FindOptions): Promise<RecordData | null>
  count(options?: { where?: WhereInput; search?: string; includeDeleted?: boolean }): Promise<number>
  create(data: RecordData, options?: RecordOptions): Promise<RecordData>
  updateById(change: ChangedRecord, options?: RecordOptions): Promise<RecordData>
  deleteById(target: NamedRecord, options?: RecordOptions): Promise<DeleteResult<RecordData>>
  restoreById(target: NamedRecord, options?: RecordOptions): Promise<RecordData>
  purgeById(target: NamedRecord, options?: RecordOptions): Promise<PurgeResult>
  /** Returns the versions of a record, the newest first. */
  findVersions(target: VersionsOf, options?: RecordOptions): Promise<readonly RecordData[]>
  revertToVersion(target: NamedVersion & NamedRecord, options?: RecordOptions): Promise<RecordData>
  /** Transitions a record to a stage, which then shows the record as it is now. */
  transitionStage(target: NamedRecord & TransitionInput, options?: RecordOptions): Promise<RecordData>
  /** Returns the pending transition of a record, if there is one that the caller may make. */
  findTransition(target: { readonly id: string }, options?: RecordOptions): Promise<PendingTransition | null>
  /** Cancels and returns the pending transition of a record. */
  cancelTransition(target: NamedRecord, options?: RecordOptions): Promise<PendingTransition>
  updateMany(change: ManyRecords & { data: RecordData }, options?: RecordOptions): Promise<readonly RecordData[]>
  updateBatch(batch: { updates: readonly ChangedRecord[] }, options?: RecordOptions): Promise<readonly RecordData[]>
  deleteMany(target: ManyRecords, options?: RecordOptions): Promise<DeleteManyResult>
}

export interface GlobalOperations {
  findVersions(options?: Partial<VersionsOf> & RecordOptions): Promise<readonly RecordData[]>
  revertToVersion(target: NamedVersion, options?: ChangeOptions): Promise<RecordData>
  transitionStage(target: TransitionInput, options?: ChangeOptions): Promise<RecordData>
  findTransition(options?: RecordOptions): Promise<PendingTransition | null>
  cancelTransition(options?: ChangeOptions): Promise<PendingTransition>
  get(options?: RecordOptions): Promise<RecordData | null>
  update(data: RecordData, options?: ChangeOptions): Promise<RecordData>
}

/** All operations of an app, under the rights of one caller. */
export interface LocalApi {
  readonly collections: Readonly<Record<string, CollectionOperations>>
  readonly globals: Readonly<Record<string, GlobalOperations>>
  /** Commits everything done through the inner operations together, or nothing if `work` throws. */
  transaction<Result>(work: (api: LocalApi) => Promise<Result>): Promise<Result>
}
