import { Check } from "lucide-react"
import { Icon } from "../../parts/icon.tsx"
import { NoValue } from "../../parts/no-value.tsx"
import { useWords } from "../../words/words.ts"
import type { CellProps } from "../cell-props.ts"

/** A check for yes, and a dash for no. */
export function BooleanCell({ value }: CellProps) {
  const words = useWords("values")
  if (value !== true)
    return value === false ? (
      <span className="none" title={words.no}>
        –
      </span>
    ) : (
      <NoValue />
    )
  return (
    <span className="yes-no" title={words.yes}>
      <Icon of={Check} />
      <span className="visually-hidden">{words.yes}</span>
    </span>
  )
}
