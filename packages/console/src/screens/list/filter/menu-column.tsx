import { ChevronRight } from "lucide-react"
import type { KeyboardEvent, ReactNode } from "react"
import { Icon } from "../../../parts/icon.tsx"

interface MenuEntry {
  readonly key: string
  readonly label: string
  /** A word at the end. */
  readonly note?: string
  readonly leadsOn?: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

interface MenuColumnProps {
  readonly head: ReactNode
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

/** One step of several: a list of choices. Arrows go up and down in it, and to the steps beside it. */
export function MenuColumn({ head, label, entries }: MenuColumnProps) {
  return (
    <fieldset className="menu-column" aria-label={label} data-menu-column onKeyDown={onKeyDown}>
      {head}
      <ul>
        {entries.map(({ key, label: text, note, leadsOn, isChosen, onChoose }) => (
          <li key={key}>
            <button
              type="button"
              className={isChosen ? "menu-item at" : "menu-item"}
              aria-pressed={isChosen}
              onClick={onChoose}
            >
              <span className="cut">{text}</span>
              {(note || leadsOn) && (
                <span className="end">
                  {note}
                  {leadsOn && <Icon of={ChevronRight} />}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const COLUMNS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event
  const step = STEPS[key]
  const column = COLUMNS[key]
  if (step !== undefined) {
    const buttons: readonly EventTarget[] = [...currentTarget.querySelectorAll("button")]
    const at = buttons.indexOf(target)
    const next = buttons[(at + step + buttons.length) % buttons.length]
    if (next instanceof HTMLElement) next.focus()
    event.preventDefault()
  } else if (column !== undefined) {
    const columns = [...(currentTarget.parentElement?.querySelectorAll<HTMLElement>("[data-menu-column]") ?? [])]
    const next = columns[columns.indexOf(currentTarget) + column]
    const focused = next?.querySelector<HTMLElement>("button.at, input") ?? next?.querySelector<HTMLElement>("button")
    focused?.focus()
    if (focused) event.preventDefault()
  }
}
