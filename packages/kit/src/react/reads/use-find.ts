import type { Handle } from "../../wire/realtime/handle.ts"
import { FindEntry } from "../store/find-entry.ts"
import { factsOf } from "./facts-of.ts"
import type { FindResult, IdleRead } from "./find-result.ts"
import type { ReadHook } from "./read-hook.ts"
import { type AskedRead, type ReadKind, type ReadSettings, useEntry } from "./use-entry.ts"

/** The reads that are done once. */
export const FIND: ReadKind = { name: "find", make: (...given) => new FindEntry(...given) }

/**
 * Reads the result of a handle once: a page of records for a collection, one record or null for a record or a global,
 * and a number for `total`. Components with equal options share the read. Options that are null read nothing.
 *
 * const archive = useFind(client.collections.articles, { where: { status: "done" }, page: 2 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useFind = ((handle: Handle, options?: object | null, settings?: ReadSettings) =>
  useRead({ facts: factsOf(handle, "useFind"), options }, settings)) as ReadHook<"find">

const IDLE: IdleRead = {
  status: "idle",
  data: undefined,
  error: undefined,
  isFetching: false,
  updatedAt: undefined,
  refetch: () => Promise.resolve(),
}

/** A read as a component asks for it, of a handle unless it has another kind. */
type OnceRead = Omit<AskedRead, "kind"> & Partial<AskedRead>

/** Shows the result of a read that is done once. */
export function useRead(read: OnceRead, settings?: ReadSettings): FindResult<unknown> | IdleRead {
  const { result } = useEntry({ kind: FIND, ...read }, settings)
  // The cast is safe: the members of such an entry's result depend on its status as the type says.
  return result.status === "idle" ? IDLE : (result as FindResult<unknown>)
}
