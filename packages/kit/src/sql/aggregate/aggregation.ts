import type { ResourceField } from "../../schema/compile/resource.ts"
import type { FieldMeasure, Period } from "../../wire/options/aggregate-options.ts"
import type { Direction } from "../../wire/options/query-options.ts"
import type { Predicate } from "../filter/predicate.ts"
import type { MeasureType } from "./measure-type.ts"

/** An aggregate that was requested: the keys of its groups, and what is computed from the records of each group. */
export interface Aggregation {
  /** The keys of the groups; empty if all records are one group. */
  readonly keys: readonly GroupKey[]
  readonly measures: readonly Measure[]
  /** A predicate on the computed values, of which each is a field that has the name of its column. */
  readonly having: Predicate
  readonly order: readonly GroupOrder[]
}

/** A field whose values form groups. */
export interface GroupKey {
  readonly field: ResourceField
  /** The periods by which the field's values are grouped; undefined if each value forms a group. */
  readonly periods: Periods | undefined
  /** The name of the column with the key. */
  readonly column: string
}

export interface Periods {
  readonly by: Period
  /** The time zone in which the periods begin; undefined for dates, which have none. */
  readonly timeZone: string | undefined
}

/** A value that is computed from the records of a group. */
export type Measure = CountMeasure | MeasuredField

interface CountMeasure extends ComputedColumn {
  readonly kind: "count"
}

interface MeasuredField extends ComputedColumn {
  readonly kind: FieldMeasure
  readonly field: ResourceField
}

interface ComputedColumn {
  readonly type: MeasureType
  /** The name of the column with the value. */
  readonly column: string
  /** True if the answer has the value. Otherwise only a condition or the order needs it. */
  readonly isShown: boolean
}

export interface GroupOrder {
  readonly column: string
  readonly direction: Direction
}
