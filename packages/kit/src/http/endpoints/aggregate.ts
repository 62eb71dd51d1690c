import { requireRule } from "../../engine/access/authorize.ts"
import { inLocale, resourceIn } from "../../engine/context/locale.ts"
import { aggregateRecords } from "../../engine/operations/reads/aggregate.ts"
import { AGGREGATE_PATH } from "../../wire/paths/paths.ts"
import type { Endpoint } from "../endpoint.ts"
import { bodyOptions, collectionOf } from "./collections.ts"

const PATH = `${AGGREGATE_PATH}/:collection`

/** The endpoints that compute values from the records of a collection. */
export const aggregateEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: PATH,
    isWatchable: true,
    isRead: true,
    run: (call) => aggregateRecords(call.ctx, collectionOf(call), call.options()),
  },
  {
    method: "POST",
    path: PATH,
    isWatchable: true,
    isRead: true,
    takesBody: true,
    run: async (call) => {
      const collection = collectionOf(call)
      requireRule(call.ctx, collection, "read")
      const given = await bodyOptions(call)
      const ctx = inLocale(call.ctx, given.options)
      return aggregateRecords(ctx, resourceIn(ctx, collection), given)
    },
  },
]
