// Random edits of a replica, as editors make them.
import * as Y from "yjs"

/** @typedef {(bound: number) => number} Below  seeded: a whole number from 0 up to the bound */
/** @typedef {{ doc: Y.Doc, field: string, below: Below, word: string }} Editing  `word` is found nowhere else */

const MIN_LENGTH = 20
const MAX_DELETED = 12
const MIN_BLOCKS = 3
const KEYS = 12
const MARKS = ["strong", "em"]

/** Makes one edit, in one transaction. @param {import("./world.mjs").Shape} shape @param {Editing} editing */
export function randomEdit(shape, editing) {
  editing.doc.transact(() => EDITS[shape](editing))
}

/** @type {Record<import("./world.mjs").Shape, (editing: Editing) => void>} */
const EDITS = {
  text: ({ doc, field, below, word }) => editText(doc.getText(field), { below, word }),
  richText: ({ doc, field, below, word }) => editBlocks(doc.getXmlFragment(field), { below, word }),
  json: ({ doc, field, below, word }) => editMap(doc.getMap(field), { below, word }),
}

/** @typedef {{ below: Below, word: string }} Choice */

/** @param {Y.Text} text @param {Choice} choice */
function editText(text, { below, word }) {
  if (text.length < MIN_LENGTH || below(10) < 6) text.insert(below(text.length + 1), `${word} `)
  else deleteSome(text, below)
}

/** @param {Y.Text} text @param {Below} below */
function deleteSome(text, below) {
  const at = below(text.length)
  text.delete(at, Math.min(text.length - at, 1 + below(MAX_DELETED)))
}

/** @param {Y.XmlFragment} fragment @param {Choice} choice */
function editBlocks(fragment, { below, word }) {
  const dice = below(20)
  if (fragment.length < MIN_BLOCKS || dice < 2) fragment.insert(below(fragment.length + 1), [newBlock({ below, word })])
  else if (dice < 4) fragment.delete(below(fragment.length), 1)
  else editBlock(fragment.get(below(fragment.length)), { below, word })
}

/** @param {Choice} choice */
function newBlock({ below, word }) {
  const block = new Y.XmlElement(below(4) === 0 ? "heading" : "paragraph")
  if (block.nodeName === "heading") block.setAttribute("level", /** @type {any} */ (1 + below(3)))
  block.insert(0, [new Y.XmlText(`${word} in a new block`)])
  return block
}

/** @param {unknown} block @param {Choice} choice */
function editBlock(block, { below, word }) {
  if (!(block instanceof Y.XmlElement)) return
  const text = block.get(0)
  if (!(text instanceof Y.XmlText)) return block.insert(0, [new Y.XmlText(word)])
  if (text.length < MIN_LENGTH || below(10) < 5) return text.insert(below(text.length + 1), `${word} `)
  if (below(2) === 0) return deleteSome(text, below)
  const at = below(text.length)
  const mark = String(MARKS[below(MARKS.length)])
  text.format(at, 1 + below(text.length - at), { [mark]: below(3) === 0 ? null : {} })
}

/** @param {Y.Map<any>} map @param {Choice} choice */
function editMap(map, { below, word }) {
  const key = `key ${below(KEYS)}`
  const value = map.get(key)
  if (value instanceof Y.Map && below(4) > 0) value.set(`inner ${below(KEYS)}`, word)
  else if (value instanceof Y.Array && below(4) > 0) editList(value, { below, word })
  else if (below(8) === 0) map.delete(key)
  else map.set(key, newValue({ below, word }))
}

/** @param {Y.Array<any>} list @param {Choice} choice */
function editList(list, { below, word }) {
  if (list.length > 0 && below(3) === 0) list.delete(below(list.length), 1)
  else list.insert(below(list.length + 1), [below(2) === 0 ? word : below(1_000)])
}

/** @param {Choice} choice */
function newValue({ below, word }) {
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
