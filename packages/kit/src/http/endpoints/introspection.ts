import type { OperationContext } from "../../engine/context/operation-context.ts"
import { readIndex, readMeta, readSchema } from "../../engine/introspect/introspect.ts"
import { readGlobalAccess, readRecordAccess } from "../../engine/introspect/record-access.ts"
import type { MaybePromise } from "../../schema/context/when-ready.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { Endpoint } from "../endpoint.ts"
import { collectionOf, idOf } from "./collections.ts"
import { globalOf } from "./globals.ts"

/** The endpoints that describe a collection, a global or a record to the caller. */
export const descriptionEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/:collection/meta",
    isDescription: true,
    run: (call) => readMeta(call.ctx, collectionOf(call), call.options()),
  },
  {
    method: "GET",
    path: "/:collection/schema",
    isDescription: true,
    run: (call) => readSchema(call.ctx, collectionOf(call), call.options()),
  },
  {
    method: "GET",
    path: "/globals/:name/meta",
    isDescription: true,
    run: (call) => readMeta(call.ctx, globalOf(call), call.options()),
  },
  {
    method: "GET",
    path: "/globals/:name/schema",
    isDescription: true,
    run: (call) => readSchema(call.ctx, globalOf(call), call.options()),
  },
  {
    method: "GET",
    path: "/:collection/:id/access",
    run: (call) => readRecordAccess(call.ctx, collectionOf(call), { id: idOf(call), given: call.options() }),
  },
  {
    method: "GET",
    path: "/globals/:name/access",
    run: (call) => readGlobalAccess(call.ctx, globalOf(call), call.options()),
  },
]

interface IndexDependencies {
  readonly appName: string
  readonly maxBodyBytes: number
  readonly maxBulkBodyBytes: number
  /** True if the caller may open the console. */
  mayOpenConsole(ctx: OperationContext): MaybePromise<boolean>
}

/** Returns the endpoint of the app's index, which lists the collections and globals that the caller may know. */
export function indexEndpoint(parts: IndexDependencies): Endpoint {
  const { appName, maxBodyBytes, maxBulkBodyBytes } = parts
  const { defaultLimit, maxLimit, maxOffset, maxBulkRows, maxWithDepth, maxWhereDepth, maxSearchLength } = QUERY_LIMITS
  const limits = Object.freeze({
    ...{ defaultLimit, maxLimit, maxOffset, maxBulkRows, maxWithDepth, maxWhereDepth, maxSearchLength },
    ...{ maxBodyBytes, maxBulkBodyBytes },
  })
  return {
    method: "GET",
    path: "/_kit/schema",
    isDescription: true,
    run: async (call) => {
      const console = await parts.mayOpenConsole(call.ctx)
      return readIndex(call.ctx, { name: appName, limits, console }, call.options())
    },
  }
}
