import type { Handle } from "../../wire/realtime/handle.ts"
import { isServer } from "../provider/is-server.ts"
import { factsOf } from "./facts-of.ts"
import type { ReadHook } from "./read-hook.ts"
import { type AskedRead, type ReadSettings, useEntry } from "./use-entry.ts"
import { FIND } from "./use-find.ts"
import { LIVE } from "./use-live.ts"

/**
 * Like `useLive`, but returns the data. The component suspends until the first result, and an error is thrown to the
 * next error boundary.
 *
 * const { docs } = useLiveSuspense(client.collections.articles, { limit: 20 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useLiveSuspense = ((handle: Handle, options?: object, settings?: ReadSettings) =>
  useSuspense({ kind: LIVE, facts: factsOf(handle, "useLiveSuspense"), options }, settings)) as ReadHook<
  "suspense",
  never
>

/**
 * Like `useFind`, but returns the data. The component suspends until the result is there, and an error is thrown to the
 * next error boundary.
 *
 * const { docs } = useFindSuspense(client.collections.articles, { page: 2 })
 */
// The cast is safe: the types only add which data the handle's read returns.
export const useFindSuspense = ((handle: Handle, options?: object, settings?: ReadSettings) =>
  useSuspense({ kind: FIND, facts: factsOf(handle, "useFindSuspense"), options }, settings)) as ReadHook<
  "suspense",
  never
>

/** Returns the data of a read. Suspends the component until there is some, and throws the error if there is none. */
function useSuspense(read: AskedRead, settings?: ReadSettings): unknown {
  if (read.options === null)
    throw new TypeError("The options of a suspense hook cannot be null: do not render it, or use useLive.")
  const { entry, result } = useEntry(read, settings)
  if (result.status === "error") {
    // React renders a second time before it shows the boundary. After that, another attempt reads again.
    if (!isServer()) entry?.expireAfter(0)
    throw result.error
  }
  // The function `select` may return undefined.
  if (result.data !== undefined || result.status !== "pending") return result.data
  if (isServer()) throw new Error(notPreloaded(read))
  throw entry?.settled()
}

function notPreloaded({ facts: { kind, resource, id } }: AskedRead): string {
  const name = kind === "record" ? `record ${id} of ${resource}` : `${kind} ${resource}`
  return (
    `The ${name} was not preloaded, so the server cannot render it: pass the result of preload(), ` +
    "with the same handle and options, to <KitProvider initial={[entry]}>."
  )
}
