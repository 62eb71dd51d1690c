import type { FieldSchema } from "kit/client"
import { useWords } from "../../words/words.ts"
import type { FilterProps } from "../filter-props.ts"

/** A number to compare with. */
export function NumberFilter({ field, operand, onChange, label }: FilterProps) {
  return (
    <input
      className="input number"
      type="number"
      step="any"
      value={typeof operand === "number" || typeof operand === "string" ? operand : ""}
      aria-label={label}
      onChange={(event) => onChange(numberOf(field, event.currentTarget.value))}
    />
  )
}

/** Two numbers between which others lie. */
export function NumbersFilter({ field, operand, onChange, label }: FilterProps) {
  const words = useWords("list")
  const [from, to] = Array.isArray(operand) ? operand : []
  return (
    <fieldset className="ends" aria-label={label}>
      <NumberFilter
        field={field}
        relation={undefined}
        operand={from}
        label={words.from}
        onChange={(next) => onChange([next, to])}
      />
      <NumberFilter
        field={field}
        relation={undefined}
        operand={to}
        label={words.to}
        onChange={(next) => onChange([from, next])}
      />
    </fieldset>
  )
}

// A bigint and a decimal stay texts, because a number could not hold them.
function numberOf({ numberType }: FieldSchema, text: string): number | string | undefined {
  if (text === "") return undefined
  return numberType === "bigint" || numberType === "decimal" ? text : Number(text)
}
