import { NoValue } from "../../parts/no-value.tsx"
import type { CellProps } from "../cell-props.ts"

/** The beginning of a text. */
export function TextCell({ value }: CellProps) {
  if (value === null || value === undefined || value === "") return <NoValue />
  return String(value)
}

/** An address of a page, without what all of them begin with. */
export function UrlCell({ value }: CellProps) {
  if (typeof value !== "string" || value === "") return <NoValue />
  return <span title={value}>{value.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")}</span>
}

/** An id. */
export function IdCell({ value }: CellProps) {
  if (typeof value !== "string") return <NoValue />
  return <code title={value}>{value}</code>
}
