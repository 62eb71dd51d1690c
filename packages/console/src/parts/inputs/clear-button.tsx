import { X } from "lucide-react"
import { useWords } from "../../words/words.ts"
import { Button } from "../button.tsx"
import { Icon } from "../icon.tsx"

interface ClearButtonProps {
  /** The label of what is cleared. */
  readonly label: string
  readonly onPress: () => void
}

/** Takes a value away, where there need not be one. */
export function ClearButton({ label, onPress }: ClearButtonProps) {
  const words = useWords("record")
  return (
    <Button look="icon" aria-label={words.clear(label)} onPress={onPress}>
      <Icon of={X} />
    </Button>
  )
}
