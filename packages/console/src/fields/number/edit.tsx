import { useState } from "react"
import { useUnparsed } from "../../form/form-context.ts"
import { formatLocale } from "../../words/language.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { numberSignsOf, numberText, parseNumber } from "./parse-number.ts"

const SIGNS = numberSignsOf(formatLocale())

/** Edits a number of any kind. No digit goes through a float that cannot hold it. */
export function NumberEdit(props: EditProps) {
  const { part, path, value, onChange, onLeave, inputId, describedBy, isReadOnly, isInvalid } = props
  const words = useWords("record")
  const [unparsed, setUnparsed] = useUnparsed(path)
  // The text as it is typed, while it is: "1.50" does not become "1.5".
  const [typed, setTyped] = useState<string>()
  const type = part.numberType ?? "double"

  function change(text: string): void {
    setTyped(text)
    const number = parseNumber(text, type, SIGNS)
    if (text.trim() === "") onChange(null)
    else if (number !== undefined) onChange(number)
    else setUnparsed({ text, problem: type === "integer" || type === "bigint" ? words.noInteger : words.noNumber })
  }

  return (
    <input
      className="input number"
      id={inputId}
      inputMode={type === "integer" || type === "bigint" ? "numeric" : "decimal"}
      value={unparsed?.text ?? typed ?? numberText(value, SIGNS)}
      placeholder={part.placeholder ?? " "}
      readOnly={isReadOnly}
      aria-invalid={isInvalid || undefined}
      aria-required={part.required || undefined}
      aria-describedby={describedBy}
      autoComplete="off"
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => {
        setTyped(undefined)
        onLeave()
      }}
    />
  )
}
