import type { FilterProps } from "../filter-props.ts"

/** A text to compare with. */
export function TextFilter({ operand, onChange, label }: FilterProps) {
  return (
    <input
      className="input"
      type="text"
      maxLength={500}
      value={typeof operand === "string" ? operand : ""}
      aria-label={label}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** An item of a list: a number where the items are numbers. */
export function ItemFilter({ field, operand, onChange, label }: FilterProps) {
  const isNumber = field.items?.type === "number"
  return (
    <input
      className="input"
      type={isNumber ? "number" : "text"}
      step="any"
      value={typeof operand === "string" || typeof operand === "number" ? operand : ""}
      aria-label={label}
      onChange={({ currentTarget: { value } }) => onChange(isNumber && value !== "" ? Number(value) : value)}
    />
  )
}
