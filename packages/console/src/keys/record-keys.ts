import type { ScreenKeys } from "./screen-keys.ts"

// With Alt, the arrows move the cursor in a long text, and open what hangs below a control.
const OWN_ARROWS =
  'textarea, select, [contenteditable="true"], [role="combobox"], [role="spinbutton"], [role="menu"], [aria-haspopup]'

/** True if the keys open the moves of a record: ⌘ or Ctrl with a full stop. */
export function isMovesKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === "." && (metaKey || ctrlKey) && !altKey && !shiftKey
}

/** Returns the address of the record to which Alt with an arrow leads; undefined if it leads nowhere. */
export function addressBeside(event: KeyboardEvent, { beside }: Pick<ScreenKeys, "beside">): string | undefined {
  const { key, altKey, metaKey, ctrlKey, shiftKey, target } = event
  const isAlone = altKey && !metaKey && !ctrlKey && !shiftKey
  if (!isAlone || beside === undefined || (target instanceof Element && target.closest(OWN_ARROWS))) return undefined
  const addresses: Readonly<Record<string, string | null>> = { ArrowUp: beside.previous, ArrowDown: beside.next }
  return addresses[key] ?? undefined
}
