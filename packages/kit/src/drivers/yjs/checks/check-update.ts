import * as Y from "yjs"
import type { CheckedUpdate, DocumentRoot } from "../../../ports/document-codec.ts"
import { ByteReader } from "./byte-reader.ts"
import { checkItems } from "./check-items.ts"
import { Refusal } from "./refusal.ts"
import { type AddedItem, readAddedItems, skipDeletions } from "./update-structs.ts"

// More than any editor has.
const MAX_NAMES = 500
const MAX_NAME_CHARACTERS = 200

/**
 * Returns why a client's update is refused, or what it does to names. Our own reader goes first: unlike Yjs, it needs
 * memory and time only in proportion to the bytes, whatever they say.
 */
export function checkUpdate(root: DocumentRoot, update: Uint8Array): CheckedUpdate {
  try {
    const reader = new ByteReader(update)
    const items = readAddedItems(reader)
    const deletes = skipDeletions(reader)
    if (!reader.isAtEnd) return { refusal: "The update has more bytes than it should." }
    checkItems(root, items)
    if (!canBeApplied(update)) return { refusal: "The update cannot be applied." }
    const added = root.shape === "richText" ? addedNames(items) : []
    return { added, removes: deletes || items.some(({ isEnd = false }) => isEnd) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}

function addedNames(items: readonly AddedItem[]): readonly string[] {
  const names = new Set(items.flatMap(({ name = [] }) => name))
  if (names.size > MAX_NAMES) throw new Refusal(`The update has more than ${MAX_NAMES} names of nodes and marks.`)
  const long = [...names].find(({ length }) => length > MAX_NAME_CHARACTERS)
  if (long !== undefined) throw new Refusal("The update has a name of a node or mark that is too long.")
  return [...names]
}

// The parts that depend on other updates cannot be tried here.
function canBeApplied(update: Uint8Array): boolean {
  try {
    Y.applyUpdate(new Y.Doc(), update)
    return true
  } catch {
    return false
  }
}
