import { useState } from "react"
import { useUnparsed } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"

const INDENT = 2

/** Edits a value of any form as JSON. A text that is no JSON stays as it is typed, and is not saved. */
export function JsonEdit(props: EditProps) {
  const { part, path, value, onChange, onLeave, inputId, describedBy, isReadOnly, isInvalid } = props
  const words = useWords("record")
  const [unparsed, setUnparsed] = useUnparsed(path)
  // The text as it is typed, while it is: it is laid out again when the person has left it.
  const [typed, setTyped] = useState<string>()
  const text = unparsed?.text ?? typed ?? jsonText(value)

  function change(changed: string): void {
    setTyped(changed)
    try {
      onChange(changed.trim() === "" ? null : JSON.parse(changed))
    } catch (error) {
      setUnparsed({ text: changed, problem: words.noJson(error instanceof Error ? error.message : String(error)) })
    }
  }

  return (
    <div className="json-edit">
      <pre aria-hidden className="line-numbers">
        {text.split("\n").map((_, index) => `${index + 1}\n`)}
      </pre>
      <textarea
        className="input mono growing"
        id={inputId}
        rows={3}
        spellCheck={false}
        wrap="off"
        value={text}
        placeholder={part.placeholder ?? " "}
        readOnly={isReadOnly}
        aria-invalid={isInvalid || undefined}
        aria-required={part.required || undefined}
        aria-describedby={describedBy}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          setTyped(undefined)
          onLeave()
        }}
      />
    </div>
  )
}

function jsonText(value: unknown): string {
  return value === null || value === undefined ? "" : JSON.stringify(value, null, INDENT)
}
