import { Button } from "../../parts/button.tsx"
import { useWords } from "../../words/words.ts"

/** Says that an item was removed, and puts it back. The focus is here, because the item that had it is gone. */
export function RemovedItem({ onRestore }: { readonly onRestore: () => void }) {
  const words = useWords("parts")
  return (
    <div className="strip removed">
      <span role="status">{words.removed}</span>
      <Button look="quiet" autoFocus onPress={onRestore}>
        {words.undo}
      </Button>
    </div>
  )
}
