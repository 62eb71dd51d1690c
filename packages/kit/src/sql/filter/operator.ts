import type { FieldType } from "../../schema/compile/field-type.ts"
import type { Parameters } from "../text/fragment.ts"
import type { MemoryTest } from "./compare-in-memory.ts"

/** The kinds of operands that an operator may expect. */
type OperandKind =
  | "value"
  | "list"
  | "pair"
  | "flag"
  | "text"
  | "pattern"
  | "path"
  | "item"
  | "items"
  | "count"
  | "itemFilter"

/** A comparison to be written as SQL: a column, and an operand that is already checked. */
export interface Comparison {
  readonly column: string
  readonly type: FieldType
  readonly operand: unknown
  readonly parameters: Parameters
}

export interface Operator {
  readonly name: string
  readonly operand: OperandKind
  sql(comparison: Comparison): string
  /** Evaluates the operator's comparison in memory; absent if only the database can evaluate it. */
  readonly test?: MemoryTest
}
