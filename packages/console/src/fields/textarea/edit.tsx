import { GrowingTextarea } from "../../parts/inputs/growing-textarea.tsx"
import type { EditProps } from "../edit-props.ts"

/** Edits a text of several lines. It grows with the text. */
export function TextareaEdit(props: EditProps) {
  const { part, value, onChange, onLeave, inputId, describedBy, isReadOnly, isInvalid } = props
  return (
    <GrowingTextarea
      className="input prose"
      id={inputId}
      rows={2}
      value={typeof value === "string" ? value : ""}
      placeholder={part.placeholder ?? " "}
      readOnly={isReadOnly}
      aria-invalid={isInvalid || undefined}
      aria-required={part.required || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
