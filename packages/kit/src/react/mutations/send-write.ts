import type { ClientParts } from "../../client/client-parts.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { WRITE_HEADER } from "../../wire/options/client-headers.ts"
import { browserStoreOf, type ClientStore } from "../store/client-store.ts"
import type { Change } from "./change.ts"
import { OptimisticLayers } from "./optimistic-layers.ts"
import { changesOf, type OptimisticView } from "./optimistic-view.ts"

const VARIANT = 0x80
const VERSION = 0x40

/** A write: an operation of the client, a route, or a function that passes `call` on to one of them. */
export type Operation<Input, Output> = (input: Input, call?: CallOptions) => Promise<Output>

/** Sends a write, and shows its changes until the server sends them or the write fails. */
export async function sendWrite<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  optimistic: ((view: OptimisticView, input: Input) => void) | undefined,
): Promise<Output> {
  if (!optimistic) return await operation(input, {})
  const write = newWriteId()
  const changes = changesOf((view) => optimistic(view, input), write)
  const laid = [...changes].map(([parts, list]) => layOver(parts, write, list))
  try {
    const output = await operation(input, { headers: { [WRITE_HEADER]: write } })
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

/** Returns a new UUID. On an insecure origin, browsers have only the random bytes for it, and not `randomUUID`. */
function newWriteId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | VERSION
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | VARIANT
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}
