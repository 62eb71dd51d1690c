import { placeInList } from "../kit/list-order.ts"
import type { RecordPlace } from "../kit/record-operations.ts"
import { recordPath } from "../routes.ts"
import type { RecordKeys } from "./screen-keys.ts"

// With Alt, the arrows move the cursor in a long text, and open what hangs below a control.
const OWN_ARROWS =
  'textarea, select, [contenteditable="true"], [role="combobox"], [role="spinbutton"], [role="menu"], [aria-haspopup]'

/** True if the keys open the moves of a record: ⌘ or Ctrl with a full stop. */
export function isMovesKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === "." && (metaKey || ctrlKey) && !altKey && !shiftKey
}

/** Returns the record's place in the list from which it was opened; null if there is none. */
export function placesBeside(place: RecordPlace) {
  return place.kind === "collection" && place.id !== null ? placeInList(place.name, place.id) : null
}

/** Returns the address of the record to which Alt with an arrow leads; undefined if it leads nowhere. */
export function addressBeside(event: KeyboardEvent, { place }: RecordKeys): string | undefined {
  const { key, altKey, metaKey, ctrlKey, shiftKey, target } = event
  const isAlone = altKey && !metaKey && !ctrlKey && !shiftKey
  if (!isAlone || (target instanceof Element && target.closest(OWN_ARROWS))) return undefined
  const found = placesBeside(place)
  const id = key === "ArrowUp" ? found?.previous : key === "ArrowDown" ? found?.next : undefined
  return typeof id === "string" ? recordPath(place.name, id) : undefined
}
