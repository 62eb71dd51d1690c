import type { Period } from "../options/aggregate-options.ts"
import type { OrderedFilter } from "../options/filters.ts"
import type { Direction } from "../options/query-options.ts"
import type { AggregateGroups } from "../results/aggregates.ts"
import type { CollectionTypes } from "./app-config.ts"
import type { ExactKeys, ExactNames } from "./exact.ts"

/** The options of `aggregate`. The type parameters are those options on which the type of the result depends. */
export interface AggregateOptionsOf<Types extends CollectionTypes, Group, Count, Sum, Avg, Min, Max> {
  where?: Types["where"] | undefined
  search?: string | undefined
  /** Also computes with soft-deleted records; requires the right to delete records. */
  includeDeleted?: Types["includeDeleted"] | undefined
  stage?: Types["stage"] | undefined
  locale?: Types["locale"] | undefined
  localeFallback?: boolean | undefined
  /** The fields whose values form groups. A date or a moment can also be grouped by periods. */
  groupBy?: Group & NoInfer<ExactKeys<Group>>
  /** The number of records. */
  count?: Count
  sum?: Sum & NoInfer<ExactNames<Sum, NumberFlags<Types>>>
  avg?: Avg & NoInfer<ExactNames<Avg, NumberFlags<Types>>>
  min?: Min & NoInfer<ExactNames<Min, OrderedFlags<Types>>>
  max?: Max & NoInfer<ExactNames<Max, OrderedFlags<Types>>>
  /** Conditions on the computed values of a group, such as `{ count: { gte: 2 } }`. */
  having?: HavingOf<Types> | undefined
  /** The order of the groups: that of their keys, unless set. */
  orderBy?: GroupOrderOf<Types> | readonly GroupOrderOf<Types>[] | undefined
  /** The most groups to return: 100 unless set, at most 1000. */
  limit?: number | undefined
}

/** The result of `aggregate`: the computed values or, with `groupBy`, a list of groups with their keys and values. */
export type AggregateOf<Types extends CollectionTypes, Group, Count, Sum, Avg, Min, Max> =
  | Group
  | undefined extends undefined
  ? ValuesOf<Types, Count, Sum, Avg, Min, Max>
  : undefined extends Group
    ? ValuesOf<Types, Count, Sum, Avg, Min, Max> | GroupsOf<Types, Group, ValuesOf<Types, Count, Sum, Avg, Min, Max>>
    : GroupsOf<Types, Group, ValuesOf<Types, Count, Sum, Avg, Min, Max>>

type GroupsOf<Types extends CollectionTypes, Group, Values> = AggregateGroups<
  { readonly key: KeyOf<Types, Exclude<Group, undefined>> } & Values
>

/** The type of `groupBy`: a field, a field with periods, or a list of them. */
export type AggregateGroupOf<Types extends CollectionTypes> = GroupKeyOf<Types> | readonly GroupKeyOf<Types>[]

type GroupKeyOf<Types extends CollectionTypes> =
  | keyof Types["orderBy"]
  | { readonly field: keyof Types["orderBy"]; readonly by?: undefined }
  | { readonly field: PeriodNames<Types>; readonly by: Period; readonly timeZone?: string | undefined }

/** The fields whose values can be summed up: `{ price: true }`. */
export type NumberFlags<Types extends CollectionTypes> = FieldFlags<NumberNames<Types>>

/** The fields that have a least and a greatest value: `{ publishedAt: true }`. */
export type OrderedFlags<Types extends CollectionTypes> = FieldFlags<OrderedNames<Types>>

// Rejects a list of names, which the compiler would otherwise accept as an object without any of them.
type FieldFlags<Names extends PropertyKey> = { readonly [Name in Names]?: true } & {
  readonly [Symbol.iterator]?: never
}

/** The conditions of `having`. */
interface HavingOf<Types extends CollectionTypes> {
  readonly count?: OrderedFilter<number>
  readonly sum?: ConditionsOf<Types, NumberNames<Types>>
  readonly avg?: ConditionsOf<Types, NumberNames<Types>>
  readonly min?: ConditionsOf<Types, OrderedNames<Types>>
  readonly max?: ConditionsOf<Types, OrderedNames<Types>>
}

type ConditionsOf<Types extends CollectionTypes, Names extends keyof Types["where"]> = {
  readonly [Name in Names]?: Types["where"][Name]
}

/** The order of groups: by computed values, and by the fields by which is grouped. */
type GroupOrderOf<Types extends CollectionTypes> = {
  readonly [Name in Exclude<keyof Types["orderBy"], "count">]?: Direction | { readonly [Field in string]?: Direction }
} & {
  readonly count?: Direction
  readonly sum?: { readonly [Name in NumberNames<Types>]?: Direction }
  readonly avg?: { readonly [Name in NumberNames<Types>]?: Direction }
  readonly min?: { readonly [Name in OrderedNames<Types>]?: Direction }
  readonly max?: { readonly [Name in OrderedNames<Types>]?: Direction }
}

// The fields are found by the types of their filters: those of decimals accept numbers, although their values are strings.
// Without generated types, every name is accepted.
type NumberNames<Types extends CollectionTypes> = string extends keyof Types["where"]
  ? string
  : keyof {
      [Name in keyof Types["where"] as Extract<Types["where"][Name], number> extends never ? never : Name]: unknown
    }

type PeriodNames<Types extends CollectionTypes> = string extends keyof Types["where"]
  ? string
  : keyof {
      [Name in keyof Types["where"] as IsOrdered<Types["where"][Name]> extends true
        ? Name extends NumberNames<Types>
          ? never
          : Name
        : never]: unknown
    }

type OrderedNames<Types extends CollectionTypes> = string extends keyof Types["where"]
  ? string
  : keyof {
      [Name in keyof Types["where"] as HasExtremes<Types["where"][Name]> extends true ? Name : never]: unknown
    }

type HasExtremes<Filter> = IsOrdered<Filter> extends true ? true : IsText<Filter> extends true ? true : IsSelect<Filter>

type IsText<Filter> = [Extract<Filter, string>] extends [never] ? false : HasOperator<Filter, "like">

type IsOrdered<Filter> = HasOperator<Filter, "gt">

// An id is any string; a select has some.
type IsSelect<Filter> = [Extract<Filter, string>] extends [never]
  ? false
  : string extends Extract<Filter, string>
    ? false
    : true

type HasOperator<Filter, Name extends string> = true extends (
  Filter extends object
    ? Name extends keyof Filter
      ? true
      : false
    : false
)
  ? true
  : false

type ValuesOf<Types extends CollectionTypes, Count, Sum, Avg, Min, Max> = Given<Count, { readonly count: number }> &
  Given<Sum, { readonly sum: { readonly [Name in keyof Sum]: ValueIn<Types, Name> | null } }> &
  Given<Avg, { readonly avg: { readonly [Name in keyof Avg]: AverageOf<ValueIn<Types, Name>> | null } }> &
  Given<Min, { readonly min: { readonly [Name in keyof Min]: ValueIn<Types, Name> | null } }> &
  Given<Max, { readonly max: { readonly [Name in keyof Max]: ValueIn<Types, Name> | null } }>

type Given<Option, Values> = [Option] extends [never] ? unknown : Values

type ValueIn<Types extends CollectionTypes, Name> = Name extends keyof Types["record"]
  ? unknown extends Types["record"][Name]
    ? unknown
    : NonNullable<Types["record"][Name]>
  : never

// An average of exact numbers is a decimal, as a string.
type AverageOf<Value> = Value extends bigint ? string : Value

type KeyOf<Types extends CollectionTypes, Group> = {
  readonly [Key in Group extends readonly (infer Each)[] ? Each : Group as FieldOf<Key>]: KeyValue<Types, Key>
}

type FieldOf<Key> = Key extends { readonly field: infer Field } ? Field & string : Key & string

type KeyValue<Types extends CollectionTypes, Key> = Key extends { readonly by: Period }
  ? string | Extract<RecordValue<Types, FieldOf<Key>>, null>
  : Exclude<RecordValue<Types, FieldOf<Key>>, undefined>

type RecordValue<Types extends CollectionTypes, Name> = Name extends keyof Types["record"]
  ? Types["record"][Name]
  : never
