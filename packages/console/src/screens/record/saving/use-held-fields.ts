import { type RefObject, useEffect } from "react"
import { afterPress } from "../../../form/after-press.ts"
import type { FormStore } from "../../../form/form-store.ts"

/** Keeps what a field shows as long as the focus is in it, so that nothing changes below the fingers of the person. */
export function useHeldFields(store: FormStore, sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const ended = new AbortController()
    sheet.current?.addEventListener("focusin", ({ target }) => hold(store, fieldAt(target)), ended)
    sheet.current?.addEventListener(
      "focusout",
      ({ target, relatedTarget }) => {
        const left = fieldAt(target)
        if (left !== undefined && left !== fieldAt(relatedTarget)) afterPress(() => releaseUnlessFocused(store, left))
      },
      ended,
    )
    return () => ended.abort()
  }, [store, sheet])
}

// Meanwhile the person may have come back to the field.
function releaseUnlessFocused(store: FormStore, field: string): void {
  if (fieldAt(document.activeElement) !== field) store.release(field)
}

function hold(store: FormStore, field: string | undefined): void {
  if (field !== undefined) store.hold(field)
}

function fieldAt(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-path]") : null
  return element?.dataset["path"]?.split(".", 1)[0]
}
