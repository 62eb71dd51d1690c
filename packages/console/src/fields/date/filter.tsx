import { useWords } from "../../words/words.ts"
import type { FilterProps } from "../filter-props.ts"

/** A day to compare with. */
export function DateFilter({ operand, onChange, label }: FilterProps) {
  return (
    <input
      className="input"
      type="date"
      value={typeof operand === "string" ? operand : ""}
      aria-label={label}
      onChange={({ currentTarget: { value } }) => onChange(value === "" ? undefined : value)}
    />
  )
}

/** The first and the last day of a span. */
export function DatesFilter({ field, operand, onChange, label }: FilterProps) {
  const words = useWords("list")
  const [from, to] = Array.isArray(operand) ? operand : []
  return (
    <fieldset className="ends" aria-label={label}>
      <DateFilter
        field={field}
        relation={undefined}
        operand={from}
        label={words.from}
        onChange={(next) => onChange([next, to])}
      />
      <DateFilter
        field={field}
        relation={undefined}
        operand={to}
        label={words.to}
        onChange={(next) => onChange([from, next])}
      />
    </fieldset>
  )
}

const SPANS = [1, 7, 30, 90, 365]

/** A number of days up to now: those that people ask for, or any other. */
export function DaysFilter({ operand, onChange, label }: FilterProps) {
  const words = useWords("list")
  return (
    <fieldset className="ends" aria-label={label}>
      <input
        className="input number"
        type="number"
        min={1}
        max={36_500}
        value={typeof operand === "number" ? operand : ""}
        aria-label={words.days}
        onChange={({ currentTarget: { value } }) => onChange(value === "" ? undefined : Number(value))}
      />
      <ul>
        {SPANS.map((days) => (
          <li key={days}>
            <button
              type="button"
              className={operand === days ? "menu-item at" : "menu-item"}
              aria-pressed={operand === days}
              onClick={() => onChange(days)}
            >
              {words.lastDays(days)}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
