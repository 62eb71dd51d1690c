import { type ReactNode, useId } from "react"

/** The attributes that connect a control with its label and its error. */
interface ControlAttributes {
  readonly id: string
  readonly "aria-invalid": true | undefined
  readonly "aria-describedby": string | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  children(control: ControlAttributes): ReactNode
}

/**
 * A control with its label, hint and error.
 *
 * <Field label="Name" error={error}>{(control) => <input {...control} name="name" />}</Field>
 */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  const control: ControlAttributes = {
    id,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-describedby": note === undefined ? undefined : `${id}-note`,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(control)}
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? "field-hint" : "field-error"}>
          {note}
        </p>
      )}
    </div>
  )
}
