import { useId } from "react"

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly type?: "text" | "email" | "password"
  /** The kind of text, for password managers. */
  readonly autoComplete: string
  readonly defaultValue?: string | undefined
  readonly hint?: string
  readonly problem?: string | undefined
  readonly autoFocus?: boolean
  readonly isOptional?: boolean
  /** Texts that are offered, besides any other. */
  readonly suggestions?: readonly string[]
}

/** A labelled input of a form that is sent as a whole. */
export function TextField({ label, hint, problem, isOptional = false, suggestions, ...input }: TextFieldProps) {
  const id = useId()
  const describedBy = [hint && !problem && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        className="input"
        id={id}
        required={!isOptional}
        list={suggestions && `${id}-suggestions`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {suggestions && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint && !problem && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
