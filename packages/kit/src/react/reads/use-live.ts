import type { Handle } from "../../wire/realtime/handle.ts"
import { LiveEntry } from "../store/live-entry.ts"
import { factsOf } from "./facts-of.ts"
import type { ReadHook } from "./read-hook.ts"
import { type ReadKind, type ReadSettings, useEntry } from "./use-entry.ts"

/** The reads that follow their topic. */
export const LIVE: ReadKind = { name: "live", make: (...given) => new LiveEntry(...given) }

/**
 * Shows the result of a handle, and every new one: a page of records for a collection, one record or null for a record
 * or a global, and a number for `total`. Options that are null read nothing.
 *
 * const board = useLive(client.collections.articles, { where: { status: "writing" }, limit: 20 })
 */
// The cast is safe: the members of a live entry's result depend on its status as the types say.
export const useLive = ((handle: Handle, options?: object | null, settings?: ReadSettings) =>
  useEntry({ kind: LIVE, facts: factsOf(handle, "useLive"), options }, settings).result) as ReadHook<"live">
