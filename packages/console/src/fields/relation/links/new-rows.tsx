import { X } from "lucide-react"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { Target } from "../use-target.ts"
import type { LinksEdit } from "./links-edit.ts"

interface NewRowsProps {
  readonly edit: LinksEdit
  readonly target: Target
  readonly onRemove: (index: number) => void
}

/** The records that are created together with the record of the form. */
export function NewRows({ edit: { create = [] }, target, onRemove }: NewRowsProps) {
  const words = useWords("relations")
  return create.map((values, index) => {
    const value = values[target.reading.title?.name ?? ""]
    const title = typeof value === "string" ? value : words.drawer.newOne(target.schema.singularLabel)
    return (
      <li key={keyOf(values)} className="link-row" data-change="added">
        <span className="face-text">{title}</span>
        <span className="link-change">{words.fresh}</span>
        <span className="link-actions">
          <Button look="icon" aria-label={words.remove(title)} onPress={() => onRemove(index)}>
            <Icon of={X} />
          </Button>
        </span>
      </li>
    )
  })
}

// They have no ids yet.
const keys = new WeakMap<object, number>()
let lastKey = 0

function keyOf(values: object): number {
  const key = keys.get(values) ?? ++lastKey
  keys.set(values, key)
  return key
}
