import { ChevronDown } from "lucide-react"
import { Button as AriaButton } from "react-aria-components/Button"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select"
import { Icon } from "../icon.tsx"
import { type Choice, ChoiceText } from "./choice-text.tsx"

interface SelectProps {
  /** The id of the element that names it. */
  readonly labelledBy: string
  readonly inputId: string
  readonly describedBy?: string | undefined
  readonly choices: readonly Choice[]
  readonly value: string | null
  readonly placeholder: string
  readonly isInvalid?: boolean
  readonly onChange: (value: string) => void
  readonly onLeave?: () => void
}

/** A button that shows the chosen value, and opens a list of all. */
export function Select(props: SelectProps) {
  const { labelledBy, inputId, describedBy, choices, value, placeholder, isInvalid = false } = props
  return (
    <AriaSelect
      className="select"
      aria-labelledby={labelledBy}
      placeholder={placeholder}
      value={value}
      isInvalid={isInvalid}
      // The keys of the list are the values.
      onChange={(key) => props.onChange(String(key))}
      onBlur={() => props.onLeave?.()}
    >
      <AriaButton
        className="input select-button"
        id={inputId}
        {...(describedBy && { "aria-describedby": describedBy })}
      >
        <SelectValue className="select-value" />
        <Icon of={ChevronDown} />
      </AriaButton>
      <Popover className="floating menu-popover" offset={4}>
        <ListBox className="menu-list" items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.value} textValue={choice.label} className="menu-item">
              <ChoiceText choice={choice} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
