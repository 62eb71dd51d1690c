import type { FieldType } from "../../schema/compile/field-type.ts"
import type { Operator } from "../../sql/filter/operator.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"

/** A filter operator, and the kind of value that it takes. */
export type FilterOperator = Pick<Operator, "name" | "operand">

/** Returns the filter operators of fields with this type. */
export function filterOperators({ operators }: FieldType): readonly FilterOperator[] {
  return [...operatorsOf(operators).values()]
}
