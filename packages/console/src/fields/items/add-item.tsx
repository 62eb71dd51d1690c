import { Plus } from "lucide-react"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords } from "../../words/words.ts"

interface AddItemProps {
  /** The name of the button for those who do not see the list above it. */
  readonly label: string
  readonly isFull: boolean
  readonly onAdd: () => void
}

/** Adds an item at the end of a list, unless the list has as many as it may. */
export function AddItem({ label, isFull, onAdd }: AddItemProps) {
  const words = useWords("parts")
  return (
    <div>
      <Button look="quiet" aria-label={label} isDisabled={isFull} onPress={onAdd}>
        <Icon of={Plus} />
        {words.add}
      </Button>
    </div>
  )
}
