import type { PartSchema } from "kit/client"
import { type Formats, useFormats } from "../../kit/formats.ts"
import { NoValue } from "../../parts/no-value.tsx"
import type { CellProps } from "../cell-props.ts"

/** A number in the person's language; with all decimals that its field keeps, so that they stand below each other. */
export function NumberCell({ part, value }: CellProps) {
  const formats = useFormats()
  const text = numberText(part, value, formats)
  if (text === null) return <NoValue />
  return (
    <span className="number" title={String(value)}>
      {text}
    </span>
  )
}

/** Returns a number as text; null if there is none. */
function numberText({ limits: { scale } }: PartSchema, value: unknown, { locale, number }: Formats): string | null {
  if (typeof value === "bigint") return number.format(value)
  if (typeof value !== "number" && typeof value !== "string") return null
  if (value === "" || Number.isNaN(Number(value))) return null
  const format =
    scale === undefined
      ? number
      : new Intl.NumberFormat(locale, { minimumFractionDigits: scale, maximumFractionDigits: 20 })
  // A decimal arrives as text, which the format takes with all its digits.
  return format.format(value as Intl.StringNumericLiteral)
}
