import type { BlockSchema } from "kit/client"
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react"
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
import { blocksText, type PastedBlocks, readBlocks } from "./block-clipboard.ts"
import { BlockBody, BlockHead } from "./block-item.tsx"
import { PasteNote } from "./paste-note.tsx"

const NO_BLOCKS: Readonly<Record<string, BlockSchema>> = {}

/** Edits a list of blocks: folded, with a menu of what may be added. Blocks can be copied into lists of other records. */
export function BlocksEdit({ part, path, Part, mark }: GroupProps) {
  const words = useWords("parts")
  const { isReadOnly } = useForm()
  const keys = useSelection(path, blockKeys, isSameList)
  const state = useItemList(path)
  const [adding, setAdding] = useState<AddPlace | null>(null)
  const [pasted, setPasted] = useState<PastedBlocks | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { list } = state
  const isLocked = isReadOnly(path[0])
  const room = (part.limits.maxItems ?? Number.POSITIVE_INFINITY) - keys.length

  function paste(text: string, index: number) {
    const read = readBlocks(text, part, room)
    setPasted(read)
    if (read.blocks.length > 0) list.insert(index, read.blocks)
  }
  function press(event: KeyboardEvent<HTMLElement>, index: number) {
    if (isLocked) return
    if (event.key === "Delete" || event.key === "Backspace") list.remove(index)
    else if (event.key === "/" && room > 0) setAdding({ anchor: event.currentTarget, index: index + 1 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const clipboard = {
    onCopy: (event: ClipboardEvent, index: number) => {
      event.preventDefault()
      event.clipboardData.setData("text/plain", blocksText([list.read()[index]]))
    },
    onPaste: (event: ClipboardEvent, index: number) => {
      if (isLocked) return
      event.preventDefault()
      paste(event.clipboardData.getData("text/plain"), index + 1)
    },
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
          else void navigator.clipboard?.writeText(blocksText([list.read()[index]]))
        }}
        onKey={press}
        clipboard={clipboard}
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
            onPaste={(text, index) => paste(text, index)}
          />
        )}
        {pasted && <PasteNote pasted={pasted} onClose={() => setPasted(null)} />}
      </FoldedItems>
    </GroupFrame>
  )
}

// A block without an id, which only SQL can have stored, is known by its place.
function blockKeys(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.map((block, index) => String(Object(block).id ?? `place-${index}`))
}
