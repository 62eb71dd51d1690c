import type { Handle } from "../../wire/realtime/handle.ts"
import { factsOf } from "./facts-of.ts"
import type { SureHook } from "./read-hook.ts"
import type { ReadSettings } from "./use-entry.ts"
import { FIND } from "./use-read.ts"
import { useSuspense } from "./use-suspense.ts"

/**
 * Like `useFind`, but returns the data. The component suspends until the result is there, and an error is thrown to the
 * next error boundary.
 *
 * const { docs } = useFindSuspense(client.collections.articles, { page: 2 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useFindSuspense = ((handle: Handle, options?: object, settings?: ReadSettings) =>
  useSuspense({ kind: FIND, facts: factsOf(handle, "useFindSuspense"), options }, settings)) as SureHook<"suspense">
