import * as Y from "yjs"
import type { DocumentRoot } from "../../../ports/document-codec.ts"
import { ByteReader } from "./byte-reader.ts"
import { checkItems } from "./check-items.ts"
import { Refusal } from "./refusal.ts"
import { readAddedItems, skipDeletions } from "./update-structs.ts"

/**
 * Returns why a client's update is refused; undefined if it is valid. Our own reader goes first: unlike Yjs, it needs
 * memory and time only in proportion to the bytes, whatever they say.
 */
export function checkUpdate(root: DocumentRoot, update: Uint8Array): string | undefined {
  try {
    const reader = new ByteReader(update)
    const items = readAddedItems(reader)
    skipDeletions(reader)
    if (!reader.isAtEnd) return "The update has more bytes than it should."
    checkItems(root, items)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return canBeApplied(update) ? undefined : "The update cannot be applied."
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
