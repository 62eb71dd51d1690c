import { BooleanCell } from "../boolean/cell.tsx"
import type { CellProps } from "../cell-props.ts"
import { DateTimeCell } from "../date/cell.tsx"
import { PartsCell } from "../json/cell.tsx"
import { NumberCell } from "../number/cell.tsx"
import { TextCell } from "../text/cell.tsx"

/** A computed value, about whose type nothing is declared: it is shown by what it is. */
export function ComputedCell(props: CellProps) {
  const { value } = props
  if (value instanceof Date) return <DateTimeCell {...props} />
  switch (typeof value) {
    case "number":
    case "bigint":
      return <NumberCell {...props} />
    case "boolean":
      return <BooleanCell {...props} />
    case "object":
      return <PartsCell {...props} />
    default:
      return <TextCell {...props} />
  }
}
