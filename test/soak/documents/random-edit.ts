// Random edits of a replica, as editors make them.

import * as Y from "yjs"
import type { Shape } from "./world.ts"

/** Seeded: a whole number from 0 up to the bound. */
type Below = (bound: number) => number
/** `word` is found nowhere else */
type Editing = { doc: Y.Doc; field: string; below: Below; word: string }

const MIN_LENGTH = 20
const MAX_DELETED = 12
const MIN_BLOCKS = 3
const KEYS = 12
const MARKS = ["strong", "em"]

/** Makes one edit, in one transaction. */
export function randomEdit(shape: Shape, editing: Editing): void {
  editing.doc.transact(() => EDITS[shape](editing))
}

const EDITS: Record<Shape, (editing: Editing) => void> = {
  text: ({ doc, field, below, word }) => editText(doc.getText(field), { below, word }),
  richText: ({ doc, field, below, word }) => editBlocks(doc.getXmlFragment(field), { below, word }),
  json: ({ doc, field, below, word }) => editMap(doc.getMap(field), { below, word }),
}

type Choice = { below: Below; word: string }

function editText(text: Y.Text, { below, word }: Choice) {
  if (text.length < MIN_LENGTH || below(10) < 6) text.insert(below(text.length + 1), `${word} `)
  else deleteSome(text, below)
}

function deleteSome(text: Y.Text, below: Below) {
  const at = below(text.length)
  text.delete(at, Math.min(text.length - at, 1 + below(MAX_DELETED)))
}

function editBlocks(fragment: Y.XmlFragment, { below, word }: Choice) {
  const dice = below(20)
  if (fragment.length < MIN_BLOCKS || dice < 2) fragment.insert(below(fragment.length + 1), [newBlock({ below, word })])
  else if (dice < 4) fragment.delete(below(fragment.length), 1)
  else editBlock(fragment.get(below(fragment.length)), { below, word })
}

function newBlock({ below, word }: Choice) {
  const block = new Y.XmlElement(below(4) === 0 ? "heading" : "paragraph")
  // Yjs keeps any value, though its types allow texts alone.
  if (block.nodeName === "heading") block.setAttribute("level", (1 + below(3)) as any)
  block.insert(0, [new Y.XmlText(`${word} in a new block`)])
  return block
}

function editBlock(block: unknown, { below, word }: Choice) {
  if (!(block instanceof Y.XmlElement)) return
  const text = block.get(0)
  if (!(text instanceof Y.XmlText)) return block.insert(0, [new Y.XmlText(word)])
  if (text.length < MIN_LENGTH || below(10) < 5) return text.insert(below(text.length + 1), `${word} `)
  if (below(2) === 0) return deleteSome(text, below)
  const at = below(text.length)
  const mark = String(MARKS[below(MARKS.length)])
  text.format(at, 1 + below(text.length - at), { [mark]: below(3) === 0 ? null : {} })
}

function editMap(map: Y.Map<any>, { below, word }: Choice) {
  const key = `key ${below(KEYS)}`
  const value = map.get(key)
  if (value instanceof Y.Map && below(4) > 0) value.set(`inner ${below(KEYS)}`, word)
  else if (value instanceof Y.Array && below(4) > 0) editList(value, { below, word })
  else if (below(8) === 0) map.delete(key)
  else map.set(key, newValue({ below, word }))
}

function editList(list: Y.Array<any>, { below, word }: Choice) {
  if (list.length > 0 && below(3) === 0) list.delete(below(list.length), 1)
  else list.insert(below(list.length + 1), [below(2) === 0 ? word : below(1_000)])
}

function newValue({ below, word }: Choice) {
  const kinds = [
    () => word,
    () => below(1_000_000),
    () => below(2) === 0,
    () => null,
    () => ({ word, list: [below(9), { isDeep: true }] }),
    () => Y.Array.from([word]),
    () => new Y.Map([["inner", word]]),
  ]
  return kinds[below(kinds.length)]?.()
}
