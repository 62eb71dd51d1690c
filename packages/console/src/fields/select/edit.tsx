import { Radio, RadioGroup } from "react-aria-components/RadioGroup"
import { Checkbox } from "../../parts/inputs/checkbox.tsx"
import { Select } from "../../parts/inputs/choice.tsx"
import { type Choice, ChoiceText } from "../../parts/inputs/choice-text.tsx"
import { ClearButton } from "../../parts/inputs/clear-button.tsx"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"

// So few are shown side by side, more in a list that opens.
const RADIOS_MAX = 4

/** Edits a choice of one of the options. */
export function SelectEdit(props: EditProps) {
  const { part, value, onChange, isReadOnly } = props
  const chosen = typeof value === "string" ? value : null
  const choices = choicesOf(props, chosen === null ? [] : [chosen])
  return (
    <div className="with-clear">
      {choices.length <= RADIOS_MAX ? (
        <Radios {...props} choices={choices} chosen={chosen} />
      ) : (
        <OpenedList {...props} choices={choices} chosen={chosen} />
      )}
      {chosen !== null && !part.required && !isReadOnly && (
        <ClearButton label={part.label} onPress={() => onChange(null)} />
      )}
    </div>
  )
}

interface ChoosingProps extends EditProps {
  readonly choices: readonly Choice[]
  readonly chosen: string | null
}

function Radios(props: ChoosingProps) {
  const { choices, chosen, part, onChange, onLeave, labelId, describedBy, isInvalid } = props
  return (
    <RadioGroup
      className="radios"
      aria-labelledby={labelId}
      {...(describedBy && { "aria-describedby": describedBy })}
      value={chosen}
      isRequired={part.required}
      isInvalid={isInvalid}
      validationBehavior="aria"
      onChange={onChange}
      onBlur={onLeave}
    >
      {choices.map((choice) => (
        <Radio key={choice.value} value={choice.value} className="radio">
          <span className="radio-dot" />
          <ChoiceText choice={choice} />
        </Radio>
      ))}
    </RadioGroup>
  )
}

function OpenedList(props: ChoosingProps) {
  const { choices, chosen, part, onChange, onLeave, inputId, labelId, describedBy, isInvalid } = props
  const words = useWords("record")
  return (
    <Select
      labelledBy={labelId}
      inputId={inputId}
      describedBy={describedBy}
      choices={choices}
      value={chosen}
      placeholder={part.placeholder ?? words.choose}
      isInvalid={isInvalid}
      onChange={onChange}
      onLeave={onLeave}
    />
  )
}

/** Edits a choice of several options. */
export function MultipleEdit(props: EditProps) {
  const { part, value, onChange, onLeave, labelId, describedBy, isInvalid } = props
  const chosen: readonly string[] = Array.isArray(value) ? value : []
  const toggle = (option: string, isChosen: boolean) => {
    const changed = isChosen ? [...chosen, option] : chosen.filter((one) => one !== option)
    onChange(changed.length === 0 && !part.required ? null : changed)
  }
  return (
    <fieldset className="radios choices" aria-labelledby={labelId} aria-describedby={describedBy}>
      {choicesOf(props, chosen).map((choice) => (
        <Checkbox
          key={choice.value}
          isSelected={chosen.includes(choice.value)}
          isInvalid={isInvalid}
          onChange={(isChosen) => toggle(choice.value, isChosen)}
          onBlur={onLeave}
        >
          <ChoiceText choice={choice} />
        </Checkbox>
      ))}
    </fieldset>
  )
}

// A stored value that is no option any more is shown too, so that choosing another one is up to the person.
function choicesOf({ part }: EditProps, chosen: readonly string[]): readonly Choice[] {
  const options = part.options ?? part.items?.options ?? []
  const lost = chosen.filter((value) => !options.some((option) => option.value === value))
  return [...options, ...lost.map((value) => ({ value, label: value }))]
}
