import { X } from "lucide-react"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { keyText } from "../../parts/key-text.ts"
import { useWords } from "../../words/words.ts"
import type { PastedBlocks } from "./block-clipboard.ts"

interface PasteNoteProps {
  readonly pasted: PastedBlocks
  readonly onClose: () => void
}

/** Says what was pasted, and what this list could not take. Says nothing if it has taken everything. */
export function PasteNote({ pasted, onClose }: PasteNoteProps) {
  const words = useWords("parts")
  const { unknownTypes, lostMembers, tooMany, isForeign } = pasted
  const lines = [
    isForeign && words.paste.foreign(keyText("⌘V")),
    unknownTypes.length > 0 && words.paste.unknownTypes(unknownTypes.join(", ")),
    lostMembers.length > 0 && words.paste.lostMembers(lostMembers.join(", ")),
    tooMany > 0 && words.paste.tooMany(tooMany),
  ].filter((line) => line !== false)
  if (lines.length === 0) return null
  return (
    <div className="strip" role="status">
      <span>{lines.join(" ")}</span>
      <span className="rest" />
      <Button look="icon" aria-label={words.closeNote} onPress={onClose}>
        <Icon of={X} />
      </Button>
    </div>
  )
}
