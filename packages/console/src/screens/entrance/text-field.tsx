import { useId } from "react"

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly type?: "text" | "email" | "password"
  /** Tells password managers what belongs here. */
  readonly autoComplete: string
  readonly defaultValue?: string | undefined
  readonly hint?: string
  readonly problem?: string | undefined
  readonly autoFocus?: boolean
  readonly isOptional?: boolean
  readonly minLength?: number
}

/** A labelled input of a form that is sent as a whole. */
export function TextField({ label, hint, problem, isOptional = false, ...input }: TextFieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        className="input"
        id={id}
        required={!isOptional}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {hint && (
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
