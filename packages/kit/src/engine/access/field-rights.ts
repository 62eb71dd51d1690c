import { isWritable, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, evaluateFieldRule } from "./authorize.ts"

/** A field in the input of a write, and the rows in which the field's rule lets the caller write the field. */
export interface FieldCondition {
  readonly field: ResourceField
  readonly predicate: Predicate
}

/**
 * Evaluates the field rule of each field in the input, before the write. Throws if a rule denies its field in all rows.
 */
export async function evaluateInputFields(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<readonly FieldCondition[]> {
  const { input } = facts
  if (ctx.isSystem || input === undefined) return []
  const ruled: FieldCondition[] = []
  // Loops over the resource's fields, which are few, and not over the input, whose size the caller chooses.
  for (const field of resource.fields.values()) {
    // The input parser rejects the fields that nobody may write, together with other errors in the input.
    if (!isWritable(field) || !isInInput(input, field)) continue
    const access = await evaluateFieldRule(ctx, { resource, field }, facts)
    if (access.kind === "deny") throw refusedField(field, `${facts.operation} this field`)
    if (access.kind === "where") ruled.push({ field, predicate: access.predicate })
  }
  return ruled
}

function isInInput(input: RecordData, { name }: ResourceField): boolean {
  return Object.hasOwn(input, name) && input[name] !== undefined
}

export function refusedField({ name }: ResourceField, what: string): ApiError {
  return new ApiError("FORBIDDEN", {
    fieldErrors: [{ path: name, message: `You may not ${what}.` }],
    context: { field: name },
  })
}

/**
 * Throws for the first field that the caller may not write in the row. `verdicts` has one entry per field, `true` if
 * the field may be written.
 */
export function refuseFields(fields: readonly FieldCondition[], verdicts: readonly unknown[], what: string): void {
  for (const [index, { field }] of fields.entries()) if (verdicts[index] !== true) throw refusedField(field, what)
}
