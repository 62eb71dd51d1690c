import type { FieldType } from "../../schema/compile/field-type.ts"
import { newId } from "../context/ids.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** Returns a parsed value of a field in which every item of a list of blocks has an id. */
export function withItemIds(ctx: Pick<OperationContext, "now">, type: FieldType, value: unknown): unknown {
  if (type.withIds === undefined || value === null) return value
  return type.withIds(value, () => newId(ctx.now()))
}
