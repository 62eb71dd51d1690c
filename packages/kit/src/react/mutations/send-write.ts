import type { ClientParts } from "../../client/client-parts.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { WRITE_HEADER } from "../../wire/options/client-headers.ts"
import { browserStoreOf, type ClientStore } from "../store/client-store.ts"
import type { Change } from "./change.ts"
import { OptimisticLayers } from "./optimistic-layers.ts"
import { changesOf, type OptimisticView } from "./optimistic-view.ts"

/** A write: an operation of the client, a route, or a function that passes `call` on to one of them. */
export type Operation<Input, Output> = (input: Input, call?: CallOptions) => Promise<Output>

/** Sends a write, and shows its changes until the server sends them or the write fails. */
export async function sendWrite<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  optimistic: ((view: OptimisticView, input: Input) => void) | undefined,
): Promise<Output> {
  if (!optimistic) return await operation(input, {})
  let next = newWriteId()
  const changes = changesOf((view) => optimistic(view, input), next)
  const laid = [...changes].map(([parts, list]) => layOver(parts, next, list))
  const headers = {
    // Read once for each request: a function of the page may send several.
    get [WRITE_HEADER]() {
      const write = next
      next = newWriteId()
      for (const { layer } of laid) layer.awaited.add(write)
      return write
    },
  }
  try {
    const output = await operation(input, { headers })
    for (const { layers, layer } of laid) layers.settle(layer, output)
    return output
  } catch (error) {
    for (const { layers, layer } of laid) layers.drop(layer)
    throw error
  }
}

function layOver(parts: ClientParts, write: string, changes: readonly Change[]) {
  const layers = layersOf(parts)
  return { layers, layer: layers.add(write, changes) }
}

const layersByStore = new WeakMap<ClientStore, OptimisticLayers>()

// Returns the layers over the results of a client.
function layersOf(parts: ClientParts): OptimisticLayers {
  const store = browserStoreOf(parts)
  const layers = layersByStore.get(store) ?? new OptimisticLayers(() => store.entries)
  layersByStore.set(store, layers)
  store.overlay = layers
  return layers
}

/** Returns a new random UUID. On an insecure origin, browsers have no `randomUUID`. */
function newWriteId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  // The 4 is the version, and the 8 the variant.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-")
}
