import type { OrderByInput, WhereInput } from "./query-options.ts"

/** The lengths of the periods by which a date or a moment can be grouped. A week is that of ISO 8601. */
export const PERIODS = ["day", "week", "month", "year"] as const

export type Period = (typeof PERIODS)[number]

/** The values that can be computed from a field of many records. */
export const FIELD_MEASURES = ["sum", "avg", "min", "max"] as const

export type FieldMeasure = (typeof FIELD_MEASURES)[number]

/** A field whose values form groups; for a date or a moment, optionally the periods that do so. */
export type AggregateGroupInput =
  | string
  | { readonly field: string; readonly by?: Period | undefined; readonly timeZone?: string | undefined }

/** The fields from which a value is computed: `{ price: true }`. */
export interface MeasuredFields {
  readonly [field: string]: true | undefined
}

/** Conditions on the computed values of a group: `{ count: { gte: 2 }, sum: { price: { gt: 10 } } }`. */
export interface HavingInput {
  readonly count?: unknown
  readonly sum?: WhereInput | undefined
  readonly avg?: WhereInput | undefined
  readonly min?: WhereInput | undefined
  readonly max?: WhereInput | undefined
}

/** The options of the operation `aggregate`. */
export interface AggregateOptions {
  readonly where?: WhereInput | undefined
  readonly search?: string | undefined
  readonly includeDeleted?: boolean | undefined
  readonly locale?: string | undefined
  readonly localeFallback?: boolean | string | undefined
  readonly stage?: string | undefined
  readonly groupBy?: AggregateGroupInput | readonly AggregateGroupInput[] | undefined
  readonly count?: true | undefined
  readonly sum?: MeasuredFields | undefined
  readonly avg?: MeasuredFields | undefined
  readonly min?: MeasuredFields | undefined
  readonly max?: MeasuredFields | undefined
  readonly having?: HavingInput | undefined
  /** The order of the groups: by their keys, or by computed values, such as `{ count: "desc" }`. */
  readonly orderBy?: OrderByInput | undefined
  /** The most groups to return. */
  readonly limit?: number | undefined
}
