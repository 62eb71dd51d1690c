import { RECORD_OPTIONS } from "./record-options.ts"

/**
 * A filter: field names, relation names and AND/OR/NOT with their conditions. It is checked against the schema where it
 * is used.
 */
export type WhereInput = { readonly [name: string]: unknown }

export type Direction = "asc" | "desc"

export type OrderByInput = { readonly [name: string]: unknown } | readonly { readonly [name: string]: unknown }[]

/** The options of an operation that reads one record. */
export interface RecordOptions {
  readonly with?: { readonly [relation: string]: unknown } | undefined
  readonly columns?: { readonly [field: string]: unknown } | undefined
  readonly locale?: string | undefined
  readonly localeFallback?: boolean | string | undefined
  readonly stage?: string | undefined
}

/**
 * The field by which records are grouped; optionally with the order of the groups, and the number of records per group.
 */
export type GroupByInput =
  | string
  | { readonly field: string; readonly order?: Direction | undefined; readonly docs?: number | undefined }

/** The options of an operation that changes an existing record. */
export interface ChangeOptions extends RecordOptions {
  /** The change is refused unless this is the current revision of the record. */
  readonly expectedRevision?: number | undefined
}

/** The option of a create or an update that can also be a dry run. */
export interface DryRunOption {
  /**
   * If true, the write is rolled back after it has succeeded. The response has the record as the write would return it,
   * or the error with which the write would fail.
   */
  readonly dryRun?: boolean | undefined
}

/**
 * The option for the number of all matching records: `true` counts them exactly, `false` does not count, `{ max }` counts
 * at most so many, and `"estimate"` returns what Postgres expects, where this reveals nothing of hidden records.
 */
export type TotalInput = boolean | "estimate" | { readonly max: number }

/** The options of the operation `find`. */
export interface FindOptions extends RecordOptions {
  readonly where?: WhereInput | undefined
  readonly orderBy?: OrderByInput | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly page?: number | undefined
  readonly search?: string | undefined
  readonly total?: TotalInput | undefined
  /** The cursor behind which the page begins; null for the first page. With it, the answer has cursors, too. */
  readonly after?: string | null | undefined
  /** The cursor before which the page ends; null for the last page. With it, the answer has cursors, too. */
  readonly before?: string | null | undefined
  readonly groupBy?: GroupByInput | undefined
  readonly includeDeleted?: boolean | undefined
}

/**
 * The name of the option that requests the numbers of related records, and of the result's member that contains the
 * numbers: `_count: { comments: 3 }`.
 */
export const COUNT = "_count"

const FIND_OPTIONS = [
  "where",
  "with",
  "columns",
  "orderBy",
  "limit",
  "offset",
  "page",
  "search",
  "total",
  "includeDeleted",
  "locale",
  "localeFallback",
  "stage",
] as const

const AGGREGATE_OPTIONS = [
  "where",
  "search",
  "includeDeleted",
  "locale",
  "localeFallback",
  "stage",
  "groupBy",
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "having",
  "orderBy",
  "limit",
] as const

const WRITE_OPTIONS = ["locale", "localeFallback", "stage"] as const

/**
 * The names of the options that each kind of operation accepts; any other option name is rejected. A count and a read by
 * id also accept the options of a page, such as `limit`, which cannot change their result.
 */
export const READ_OPTION_NAMES = {
  find: [...FIND_OPTIONS, "after", "before"],
  groups: [...FIND_OPTIONS, "groupBy"],
  count: [...FIND_OPTIONS, "max"],
  aggregate: AGGREGATE_OPTIONS,
  record: FIND_OPTIONS,
  global: RECORD_OPTIONS,
  versions: ["limit", "offset", "after", "before", "includeDeleted", "locale", "localeFallback", "stage"],
  create: [...WRITE_OPTIONS, "dryRun", "with", "columns"],
  update: ["expectedRevision", ...WRITE_OPTIONS, "dryRun", "with", "columns"],
  /** Any other change to one existing record. */
  change: ["expectedRevision", ...WRITE_OPTIONS],
  /** Any other write. */
  write: WRITE_OPTIONS,
  description: ["locale"],
  recordAccess: ["locale", "includeDeleted"],
} as const

export type ReadKind = keyof typeof READ_OPTION_NAMES

/** The limits for the options of a single request. */
export const QUERY_LIMITS = {
  defaultLimit: 50,
  maxLimit: 1000,
  defaultGroupDocs: 50,
  /** The maximum number of records in all groups of one page together. */
  maxGroupedDocs: 1000,
  defaultAggregateGroups: 100,
  maxAggregateGroups: 1000,
  /** The maximum number of fields by which an aggregate groups. */
  maxGroupKeys: 5,
  /** The maximum number of values that an aggregate computes for each group. */
  maxMeasures: 50,
  maxOffset: 2_147_483_647,
  /** The largest `max` of a total or a count. */
  maxCounted: 1_000_000,
  /** A total up to this number is counted instead of estimated. */
  estimatesFrom: 1000,
  /** The `max` of a total if an estimate could reveal something of hidden records. */
  maxInsteadOfEstimate: 10_000,
  maxWhereDepth: 10,
  maxWhereConditions: 500,
  maxListItems: 10_000,
  maxBulkRows: 10_000,
  /** The maximum number of records whose access one request asks for. */
  maxAccessIds: 100,
  maxOrderKeys: 16,
  maxWithDepth: 5,
  maxWithRelations: 30,
  maxHydratedRecords: 150_000,
  maxSearchLength: 500,
  maxCursorLength: 12_000,
  maxPatternLength: 1000,
  maxPatternWildcards: 16,
} as const
