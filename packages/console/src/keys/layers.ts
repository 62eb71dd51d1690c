import { useSyncExternalStore } from "react"

/** A layer over every screen: the palette, or the list of keys. */
type Layer = "palette" | "keys"

let open: Layer | null = null
const listeners = new Set<() => void>()

/** Opens a layer over everything else, in the place of the other one. */
export function openLayer(layer: Layer): void {
  closeNativeDialogs()
  show(layer)
}

export function closeLayer(): void {
  show(null)
}

export function useOpenLayer(): Layer | null {
  return useSyncExternalStore(subscribe, () => open)
}

export function isLayerOpen(): boolean {
  return open !== null
}

function show(layer: Layer | null): void {
  open = layer
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The browser draws its own dialogs above everything that is not one, so a layer would be hidden below them.
function closeNativeDialogs(): void {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.dispatchEvent(new Event("cancel"))
}
