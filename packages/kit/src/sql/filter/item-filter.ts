import type { FieldType } from "../../schema/compile/field-type.ts"
import type { Operator } from "./operator.ts"

/** A parsed and checked filter on one item of a list of blocks. */
export type ItemFilter =
  | { readonly kind: "all"; readonly parts: readonly ItemFilter[] }
  | { readonly kind: "any"; readonly parts: readonly ItemFilter[] }
  | { readonly kind: "not"; readonly part: ItemFilter }
  | ItemComparison

/** A comparison of a member of the item, or of its type. */
interface ItemComparison {
  readonly kind: "compare"
  readonly member: string
  readonly type: FieldType
  readonly operator: Operator
  readonly operand: unknown
}
