import { useValue } from "../../../form/form-context.ts"
import type { PartFrame } from "../../../form/part-field.tsx"
import { GrowingTextarea } from "../../../parts/inputs/growing-textarea.tsx"

/** The title of a document: large text, which is typed where it stands. */
export function TitleValue({ frame }: { readonly frame: PartFrame }) {
  const { part, path, inputId, describedBy, isInvalid, isReadOnly, onLeave } = frame
  const [value, setValue] = useValue(path)
  const text = typeof value === "string" ? value : ""
  if (isReadOnly) return <h1 className="record-title">{text}</h1>
  return (
    <GrowingTextarea
      className="record-title"
      id={inputId}
      rows={1}
      value={text}
      placeholder={part.placeholder ?? part.label}
      aria-invalid={isInvalid || undefined}
      aria-required={part.required || undefined}
      aria-describedby={describedBy}
      // A title is one line, however many it takes to show it.
      onChange={(event) => setValue(event.currentTarget.value.replace(/\s*\n\s*/g, " ") || null)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.metaKey && !event.ctrlKey) event.preventDefault()
      }}
      onBlur={onLeave}
    />
  )
}
