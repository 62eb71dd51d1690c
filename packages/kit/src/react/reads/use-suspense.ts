import { isServer } from "../provider/is-server.ts"
import { type AskedRead, type ReadSettings, useEntry } from "./use-entry.ts"

/** Returns the data of a read. Suspends the component until there is some, and throws the error if there is none. */
export function useSuspense(read: AskedRead, settings?: ReadSettings): unknown {
  if (read.options === null)
    throw new TypeError("The options of a suspense hook cannot be null: do not render it, or use useLive.")
  const { entry, result } = useEntry(read, settings)
  if (result.status === "error") {
    // React renders a second time before it shows the boundary. After that, another attempt reads again.
    if (!isServer()) entry?.expireAfter(0)
    throw result.error
  }
  if (result.data !== undefined) return result.data
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
