import { createElement, type ReactElement, type ReactNode, useMemo, useState } from "react"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import { decodeAnswer } from "../../wire/codecs/extended-json-answer.ts"
import type { PreloadedData } from "../store/result.ts"
import { KitContext, type Provided, useProvided } from "./kit-context.ts"
import { partsOf } from "./parts-of.ts"
import type { PreloadedEntry } from "./preload.ts"

export interface KitProviderProps {
  /** The client of the hooks that take no handle, such as `useSession`. The preloaded results belong to it, too. */
  readonly client?: object | undefined
  /** Results that `preload` has read. The first render shows them; without `client`, to the hooks of every client. */
  readonly initial?: readonly PreloadedEntry[] | undefined
  /** Called with the errors of hooks that have no `onError` of their own. */
  readonly onError?: ((error: QuestpieClientError) => void) | undefined
  readonly children?: ReactNode
}

/**
 * Gives the hooks below it preloaded results, a default client and a default for errors. A page that needs none of these
 * needs no provider. On a server, results are kept in the provider, so that two requests never share them.
 */
export function KitProvider({ client, initial, onError, children }: KitProviderProps): ReactElement {
  const outer = useProvided()
  const [stores] = useState(() => outer.stores ?? new Map())
  const parts = client === undefined ? outer.parts : partsOf(client, "KitProvider")
  const found = useMemo(() => lookUp(initial ?? []), [initial])
  const provided = useMemo<Provided>(
    () => ({
      parts,
      stores,
      onError: onError ?? outer.onError,
      found: (asked, key) =>
        (parts === undefined || parts === asked ? found(key) : undefined) ?? outer.found?.(asked, key),
    }),
    [parts, stores, onError, found, outer],
  )
  return createElement(KitContext.Provider, { value: provided }, children)
}

function lookUp(entries: readonly PreloadedEntry[]): (key: string) => PreloadedData | undefined {
  const byKey = new Map(entries.map((entry) => [entry.key, preloadedData(entry)]))
  return (key) => byKey.get(key)
}

const decoded = new WeakMap<PreloadedEntry, PreloadedData>()

/** Returns the data of a preloaded result: always the same object for the same entry. */
function preloadedData(entry: PreloadedEntry): PreloadedData {
  const known = decoded.get(entry)
  if (known) return known
  const { body, hash, at } = entry
  // The decoder changes what it decodes, but the framework may use the entry again.
  const data = decodeAnswer(structuredClone(body))
  const made = { data, hash: hash ?? undefined, at, arrivedAt: performance.now(), isUsed: false }
  decoded.set(entry, made)
  return made
}
