import { denied, evaluateAccess } from "../../engine/access/authorize.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { readFlag } from "../../engine/context/read-options.ts"
import { plainAnswer } from "../../engine/read/answer.ts"
import type { Reindexer } from "../../features/search/reindexer.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { ReindexResult } from "../../wire/results/search.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { readQuery } from "../input-members.ts"
import { collectionOf } from "./collections.ts"

export interface ReindexDependencies {
  readonly reindexer: Pick<Reindexer, "begin" | "finish">
}

/** The endpoint that has the search index of a collection rebuilt. Search answers meanwhile. */
export function reindexEndpoint({ reindexer }: ReindexDependencies): Endpoint {
  return {
    method: "POST",
    path: "/search/reindex/:collection",
    run: async (call) => {
      const collection = collectionOf(call)
      const isAwaited = readWait(call)
      await authorizeReindex(call.ctx, collection)
      await reindexer.begin(collection.name)
      if (isAwaited) await reindexer.finish(collection.name)
      return plainAnswer<ReindexResult>({ success: true, collection: collection.name })
    },
  }
}

const OPTIONS = ["wait", "locale", "localeFallback"]

function readWait(call: EndpointCall): boolean {
  const { wait } = readQuery(call, OPTIONS)
  return wait !== undefined && readFlag("wait", wait)
}

// Throws unless the caller may have the collection's index rebuilt: the update rule has to allow all records, because the
// rebuild reads all of them and costs accordingly.
async function authorizeReindex(ctx: OperationContext, collection: Resource): Promise<void> {
  const access = await evaluateAccess(ctx, collection, { operation: "update" })
  if (access.kind !== "allow") throw denied(ctx.session, `reindex ${collection.name}`)
  if (collection.search === undefined) {
    throw invalid("collection", `"${collection.name}" is not searchable. Declare it with .searchable({ fields: […] }).`)
  }
}
