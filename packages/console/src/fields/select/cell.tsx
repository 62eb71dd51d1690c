import type { PartSchema } from "kit/client"
import { NoValue } from "../../parts/no-value.tsx"
import { markOf } from "../../parts/tint.ts"
import type { CellProps } from "../cell-props.ts"

/** An option: a square dot in its colour, and its text in ink. */
export function SelectCell({ part, value }: CellProps) {
  if (typeof value !== "string") return <NoValue />
  return <OptionText part={part} value={value} />
}

/** The chosen options. */
export function MultipleCell({ part, value }: CellProps) {
  if (!Array.isArray(value) || value.length === 0) return <NoValue />
  return (
    <span className="options">
      {value.map((each) => (
        <OptionText key={String(each)} part={part} value={String(each)} />
      ))}
    </span>
  )
}

interface OptionTextProps {
  readonly part: PartSchema
  readonly value: string
}

/** An option that has no colour has no dot: gray is a colour, too. */
export function OptionText({ part, value }: OptionTextProps) {
  const option = part.options?.find((each) => each.value === value)
  if (!option?.color) return <span>{option?.label ?? value}</span>
  return (
    <span className="option" style={markOf(option.color)}>
      {option.label}
    </span>
  )
}
