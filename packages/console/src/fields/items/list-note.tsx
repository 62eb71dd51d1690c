import type { PartSchema } from "kit/client"
import { useWords } from "../../words/words.ts"

interface ListNoteProps {
  readonly count: number
  readonly limits: PartSchema["limits"]
}

/** Says beside the label how many items there are, and how many there may be. */
export function ListNote({ count, limits: { minItems = 0, maxItems } }: ListNoteProps) {
  const words = useWords("parts")
  if (count > 0 && count < minItems) return <span className="group-note number">{words.atLeast(count, minItems)}</span>
  if (maxItems === undefined || count < maxItems * 0.75) {
    return count > 1 ? <span className="group-note number">{count}</span> : null
  }
  return <span className="group-note number">{words.ofAtMost(count, maxItems)}</span>
}
