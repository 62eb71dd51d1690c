import type { MutationFunctionContext } from "@tanstack/query-core"
import { isLive } from "./live/live-query.ts"
import type { Operation } from "./loose-client.ts"
import type { QueryKeys } from "./query-keys.ts"
import type { WriteOptions } from "./typed/built-options.ts"

/** The writes of a collection that become mutations. */
export const COLLECTION_WRITES = [
  "create",
  "updateById",
  "update",
  "deleteById",
  "delete",
  "updateMany",
  "updateBatch",
  "deleteMany",
  "restoreById",
  "restore",
  "purgeById",
  "revertToVersion",
  "transitionStage",
  "cancelTransition",
  "upload",
  "uploadMany",
] as const

/** The writes of a global that become mutations. */
export const GLOBAL_WRITES = ["update", "revertToVersion", "transitionStage", "cancelTransition"] as const

type WriteFactory = (options?: object) => WriteOptions<unknown, unknown>

/** Returns the factories of these writes. `operationOf` returns the client's operation with this name. */
export function writeFactories(
  names: readonly string[],
  operationOf: (name: string) => Operation,
  keys: QueryKeys,
): Record<string, WriteFactory> {
  const factoryOf = (name: string): WriteFactory => {
    return (options = {}) => ({
      mutationKey: [...keys.base, name],
      mutationFn: (input) => operationOf(name)(input, keys.localized(options)),
      onSuccess: (...[, , , context]) => invalidateOthers(keys, context),
    })
  }
  return Object.fromEntries(names.map((name) => [name, factoryOf(name)]))
}

// Live queries get the change from the server. A refetch of one would do nothing, but would be seen as a fetch.
function invalidateOthers(keys: QueryKeys, { client }: MutationFunctionContext): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.base, predicate: (query) => !isLive(query) })
}
