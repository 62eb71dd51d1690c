import { useId } from "react"

interface OneOfProps<Value extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A few values beside each other, of which one is chosen. */
export function OneOf<Value extends string>({ label, choices, value, onChange }: OneOfProps<Value>) {
  const name = useId()
  return (
    <fieldset className="one-of">
      <legend className="label">{label}</legend>
      <div className="one-of-choices">
        {choices.map((choice) => (
          <label key={choice.value} className="one-of-choice" lang={choice.lang}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
