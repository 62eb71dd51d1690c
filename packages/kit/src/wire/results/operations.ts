import type { ChangeOptions, FindOptions, GroupByInput, RecordOptions, WhereInput } from "../options/query-options.ts"
import type { DeleteManyResult, DeleteResult, GroupedPage, Page, PurgeResult } from "./results.ts"

export type RecordData = Readonly<Record<string, unknown>>

/** A record that is there, and the revision it should still have. */
export interface NamedRecord {
  readonly id: string
  readonly expectedRevision?: number | undefined
}

interface ChangedRecord extends NamedRecord {
  readonly data: RecordData
}

/** The record whose versions are read, and which part of them. */
interface VersionsOf {
  readonly id: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly includeDeleted?: boolean | undefined
}

/** Exactly one of the two says which version is meant. */
interface NamedVersion {
  readonly version?: number | undefined
  readonly versionId?: string | undefined
}

interface NamedStage {
  readonly stage: string
  /** When it is to move there; now unless given. */
  readonly scheduledAt?: Date | string | undefined
}

/** A move to a stage that happens later. */
export interface WaitingMove<Stage extends string = string> {
  readonly stage: Stage
  readonly scheduledAt: Date
  /** Who asked for it; null for system code. */
  readonly userId: string | null
}

/** The records that a filter matches; one that matches all of them has to say so. */
interface ManyRecords {
  readonly where?: WhereInput | undefined
  readonly all?: boolean | undefined
}

/** The page that `find` answers to these options. */
export type PageFor<Options> = Options extends { readonly groupBy: GroupByInput }
  ? GroupedPage<RecordData>
  : Page<RecordData>

/** The operations of a collection without generated types: what the client and the in-process API do at run time. */
export interface CollectionOperations {
  find<Options extends FindOptions>(options?: Options): Promise<PageFor<Options>>
  findOne(options?: FindOptions): Promise<RecordData | null>
  count(options?: { where?: WhereInput; search?: string; includeDeleted?: boolean }): Promise<number>
  create(data: RecordData, options?: RecordOptions): Promise<RecordData>
  updateById(change: ChangedRecord, options?: RecordOptions): Promise<RecordData>
  deleteById(target: NamedRecord, options?: RecordOptions): Promise<DeleteResult<RecordData>>
  restoreById(target: NamedRecord, options?: RecordOptions): Promise<RecordData>
  purgeById(target: NamedRecord, options?: RecordOptions): Promise<PurgeResult>
  /** The versions of a record, the newest first. */
  findVersions(target: VersionsOf, options?: RecordOptions): Promise<readonly RecordData[]>
  revertToVersion(target: NamedVersion & NamedRecord, options?: RecordOptions): Promise<RecordData>
  /** Moves a record to a stage, which then shows it as it is now. */
  transitionStage(target: NamedRecord & NamedStage, options?: RecordOptions): Promise<RecordData>
  /** The move that waits for a record, if there is one that the caller may make. */
  findTransition(target: { readonly id: string }, options?: RecordOptions): Promise<WaitingMove | null>
  /** Cancels the move that waits for a record, and answers it. */
  cancelTransition(target: NamedRecord, options?: RecordOptions): Promise<WaitingMove>
  updateMany(change: ManyRecords & { data: RecordData }, options?: RecordOptions): Promise<readonly RecordData[]>
  updateBatch(batch: { updates: readonly ChangedRecord[] }, options?: RecordOptions): Promise<readonly RecordData[]>
  deleteMany(target: ManyRecords, options?: RecordOptions): Promise<DeleteManyResult>
}

export interface GlobalOperations {
  findVersions(options?: Partial<VersionsOf> & RecordOptions): Promise<readonly RecordData[]>
  revertToVersion(target: NamedVersion, options?: ChangeOptions): Promise<RecordData>
  transitionStage(target: NamedStage, options?: ChangeOptions): Promise<RecordData>
  findTransition(options?: RecordOptions): Promise<WaitingMove | null>
  cancelTransition(options?: ChangeOptions): Promise<WaitingMove>
  get(options?: RecordOptions): Promise<RecordData | null>
  update(data: RecordData, options?: ChangeOptions): Promise<RecordData>
}

/** All operations of an app, under the rights of one caller. */
export interface LocalApi {
  readonly collections: Readonly<Record<string, CollectionOperations>>
  readonly globals: Readonly<Record<string, GlobalOperations>>
  /** Everything done through the inner operations is stored together, or not at all if `work` throws. */
  transaction<Result>(work: (api: LocalApi) => Promise<Result>): Promise<Result>
}
