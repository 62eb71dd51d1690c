import type { EditProps } from "../edit-props.ts"

/** Edits a text of one line. An empty one is no value. */
export function TextEdit({ part, value, onChange, onLeave, inputId, describedBy, isReadOnly, isInvalid }: EditProps) {
  return (
    <input
      className="input"
      id={inputId}
      type={part.type === "email" || part.type === "url" ? part.type : "text"}
      value={typeof value === "string" ? value : ""}
      placeholder={part.placeholder ?? undefined}
      readOnly={isReadOnly}
      aria-invalid={isInvalid || undefined}
      aria-required={part.required || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
