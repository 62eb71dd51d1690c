// In these, letters are typed, or lead to the item that begins with them.
const WRITING =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="combobox"], [role="textbox"], [role="spinbutton"]'

/** True if what a person types belongs to the element, so that a letter is no key of the console. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(WRITING) !== null
}
