import type { FilterProps } from "../filter-props.ts"
import { OptionText } from "./cell.tsx"

/** Any number of options. */
export function OptionsFilter({ field, operand, onChange, label }: FilterProps) {
  const chosen: readonly unknown[] = Array.isArray(operand) ? operand : []
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <ul aria-label={label}>
      {field.options?.map(({ value }) => (
        <li key={value}>
          <label className="menu-item">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <OptionText part={field} value={value} />
          </label>
        </li>
      ))}
    </ul>
  )
}
