import { type RefObject, useEffect } from "react"

interface FormKeys {
  readonly sheet: RefObject<HTMLElement | null>
  readonly save: () => void
  readonly saveAndLeave: () => void
}

/** Saves by Ctrl or ⌘ with S, and saves and goes back with Enter, wherever the focus is on the sheet. */
export function useFormKeys({ sheet, save, saveAndLeave }: FormKeys): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const isOurs = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey
      const action = event.key === "s" ? save : event.key === "Enter" ? saveAndLeave : undefined
      if (!isOurs || action === undefined || event.defaultPrevented || isInOtherLayer(sheet.current)) return
      event.preventDefault()
      action()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  })
}

// A dialog or a drawer above the sheet has keys of its own.
function isInOtherLayer(sheet: HTMLElement | null): boolean {
  const layer = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')
  return layer !== null && layer !== undefined && !layer.contains(sheet)
}
