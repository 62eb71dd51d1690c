import type { Handle } from "../../wire/realtime/handle.ts"
import { factsOf } from "./facts-of.ts"
import type { ReadHook } from "./read-hook.ts"
import type { ReadSettings } from "./use-entry.ts"
import { useRead } from "./use-read.ts"

/**
 * Reads the result of a handle once: a page of records for a collection, one record or null for a record or a global,
 * and a number for `total`. Components with equal options share the read. Options that are null read nothing.
 *
 * const archive = useFind(client.collections.articles, { where: { status: "done" }, page: 2 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useFind = ((handle: Handle, options?: object | null, settings?: ReadSettings) =>
  useRead({ facts: factsOf(handle, "useFind"), options }, settings)) as ReadHook<"find">
