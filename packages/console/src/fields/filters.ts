import type { ComponentType } from "react"
import type { Operand } from "../screens/list/filter/comparisons.ts"
import { DateFilter, DatesFilter, DaysFilter } from "./date/filter.tsx"
import type { FilterProps } from "./filter-props.ts"
import { NumberFilter, NumbersFilter } from "./number/filter.tsx"
import { RecordsFilter } from "./relation/filter.tsx"
import { OptionsFilter } from "./select/filter.tsx"
import { ItemFilter, TextFilter } from "./text/filter.tsx"

/** The editors of the values in filters, by the kind of the value. */
const FILTERS: Readonly<Record<Exclude<Operand, "none">, ComponentType<FilterProps>>> = {
  text: TextFilter,
  item: ItemFilter,
  number: NumberFilter,
  numbers: NumbersFilter,
  date: DateFilter,
  dates: DatesFilter,
  days: DaysFilter,
  options: OptionsFilter,
  records: RecordsFilter,
}

/** Returns the editor of a kind of value, or null if there is none to choose. */
export function filterOfOperand(operand: Operand): ComponentType<FilterProps> | null {
  return operand === "none" ? null : FILTERS[operand]
}
