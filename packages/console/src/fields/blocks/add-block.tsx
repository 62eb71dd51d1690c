import type { BlockSchema } from "kit/client"
import { ClipboardPaste, Plus, Square } from "lucide-react"
import { type RefObject, useRef } from "react"
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { keyText } from "../../parts/key-text.ts"
import { PlaceIcon } from "../../shell/place-icon.tsx"
import { useWords } from "../../words/words.ts"

/** Where a block is to be added: at an index, with the menu at an element. */
export interface AddPlace {
  readonly anchor: HTMLElement
  readonly index: number
}

interface AddBlockProps {
  readonly blocks: Readonly<Record<string, BlockSchema>>
  readonly label: string
  readonly isFull: boolean
  readonly count: number
  /** The place for which the menu is open; null if it is closed. */
  readonly place: AddPlace | null
  readonly onPlace: (place: AddPlace | null) => void
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onAdd: (type: string, index: number) => void
  readonly onPaste: (text: string, index: number) => void
}

// No block has this name: a name begins with a letter.
const PASTE = "_paste"

/** The button and the menu of the blocks that may be added, with what the author says about each. */
export function AddBlock(props: AddBlockProps) {
  const { blocks, label, isFull, count, place, onPlace, button, onAdd, onPaste } = props
  const words = useWords("parts")
  const anchor = useRef<HTMLElement>(null)
  anchor.current = place?.anchor ?? button.current
  const index = place?.index ?? count
  const open = () => button.current && onPlace({ anchor: button.current, index: count })
  const act = (key: string) => {
    onPlace(null)
    if (key !== PASTE) onAdd(key, index)
    else
      void navigator.clipboard.readText().then(
        (text) => onPaste(text, index),
        () => onPaste("", index),
      )
  }
  return (
    <div>
      <Button
        look="quiet"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={place !== null}
        isDisabled={isFull}
        onPress={open}
      >
        <Icon of={Plus} />
        {words.add}
      </Button>
      <Popover
        className="floating menu-popover add-block"
        triggerRef={anchor}
        isOpen={place !== null}
        onOpenChange={(isOpen) => isOpen || onPlace(null)}
        placement="bottom start"
        offset={4}
      >
        {/* The keys of the menu are the names of the blocks. */}
        <Menu className="menu-list" aria-label={label} autoFocus="first" onAction={(key) => act(String(key))}>
          <MenuSection className="menu-section" aria-label={label}>
            {Object.entries(blocks).map(([name, block]) => (
              <MenuItem key={name} id={name} textValue={block.label} className="menu-item">
                {block.icon ? <PlaceIcon name={block.icon} /> : <Icon of={Square} />}
                <span>
                  {block.label}
                  {block.description && <small>{block.description}</small>}
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          {"clipboard" in navigator && (
            <MenuSection className="menu-section" aria-label={words.pasteBlock}>
              <MenuItem id={PASTE} textValue={words.pasteBlock} className="menu-item">
                <Icon of={ClipboardPaste} />
                <span>{words.pasteBlock}</span>
                <span className="end">{keyText("⌘V")}</span>
              </MenuItem>
            </MenuSection>
          )}
        </Menu>
      </Popover>
    </div>
  )
}
