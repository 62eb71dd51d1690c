import { createContext, useContext } from "react"
import type { ClientParts } from "../../client/client-parts.ts"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import { browserStoreOf, ClientStore } from "../store/client-store.ts"
import type { PreloadedData } from "../store/result.ts"
import { isServer } from "./is-server.ts"

/** The values that `KitProvider` gives to the hooks below it. */
export interface Provided {
  /** The client of the hooks that have no handle, and of the preloaded results. */
  readonly parts?: ClientParts | undefined
  readonly onError?: ((error: QuestpieClientError) => void) | undefined
  /** Returns a preloaded result of a client by the key of its read. */
  readonly found?: ((parts: ClientParts, key: string) => PreloadedData | undefined) | undefined
  /** The stores of this provider's render on the server. */
  readonly stores?: Map<ClientParts, ClientStore> | undefined
}

export const KitContext = createContext<Provided>({})

export function useProvided(): Provided {
  return useContext(KitContext)
}

/** Returns the store of a client: that of the page or, on the server, that of this render alone. */
export function storeOf({ stores }: Provided, parts: ClientParts): ClientStore {
  if (!isServer()) return browserStoreOf(parts)
  const store = stores?.get(parts) ?? new ClientStore()
  stores?.set(parts, store)
  return store
}
