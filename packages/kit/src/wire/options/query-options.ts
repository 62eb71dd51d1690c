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

/** The options of the operation `find`. */
export interface FindOptions extends RecordOptions {
  readonly where?: WhereInput | undefined
  readonly orderBy?: OrderByInput | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly page?: number | undefined
  readonly search?: string | undefined
  readonly total?: boolean | undefined
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

const WRITE_OPTIONS = ["locale", "localeFallback", "stage"] as const

/**
 * The names of the options that each kind of operation accepts; any other option name is rejected. A count and a read by
 * id also accept the options of a page, such as `limit`, which cannot change their result.
 */
export const READ_OPTION_NAMES = {
  find: FIND_OPTIONS,
  groups: [...FIND_OPTIONS, "groupBy"],
  count: FIND_OPTIONS,
  record: FIND_OPTIONS,
  global: RECORD_OPTIONS,
  versions: ["limit", "offset", "includeDeleted", "locale", "localeFallback", "stage"],
  create: [...WRITE_OPTIONS, "dryRun"],
  update: ["expectedRevision", ...WRITE_OPTIONS, "dryRun"],
  globalUpdate: ["expectedRevision", ...WRITE_OPTIONS, "dryRun", "with", "columns"],
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
  maxOffset: 2_147_483_647,
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
  maxPatternLength: 1000,
  maxPatternWildcards: 16,
} as const
