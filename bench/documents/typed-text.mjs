import * as Y from "yjs"
import { randomFrom } from "../search/generated-text.mjs"

const LETTERS = "about the country because during an evening from the garden into just a known house "
// The server limits the requests of each editor.
const EDITORS = 12
// Somebody types about this many letters before they go elsewhere, or somebody else types.
const RUN = { least: 20, more: 40 }
// After half of the runs, some of the letters are deleted again, one by one.
const CORRECTED = { least: 2, more: 14 }

/** @typedef {(bound: number) => number} Below */

/**
 * Yields the updates of a text that some people type, letter by letter, at changing places and with corrections.
 *
 * @param {{ edits: number, inOneUpdate: number }} options  at most so many edits are merged into one update, as a client does
 * @returns {Generator<{ editor: number, edits: number, update: Uint8Array }>} the updates, each of one editor
 */
export function* typedUpdates({ edits, inOneUpdate }) {
  const doc = new Y.Doc()
  /** @type {Uint8Array[]} */
  let made = []
  doc.on("update", (update) => made.push(update))
  const take = (/** @type {number} */ editor) => {
    const taken = { editor, edits: made.length, update: Y.mergeUpdates(made) }
    made = []
    return taken
  }
  let left = edits
  let editor = 0
  for (const edit of typing(doc.getText("body"))) {
    if (made.length > 0 && (doc.clientID !== editor || made.length === inOneUpdate)) yield take(editor)
    editor = doc.clientID
    edit()
    left -= 1
    if (left > 0) continue
    yield take(editor)
    return
  }
}

/** Yields edits of one letter each, without end. @param {Y.Text} text */
function* typing(text) {
  const below = randomFrom(23)
  for (;;) {
    // The edits of a document with another number are those of another editor.
    if (text.doc) text.doc.clientID = 1 + below(EDITORS)
    let at = below(text.length + 1)
    const letters = RUN.least + below(RUN.more)
    for (let typed = 0; typed < letters; typed += 1) yield () => text.insert(at++, letterAt(below))
    const deleted = below(2) * (CORRECTED.least + below(CORRECTED.more))
    for (let count = 0; count < deleted; count += 1) yield () => text.delete(--at, 1)
  }
}

/** @param {Below} below */
function letterAt(below) {
  return LETTERS.charAt(below(LETTERS.length))
}
