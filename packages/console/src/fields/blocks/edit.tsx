import type { BlockSchema } from "kit/client"
import { type KeyboardEvent, useRef, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import { GroupFrame } from "../group/group-frame.tsx"
import type { GroupProps } from "../group/group-props.ts"
import { isSameList, useSelection } from "../group/use-selection.ts"
import { copiedBlock, newBlockId } from "../items/copied.ts"
import { FoldedItems } from "../items/folded-items.tsx"
import { ListNote } from "../items/list-note.tsx"
import { useItemList } from "../items/use-item-list.ts"
import { AddBlock, type AddPlace } from "./add-block.tsx"
import { BlockBody, BlockHead } from "./block-item.tsx"
import { PasteNote } from "./paste-note.tsx"
import { useBlockClipboard } from "./use-block-clipboard.ts"

const NO_BLOCKS: Readonly<Record<string, BlockSchema>> = {}

/** Edits a list of blocks: folded, with a menu of what may be added. Blocks can be copied into lists of other records. */
export function BlocksEdit({ part, path, Part, mark }: GroupProps) {
  const words = useWords("parts")
  const { isReadOnly } = useForm()
  const keys = useSelection(path, blockKeys, isSameList)
  const state = useItemList(path, part)
  const [adding, setAdding] = useState<AddPlace | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { list } = state
  const isLocked = isReadOnly(path[0])
  const room = (part.limits.maxItems ?? Number.POSITIVE_INFINITY) - keys.length
  const clipboard = useBlockClipboard({ part, list, room, isLocked })

  function press(event: KeyboardEvent<HTMLElement>, index: number) {
    if (isLocked) return
    if (event.key === "Delete" || event.key === "Backspace") list.remove(index)
    else if (event.key === "/" && room > 0) setAdding({ anchor: event.currentTarget, index: index + 1 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <GroupFrame part={part} path={path} mark={mark} note={<ListNote count={keys.length} limits={part.limits} />}>
      <FoldedItems
        part={part}
        path={path}
        Part={Part}
        label={part.label}
        state={state}
        keys={keys}
        actions={room > 0 ? ["up", "down", "duplicate", "copy", "remove"] : ["up", "down", "copy", "remove"]}
        onAction={(action, index) => {
          if (action === "duplicate") list.insert(index + 1, [copiedBlock(part, list.read()[index])])
          else clipboard.copy(index)
        }}
        onKey={press}
        clipboard={clipboard.events}
        Head={BlockHead}
        Body={BlockBody}
      >
        {!isLocked && (
          <AddBlock
            blocks={part.blocks ?? NO_BLOCKS}
            label={words.addTo(part.label)}
            isFull={room <= 0}
            place={adding}
            onPlace={setAdding}
            button={addButton}
            count={keys.length}
            onAdd={(type, index) => list.insert(index, [{ type, id: newBlockId() }])}
            onPaste={clipboard.paste}
          />
        )}
        {clipboard.pasted && <PasteNote pasted={clipboard.pasted} onClose={clipboard.forget} />}
      </FoldedItems>
    </GroupFrame>
  )
}

// A block without an id, which only SQL can have stored, is known by its place.
function blockKeys(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.map((block, index) => String(Object(block).id ?? `place-${index}`))
}
