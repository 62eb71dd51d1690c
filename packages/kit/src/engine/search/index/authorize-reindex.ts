import type { Resource } from "../../../schema/compile/resource.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { denied, evaluateAccess } from "../../access/authorize.ts"
import type { OperationContext } from "../../context/operation-context.ts"

/**
 * Throws unless the caller may have the collection's index rebuilt: the update rule has to allow all records, because
 * the rebuild reads all of them and costs accordingly.
 */
export async function authorizeReindex(ctx: OperationContext, collection: Resource): Promise<void> {
  const access = await evaluateAccess(ctx, collection, { operation: "update" })
  if (access.kind !== "allow") throw denied(ctx.session, `reindex ${collection.name}`)
  if (collection.search === undefined) {
    throw invalid("collection", `"${collection.name}" is not searchable. Declare it with .searchable({ fields: […] }).`)
  }
}
