import * as Y from "yjs"

// The global function `reportError`, which browsers have and Node does not.
declare const reportError: ((error: unknown) => void) | undefined

/** The errors while an update was applied. */
export interface ApplyErrors {
  /** Yjs could not apply the update. The replica may have a part of it. */
  readonly unreadable: unknown
  /** An observer of the app has thrown an error, after the update was applied. */
  readonly thrown: Error | undefined
}

/** Applies an update of another replica. Never throws. */
export function applyRemote(doc: Y.Doc, update: Uint8Array, origin: unknown): ApplyErrors {
  let unreadable: unknown
  try {
    doc.transact(() => {
      // Observers are called when the outer transaction ends.
      try {
        Y.applyUpdate(doc, update, origin)
      } catch (error) {
        unreadable = error
      }
    }, origin)
    return { unreadable, thrown: undefined }
  } catch (cause) {
    if (typeof reportError === "function") reportError(cause)
    return { unreadable, thrown: new Error("An observer of the document has thrown an error.", { cause }) }
  }
}
