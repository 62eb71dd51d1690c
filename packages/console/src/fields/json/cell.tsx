import { NoValue } from "../../parts/no-value.tsx"
import { useWords } from "../../words/words.ts"
import type { CellProps } from "../cell-props.ts"

/** A value that consists of others: how many they are. */
export function PartsCell({ value }: CellProps) {
  const words = useWords("values")
  if (value === null || value === undefined) return <NoValue />
  if (typeof value !== "object") return <code>{JSON.stringify(value)}</code>
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  return (
    <code title={words.parts(size)}>
      {"{ "}
      {size}
      {" }"}
    </code>
  )
}
