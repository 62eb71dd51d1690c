import { RECORD_OPTIONS } from "./record-options.ts"

/** A filter: field names, relation names and AND/OR/NOT, checked against the schema where it is used. */
export type WhereInput = { readonly [name: string]: unknown }

export type Direction = "asc" | "desc"

export type OrderByInput = { readonly [name: string]: unknown } | readonly { readonly [name: string]: unknown }[]

/** What a read of one record can carry. */
export interface RecordOptions {
  readonly with?: { readonly [relation: string]: unknown } | undefined
  readonly columns?: { readonly [field: string]: unknown } | undefined
  readonly locale?: string | undefined
  readonly localeFallback?: boolean | string | undefined
  readonly stage?: string | undefined
}

/** What records are put into groups by: a field, or a field with the order of the groups and the records in each. */
export type GroupByInput =
  | string
  | { readonly field: string; readonly order?: Direction | undefined; readonly docs?: number | undefined }

/** What a change of a record that is there can carry. */
export interface ChangeOptions extends RecordOptions {
  /** The change is refused unless this is the newest revision of the record. */
  readonly expectedRevision?: number | undefined
}

/** What `find` can carry. */
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

/** Asks how many records a relation leads to, and names the answer: `_count: { comments: 3 }`. */
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

/** The options each kind of read takes; any other name is refused. */
export const READ_OPTION_NAMES = {
  find: FIND_OPTIONS,
  groups: [...FIND_OPTIONS, "groupBy"],
  count: ["where", "search", "includeDeleted", "locale", "localeFallback", "stage"],
  record: RECORD_OPTIONS,
  versions: ["limit", "offset", "includeDeleted", "locale", "localeFallback"],
  write: ["locale", "localeFallback"],
  change: ["expectedRevision", "locale", "localeFallback"],
  create: ["locale", "localeFallback", "stage"],
  update: ["expectedRevision", "locale", "localeFallback", "stage"],
} as const

export type ReadKind = keyof typeof READ_OPTION_NAMES

/** Bounds of what one request may ask for. */
export const QUERY_LIMITS = {
  defaultLimit: 50,
  maxLimit: 1000,
  defaultGroupDocs: 50,
  /** Records in all groups of a page together. */
  maxGroupedDocs: 1000,
  maxOffset: 2_147_483_647,
  maxWhereDepth: 10,
  maxWhereConditions: 500,
  maxListItems: 10_000,
  maxBulkRows: 10_000,
  maxOrderKeys: 16,
  maxWithDepth: 5,
  maxWithRelations: 30,
  maxHydratedRecords: 150_000,
  maxSearchLength: 500,
  maxPatternLength: 1000,
  maxPatternWildcards: 16,
} as const
