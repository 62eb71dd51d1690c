// The updates of the editors, and the check that a document contains them.
import * as Y from "yjs"

/** The updates of one document. An update is acknowledged, or its outcome is unknown. */
export class History {
  /** @type {Uint8Array[]} made by an editor */
  made = []
  /** @type {Uint8Array[]} */
  acknowledged = []

  /**
   * Returns how many acknowledged updates the document lacks: some of what they inserted, or of what they deleted.
   *
   * @param {Y.Doc} doc
   */
  countLost(doc) {
    const snapshot = Y.snapshot(doc)
    return this.acknowledged.filter((update) => !Y.snapshotContainsUpdate(snapshot, update)).length
  }

  /**
   * Returns how many clients inserted more into the document than the editors made, and whether more was deleted.
   * `first` is the document as the server made it.
   *
   * @param {Y.Doc} doc
   * @param {Uint8Array} first
   */
  countInvented(doc, first) {
    const model = new Y.Doc()
    for (const update of [first, ...this.made]) Y.applyUpdate(model, update)
    const [has, had] = [Y.snapshot(doc), Y.snapshot(model)]
    const inserted = [...has.sv].filter(([client, clock]) => clock > (had.sv.get(client) ?? 0)).length
    const isMoreDeleted = !Y.equalDeleteSets(had.ds, Y.mergeDeleteSets([had.ds, has.ds]))
    return inserted + (isMoreDeleted ? 1 : 0)
  }
}

/** True if the documents have the same insertions and deletions. @param {Y.Doc} one @param {Y.Doc} other */
export function isSameDocument(one, other) {
  return Y.equalSnapshots(Y.snapshot(one), Y.snapshot(other))
}
