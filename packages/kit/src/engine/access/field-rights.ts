import { isDerived } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, evaluateFieldRule } from "./authorize.ts"

/** A field in the input of a write, and the rows in which its rule lets the caller write it. */
export interface FieldCondition {
  readonly field: ResourceField
  readonly predicate: Predicate
}

/** Evaluates the rules of the fields in the input, before the write. Throws if a field is denied in all rows. */
export async function evaluateInputFields(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<readonly FieldCondition[]> {
  const { input } = facts
  if (ctx.isSystem || input === undefined) return []
  const ruled: FieldCondition[] = []
  // The loop runs over the fields, which are few, and not over the input, whose size the caller chooses.
  for (const field of resource.fields.values()) {
    if (!isWritable(field) || !isInInput(input, field)) continue
    const evaluated = evaluateFieldRule(ctx, { resource, field }, facts)
    const access = evaluated instanceof Promise ? await evaluated : evaluated
    if (access.kind === "deny") throw refusedField(field, `${facts.operation} this field`)
    if (access.kind === "where") ruled.push({ field, predicate: access.predicate })
  }
  return ruled
}

// The parser of the input rejects all other fields, together with the other errors in the input.
function isWritable({ system, hidden, readOnly, type }: ResourceField): boolean {
  return !system && !hidden && !readOnly && !isDerived(type)
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

/** Throws for the first field that the caller may not write in the row. `verdicts` has one result per field. */
export function refuseFields(fields: readonly FieldCondition[], verdicts: readonly unknown[], what: string): void {
  for (const [index, { field }] of fields.entries()) if (verdicts[index] !== true) throw refusedField(field, what)
}
