import { X } from "lucide-react"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { ModalDialog } from "../../parts/modal-dialog.tsx"
import { useWords } from "../../words/words.ts"

interface KeysDialogProps {
  readonly hasSearch: boolean
  readonly mayCreate: boolean
  readonly isGrouped: boolean
  readonly onClose: () => void
}

/** The keys of a list. */
export function KeysDialog({ hasSearch, mayCreate, isGrouped, onClose }: KeysDialogProps) {
  const { keys } = useWords("list")
  const { close } = useWords("shell")
  const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
    [["↑", "↓"], keys.rows],
    [["Page Up", "Page Down"], keys.pages],
    [["Home", "End"], keys.ends],
    ...(isGrouped ? [[["←", "→"], keys.fold] as const] : []),
    [["Enter"], keys.open],
    [["x"], keys.select],
    [["Shift", "↑ ↓"], keys.range],
    [["Ctrl", "A"], keys.all],
    [["Delete"], keys.remove],
    [["Esc"], keys.escape],
    ...(mayCreate ? [[["n"], keys.create] as const] : []),
    [["f"], keys.filter],
    ...(hasSearch ? [[["/"], keys.search] as const] : []),
    [["[", "]"], keys.views],
    [["?"], keys.help],
  ]
  return (
    <ModalDialog label={keys.title} onClose={onClose}>
      <header className="dialog-head">
        <h2>{keys.title}</h2>
        <Button look="icon" aria-label={close} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </header>
      <dl className="keys-list">
        {rows.map(([names, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  )
}
