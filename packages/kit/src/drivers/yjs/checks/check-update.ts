import * as Y from "yjs"
import type { DocumentRoot } from "../../../ports/document-codec.ts"

/** Returns why a client's update is refused; undefined if it is valid. */
export function checkUpdate(_root: DocumentRoot, update: Uint8Array): string | undefined {
  try {
    Y.decodeUpdate(update)
  } catch {
    return "The update cannot be decoded."
  }
  return undefined
}
