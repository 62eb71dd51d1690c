/** The values that are computed from many records. Only those that were requested are there. */
export interface Aggregates {
  /** The number of records. */
  readonly count?: number
  /** The sums by field; null if no record has a value. */
  readonly sum?: Readonly<Record<string, unknown>>
  readonly avg?: Readonly<Record<string, unknown>>
  readonly min?: Readonly<Record<string, unknown>>
  readonly max?: Readonly<Record<string, unknown>>
}

/** A group of records that have the same key, with what is computed from them. */
export interface AggregateGroup extends Aggregates {
  /** The value of each field by which is grouped. A period is named by its first day, such as `2026-05-01`. */
  readonly key: Readonly<Record<string, unknown>>
}

/** The groups of an aggregate with `groupBy`. */
export interface AggregateGroups<Group = AggregateGroup> {
  readonly groups: readonly Group[]
  /** True if there are more groups than `limit`. */
  readonly hasMore: boolean
}

/** The type of the result of `aggregate` for these options. */
export type AggregateFor<Options> = Options extends { readonly groupBy: string | object } ? AggregateGroups : Aggregates
