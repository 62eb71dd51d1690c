import { type RefObject, useEffect } from "react"
import { useLocation } from "wouter"
import { useScreenKeys } from "../../keys/screen-keys.ts"
import { placeInList } from "../../kit/list-order.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { isInOtherLayer } from "./saving/use-form-keys.ts"

interface RecordKeys {
  readonly sheet: RefObject<HTMLElement | null>
  readonly place: RecordPlace
  /** True if the person may move the record to another stage, or cancel its pending transition. */
  readonly mayMove: boolean
}

/** The keys of a record besides those of its form: its moves, and the records beside it in the list. */
export function useRecordKeys({ sheet, place, mayMove }: RecordKeys): void {
  const words = useWords("keys")
  const [, navigate] = useLocation()
  const beside = place.kind === "collection" && place.id !== null ? placeInList(place.name, place.id) : null
  useScreenKeys({
    title: words.record,
    lines: [
      { keys: ["⌘S"], text: words.save },
      { keys: ["⌘Enter"], text: words.saveAndBack },
      ...(mayMove ? [{ keys: ["⌘."], text: words.moves }] : []),
      ...(beside
        ? [
            { keys: ["⌥↑"], text: words.previous },
            { keys: ["⌥↓"], text: words.next },
          ]
        : []),
    ],
  })
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.shiftKey || isInOtherLayer(sheet.current)) return
      const isDone = isMoveKey(event) ? openMoves(sheet.current) : goBeside(event)
      if (isDone) event.preventDefault()
    }
    function goBeside(event: KeyboardEvent): boolean {
      const isAlone = event.altKey && !event.metaKey && !event.ctrlKey
      if (!isAlone || hasOwnArrows(event.target) || place.kind === "global") return false
      const id = event.key === "ArrowUp" ? beside?.previous : event.key === "ArrowDown" ? beside?.next : undefined
      if (typeof id !== "string") return false
      navigate(recordPath(place.name, id))
      return true
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  })
}

function isMoveKey({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return key === "." && (metaKey || ctrlKey) && !altKey
}

// The menu stands in the header, and on a phone in the form.
function openMoves(sheet: HTMLElement | null): boolean {
  const menus = [...(sheet?.querySelectorAll<HTMLElement>(".stage-place button") ?? [])]
  const shown = menus.find((menu) => menu.checkVisibility())
  shown?.focus()
  shown?.click()
  return shown !== undefined
}

// With Alt, the arrows move the cursor in a long text, and open what hangs below a control.
const OWN_ARROWS =
  'textarea, select, [contenteditable="true"], [role="combobox"], [role="spinbutton"], [role="menu"], [aria-haspopup]'

function hasOwnArrows(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(OWN_ARROWS) !== null
}
