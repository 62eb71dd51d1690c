import { requireRule } from "../../engine/access/authorize.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { checkOptions } from "../../engine/context/read-options.ts"
import { deleteMany } from "../../engine/operations/writes/delete-many.ts"
import { updateBatch } from "../../engine/operations/writes/update-batch.ts"
import { updateMany } from "../../engine/operations/writes/update-many.ts"
import type { Answer } from "../../engine/read/answer.ts"
import type { BulkInput } from "../../engine/write/bulk/bulk-input.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { deleteOperation } from "../change-options.ts"
import type { Endpoint } from "../endpoint.ts"
import { collectionOf } from "./collections.ts"

export const bulkEndpoints: readonly Endpoint[] = [
  { method: "PATCH", path: "/:collection", takesBody: true, run: bulk("update", updateMany) },
  { method: "POST", path: "/:collection/update-batch", takesBody: true, run: bulk("update", updateBatch) },
  { method: "POST", path: "/:collection/delete-many", takesBody: true, run: bulk("delete", deleteMany) },
]

type BulkOperation = (ctx: OperationContext, resource: Resource, input: BulkInput) => Promise<Answer<unknown>>

function bulk(right: "update" | "delete", operation: BulkOperation): Endpoint["run"] {
  return async (call) => {
    const collection = collectionOf(call)
    const given = call.options()
    checkOptions(call.ctx, "write", given)
    // An If-Match header names one revision, which cannot apply to many records. Ignoring the header could overwrite a
    // change.
    if (call.header("if-match") !== null) throw invalid("If-Match", "Name the revision of each record in update-batch.")
    const { stage } = given.options
    requireRule(call.ctx, collection, right === "delete" ? deleteOperation(collection, stage) : right)
    return operation(call.ctx, collection, { body: await call.bulkBody(), stage })
  }
}
