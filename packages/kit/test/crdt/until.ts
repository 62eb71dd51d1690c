import type { CollaborativeDocument } from "../../src/crdt.ts"

/** Waits until the document is as the condition says. */
export function until(document: CollaborativeDocument, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!condition()) return
      leave()
      resolve()
    }
    const leave = document.subscribe(check)
    check()
  })
}

/** Waits until the server has acknowledged every edit. */
export function untilSaved(document: CollaborativeDocument): Promise<void> {
  return until(document, () => document.pending === 0)
}
