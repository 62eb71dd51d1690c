import { type KeyboardEvent, type ReactNode, type RefObject, use, useEffect, useRef, useState } from "react"
import { ComboBox, ComboBoxStateContext } from "react-aria-components/ComboBox"
import { Input } from "react-aria-components/Input"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"

/** One line of the list below the input. */
export interface Choice {
  readonly id: string
  /** Its name for screen readers. */
  readonly text: string
  readonly content: ReactNode
  readonly isDisabled?: boolean
  /** True for an action behind the choices, such as making a new record. */
  readonly isAction?: boolean
}

interface ComboboxProps {
  readonly label: string
  readonly inputId?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly isRequired?: boolean
  readonly placeholder?: string
  /** True to have the focus, and the list open, from the start. */
  readonly isOpenFromStart?: boolean
  readonly text: string
  readonly onText: (text: string) => void
  readonly choices: readonly Choice[]
  /** False while the choices are still those of another text. Enter then waits for the right ones. */
  readonly isCurrent: boolean
  /** Stands above the choices: that there are none, or that they could not be read. */
  readonly line?: ReactNode
  readonly onChoose: (id: string) => void
  readonly onOpenChange: (isOpen: boolean) => void
  /** Called when the person leaves the input. */
  readonly onLeave?: () => void
  /** Called for a key before the list gets it. Returns whether the key is done with. */
  readonly onKey?: (event: KeyboardEvent) => boolean
}

/** An input with a list of choices below it, which follows what is typed. The caller reads the choices. */
export function Combobox(props: ComboboxProps) {
  const {
    label,
    inputId,
    describedBy,
    isInvalid = false,
    isRequired = false,
    placeholder,
    isOpenFromStart = false,
  } = props
  const { text, onText, choices, isCurrent, line, onChoose, onOpenChange, onLeave, onKey } = props
  // The list would stay open, because no choice is ever the value of the input.
  const close = useRef(() => {})
  return (
    <div className="combobox">
      <ComboBox
        {...(inputId && { id: inputId })}
        aria-label={label}
        {...(describedBy && { "aria-describedby": describedBy })}
        isInvalid={isInvalid}
        isRequired={isRequired}
        validationBehavior="aria"
        menuTrigger="manual"
        allowsEmptyCollection
        shouldFocusWrap
        value={null}
        inputValue={text}
        onInputChange={onText}
        items={choices}
        disabledKeys={choices.filter(({ isDisabled }) => isDisabled).map(({ id }) => id)}
        onChange={(key) => {
          if (key === null) return
          close.current()
          onChoose(String(key))
        }}
        onOpenChange={(isOpen) => onOpenChange(isOpen)}
        {...(onLeave && { onBlur: onLeave })}
      >
        <ChoiceInput {...{ placeholder, isOpenFromStart, choices, isCurrent, onKey, close }} />
        <Popover className="floating combobox-list" offset={6} maxHeight={420}>
          {line && <div className="combobox-line">{line}</div>}
          <ListBox className="combobox-choices" items={choices}>
            {({ id, text: textValue, content, isAction }: Choice) => (
              <ListBoxItem id={id} textValue={textValue} className={isAction ? "menu-item action" : "menu-item"}>
                {content}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  )
}

interface ChoiceInputProps extends Pick<ComboboxProps, "choices" | "isCurrent"> {
  readonly placeholder: string | undefined
  readonly isOpenFromStart: boolean
  readonly onKey: ComboboxProps["onKey"]
  /** Gets the function that closes the list. */
  readonly close: RefObject<() => void>
}

/** The input itself. Typing and a press open the list; Tab does not. The first choice is the one that Enter takes. */
function ChoiceInput(props: ChoiceInputProps) {
  const { placeholder, isOpenFromStart, choices, isCurrent, onKey, close } = props
  const state = use(ComboBoxStateContext)
  const open = () => state?.isOpen || state?.open(null, "manual")
  useEffect(() => {
    close.current = () => state?.close()
  }, [state, close])
  const input = useRef<HTMLInputElement>(null)
  const isToOpen = useRef(isOpenFromStart)
  useEffect(() => {
    if (isToOpen.current) input.current?.focus()
  }, [])
  useEffect(() => {
    if (!isToOpen.current || !state?.isFocused) return
    isToOpen.current = false
    state.open(null, "manual")
  }, [state])
  const waitForChoices = useFirstChoice(choices, isCurrent)
  return (
    <Input
      ref={input}
      className="input"
      placeholder={placeholder ?? ""}
      onKeyDownCapture={(event) => {
        const isDone = onKey?.(event) ?? false
        if (isDone && event.key === "Enter") state?.close()
        if (!isDone && !(event.key === "Enter" && waitForChoices())) return
        event.preventDefault()
        event.stopPropagation()
      }}
      // Escape closes the list alone, and not the drawer around it.
      onKeyDown={(event) => event.key === "Escape" && state?.isOpen && event.stopPropagation()}
      onInput={open}
      onClick={open}
    />
  )
}

/**
 * Marks the first choice whenever there are other ones, unless the person has gone to one that is still there. Returns what
 * Enter does while the choices are those of another text: it takes the first one of the right ones, once they are there.
 */
function useFirstChoice(choices: readonly Choice[], isCurrent: boolean): () => boolean {
  const state = use(ComboBoxStateContext)
  const [waitsFor, setWaitsFor] = useState<string | null>(null)
  const found = choices.filter(({ isDisabled, isAction }) => !isDisabled && !isAction)
  // Where nothing is found, the action is the only choice.
  const first = (found[0] ?? (choices.length === 1 ? choices[0] : undefined))?.id
  const focused = state?.selectionManager.focusedKey ?? null
  const isGone = focused === null || !choices.some(({ id }) => id === focused)
  const text = state?.inputValue ?? ""
  useEffect(() => {
    if (!state?.isOpen || first === undefined || !isCurrent) return
    if (waitsFor === text) state.selectionManager.select(first)
    else if (isGone && text !== "") state.selectionManager.setFocusedKey(first)
  }, [state, first, isGone, isCurrent, waitsFor, text])
  useEffect(() => {
    if (waitsFor !== null && (isCurrent || waitsFor !== text)) setWaitsFor(null)
  }, [waitsFor, isCurrent, text])
  return () => {
    if (!state?.isOpen || text === "" || (isCurrent && !isGone)) return false
    setWaitsFor(text)
    return true
  }
}
