import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { defaultContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** A field whose default is a function of the author, which is called for each new record. */
export interface FieldWithDefaultFunction extends ResourceField {
  readonly default: (context: HandlerContext) => unknown
}

export function hasDefaultFunction(field: ResourceField): field is FieldWithDefaultFunction {
  return typeof field.default === "function"
}

/**
 * Calls the default function of a field, with the rights of the caller. Returns null if the function returns no value.
 * If the function fails, throws an error that names the field. An `ApiError` is meant for the caller, and passes.
 */
export async function evaluateDefault(
  ctx: OperationContext,
  resource: Resource,
  field: FieldWithDefaultFunction,
): Promise<unknown> {
  try {
    return (await field.default(defaultContext(ctx, resource))) ?? null
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new Error(`The default of the field "${field.name}" of "${resource.name}" failed.`, { cause: error })
  }
}
