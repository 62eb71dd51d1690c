import { type KeyboardEvent, useId, useState } from "react"

export interface ComboboxOption {
  readonly id: string
  readonly text: string
  /** Stands beside the text, in small letters. */
  readonly note?: string
}

interface ComboboxProps {
  readonly label: string
  readonly listLabel: string
  readonly maxLength: number
  readonly text: string
  readonly options: readonly ComboboxOption[]
  onText(text: string): void
  /** Called with the chosen option; undefined if someone presses Enter and there is none. */
  onTake(option: ComboboxOption | undefined): void
}

/** A text field with suggestions: the arrow keys choose among them, Enter takes one, Escape empties the field. */
export function Combobox({ label, listLabel, maxLength, text, options, onText, onTake }: ComboboxProps) {
  const id = useId()
  const [moved, setMoved] = useState(0)
  const [isFocused, setIsFocused] = useState(false)
  const isOpen = isFocused && options.length > 0
  const chosen = Math.min(moved, options.length - 1)
  const change = (changed: string) => {
    onText(changed)
    setMoved(0)
  }
  const take = (option: ComboboxOption | undefined) => {
    onTake(option)
    change("")
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && isOpen) setMoved((chosen + step + options.length) % options.length)
    else if (event.key === "Enter") take(options[chosen])
    else if (event.key === "Escape") change("")
    else return
    event.preventDefault()
  }
  return (
    <div className="combobox">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={press}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
      />
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label={listLabel} className="combobox-options">
          {options.map((option, index) => (
            <button
              key={option.id}
              type="button"
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              // The input keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {option.text}
              {option.note && <small> {option.note}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
