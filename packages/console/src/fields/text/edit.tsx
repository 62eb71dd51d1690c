import type { EditProps } from "../edit-props.ts"

const INPUT_TYPES: Readonly<Record<string, string>> = { email: "email", url: "url" }

/** Edits a text of one line. A text that has to have a form, such as the end of an address, is set in mono. */
export function TextEdit(props: EditProps) {
  const { part, value, onChange, onLeave, inputId, describedBy, isReadOnly, isInvalid } = props
  return (
    <input
      className={part.limits.pattern === undefined ? "input" : "input mono"}
      id={inputId}
      type={INPUT_TYPES[part.type] ?? "text"}
      value={typeof value === "string" ? value : ""}
      // Styles know by it that the input is empty.
      placeholder={part.placeholder ?? " "}
      readOnly={isReadOnly}
      aria-invalid={isInvalid || undefined}
      aria-required={part.required || undefined}
      aria-describedby={describedBy}
      // Addresses and words of the content are not those of the person.
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
