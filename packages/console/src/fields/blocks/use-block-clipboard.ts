import type { PartSchema } from "kit/client"
import { type ClipboardEvent, useState } from "react"
import type { ItemList } from "../items/use-item-list.ts"
import { blocksText, type PastedBlocks, readBlocks } from "./block-clipboard.ts"

interface ClipboardInput {
  readonly part: PartSchema
  readonly list: ItemList
  /** The number of blocks that may still be added. */
  readonly room: number
  readonly isLocked: boolean
}

/** Copies blocks of a list, and pastes those of any list, as far as this one can take them. */
export function useBlockClipboard({ part, list, room, isLocked }: ClipboardInput) {
  const [pasted, setPasted] = useState<PastedBlocks | null>(null)
  const textOf = (index: number) => blocksText([list.read()[index]])
  const paste = (text: string, index: number) => {
    const read = readBlocks(text, part, room)
    setPasted(read)
    if (read.blocks.length > 0) list.insert(index, read.blocks)
  }
  return {
    /** The outcome of the last paste, until it is forgotten. */
    pasted,
    forget: () => setPasted(null),
    copy: (index: number) => void navigator.clipboard?.writeText(textOf(index)),
    paste,
    events: {
      onCopy: (event: ClipboardEvent, index: number) => {
        event.preventDefault()
        event.clipboardData.setData("text/plain", textOf(index))
      },
      onPaste: (event: ClipboardEvent, index: number) => {
        if (isLocked) return
        event.preventDefault()
        paste(event.clipboardData.getData("text/plain"), index + 1)
      },
    },
  }
}
