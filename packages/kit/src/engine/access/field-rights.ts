import type { AccessOperation } from "../../schema/access/access.ts"
import { isWritable, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import type { MaybePromise } from "../../schema/context/when-ready.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, evaluateFieldRule, fieldRule } from "./authorize.ts"

/** A field in the input of a write, and the rows in which the field's rule lets the caller write the field. */
export interface FieldCondition {
  readonly field: ResourceField
  readonly predicate: Predicate
}

/**
 * Evaluates the field rule of each field in the input, before the write. Throws if a rule denies its field in all rows.
 */
export function evaluateInputFields(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): MaybePromise<readonly FieldCondition[]> {
  const { input, operation } = facts
  if (ctx.isSystem || input === undefined) return NO_CONDITIONS
  const ruled = fieldsWithRules(resource, operation).filter((field) => isInInput(input, field))
  return ruled.length === 0 ? NO_CONDITIONS : evaluateRuledFields(ctx, { resource, fields: ruled }, facts)
}

const NO_CONDITIONS: readonly FieldCondition[] = []

async function evaluateRuledFields(
  ctx: OperationContext,
  { resource, fields }: { readonly resource: Resource; readonly fields: readonly ResourceField[] },
  facts: CallFacts,
): Promise<readonly FieldCondition[]> {
  const ruled: FieldCondition[] = []
  for (const field of fields) {
    const access = await evaluateFieldRule(ctx, { resource, field }, facts)
    if (access.kind === "deny") throw refusedField(field, `${facts.operation} this field`)
    if (access.kind === "where") ruled.push({ field, predicate: access.predicate })
  }
  return ruled
}

const fieldsByResource = new WeakMap<Resource, Map<AccessOperation, readonly ResourceField[]>>()

// Returns the fields that callers can write, and whose rules for the operation have to be evaluated. The input parser
// rejects the fields that nobody may write, together with other errors in the input.
function fieldsWithRules(resource: Resource, operation: AccessOperation): readonly ResourceField[] {
  const byOperation = fieldsByResource.get(resource) ?? new Map<AccessOperation, readonly ResourceField[]>()
  fieldsByResource.set(resource, byOperation)
  const known = byOperation.get(operation)
  if (known) return known
  const ruled = [...resource.fields.values()].filter(
    (field) => isWritable(field) && (fieldRule(field, operation) ?? true) !== true,
  )
  byOperation.set(operation, ruled)
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
