import { isDerived } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, judgeField } from "./authorize.ts"

/** A field that a write gives, and the rows in which its rule lets the caller give it. */
export interface RuledField {
  readonly field: ResourceField
  readonly predicate: Predicate
}

/** Judges the rules of the fields that a write gives, before any effect; one that is denied altogether ends it. */
export async function judgeGivenFields(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<readonly RuledField[]> {
  const { input } = facts
  if (ctx.isSystem || input === undefined) return []
  const ruled: RuledField[] = []
  // By the fields, which are few, and not by what the caller gives.
  for (const field of resource.fields.values()) {
    if (!isWritable(field) || !isGiven(input, field)) continue
    const judged = judgeField(ctx, { resource, field }, facts)
    const access = judged instanceof Promise ? await judged : judged
    if (access.kind === "deny") throw refusedField(field, `${facts.operation} this field`)
    if (access.kind === "where") ruled.push({ field, predicate: access.predicate })
  }
  return ruled
}

// What nobody but the server writes is refused along with everything else that is wrong with the body.
function isWritable({ system, hidden, readOnly, type }: ResourceField): boolean {
  return !system && !hidden && !readOnly && !isDerived(type)
}

function isGiven(input: RecordData, { name }: ResourceField): boolean {
  return Object.hasOwn(input, name) && input[name] !== undefined
}

export function refusedField({ name }: ResourceField, what: string): ApiError {
  return new ApiError("FORBIDDEN", {
    fieldErrors: [{ path: name, message: `You may not ${what}.` }],
    context: { field: name },
  })
}

/** Refuses the first field that the row, of which the verdicts are, does not let the caller write. */
export function refuseFields(fields: readonly RuledField[], verdicts: readonly unknown[], what: string): void {
  for (const [index, { field }] of fields.entries()) if (verdicts[index] !== true) throw refusedField(field, what)
}
