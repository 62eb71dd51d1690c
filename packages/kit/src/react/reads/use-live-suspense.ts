import type { Handle } from "../../wire/realtime/handle.ts"
import { factsOf } from "./facts-of.ts"
import type { SureHook } from "./read-hook.ts"
import type { ReadSettings } from "./use-entry.ts"
import { LIVE } from "./use-live.ts"
import { useSuspense } from "./use-suspense.ts"

/**
 * Like `useLive`, but returns the data. The component suspends until the first result, and an error is thrown to the
 * next error boundary.
 *
 * const { docs } = useLiveSuspense(client.collections.articles, { limit: 20 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useLiveSuspense = ((handle: Handle, options?: object, settings?: ReadSettings) =>
  useSuspense({ kind: LIVE, facts: factsOf(handle, "useLiveSuspense"), options }, settings)) as SureHook<"suspense">
