import { type RefObject, useEffect, useState } from "react"
import type { FormLayout } from "./layout/form-layout.ts"

interface Jumping {
  readonly sheet: RefObject<HTMLElement | null>
  readonly layout: FormLayout
  readonly setTab: (tab: number) => void
}

const FOCUSABLE =
  'input, textarea, select, [role="spinbutton"], [role="textbox"], [contenteditable="true"], button, [tabindex="0"]'

/** Returns a function that shows the value at a path, in whichever tab it is, and focuses it. */
export function useJump({ sheet, layout, setTab }: Jumping): (path: string) => void {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    if (target === undefined) return
    setTarget(undefined)
    focusPath(sheet.current, target)
  }, [sheet, target])
  return (path) => {
    const field = path.split(".", 1)[0] ?? path
    const tab = layout.tabs.findIndex(({ groups }) => groups.some(({ fields }) => fields.includes(field)))
    if (tab !== -1) setTab(tab)
    else if (field === layout.title || field === "id") setTab(0)
    setTarget(path)
  }
}

// The value itself, or the nearest one around it that is shown.
function focusPath(sheet: HTMLElement | null, path: string): void {
  const keys = path.split(".")
  for (let length = keys.length; length > 0; length--) {
    const place = sheet?.querySelector(`[data-path="${CSS.escape(keys.slice(0, length).join("."))}"]`)
    // An item of a list that is folded is opened first.
    const folded = place?.querySelector<HTMLElement>(":scope > .block-head > [aria-expanded='false']")
    if (folded) {
      folded.click()
      requestAnimationFrame(() => focusPath(sheet, path))
      return
    }
    const focusable = place?.querySelector<HTMLElement>(FOCUSABLE)
    if (focusable) {
      focusable.focus()
      place?.scrollIntoView({ block: "center" })
      return
    }
  }
}
