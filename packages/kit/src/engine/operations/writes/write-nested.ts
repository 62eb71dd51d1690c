import type { Resource } from "../../../schema/compile/resource.ts"
import { inOneLocale, resourceIn } from "../../context/locale.ts"
import type { NestedWriter, OperationContext } from "../../context/operation-context.ts"
import { withExplainedErrors } from "../../database/database-errors.ts"
import { createRecord } from "./create.ts"
import { deleteRecord } from "./delete.ts"
import { updateRecord } from "./update.ts"

/** Runs the nested writes of a write as operations of their own collections. */
export const writeNested: NestedWriter = {
  async create(ctx, target, data) {
    const { value } = await run(ctx, target, (inner, resource) => createRecord(inner, resource, { data }))
    return String(value["id"])
  },
  async update(ctx, target, change) {
    await run(ctx, target, (inner, resource) => updateRecord(inner, resource, change))
  },
  async delete(ctx, target, id) {
    await run(ctx, target, (inner, resource) => deleteRecord(inner, resource, { id }))
  },
}

// Runs the operation on the collection itself: `target` may be the copies of its records in a stage, to which the
// copies of other records point. The hooks of the nested record get its values with fallback, even if the caller wants
// none in the response.
function run<Result>(
  ctx: OperationContext,
  target: Resource,
  operation: (ctx: OperationContext, resource: Resource) => Promise<Result>,
): Promise<Result> {
  const inner = inOneLocale({ ...ctx, isNested: true })
  const resource = resourceIn(inner, target)
  return withExplainedErrors(inner.schema, () => operation(inner, resource))
}
