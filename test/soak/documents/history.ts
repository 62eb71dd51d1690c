// The updates of the editors, and the check that a document contains them.
import * as Y from "yjs"

/** The updates of one document. An update is acknowledged, or its outcome is unknown. */
export class History {
  /** Made by an editor. */
  made: Uint8Array[] = []
  acknowledged: Uint8Array[] = []

  /** Returns how many acknowledged updates the document lacks: some of what they inserted, or of what they deleted. */
  countLost(doc: Y.Doc) {
    const snapshot = Y.snapshot(doc)
    return this.acknowledged.filter((update) => !Y.snapshotContainsUpdate(snapshot, update)).length
  }

  /**
   * Returns how many clients inserted more into the document than the editors made, and whether more was deleted.
   * `first` is the document as the server made it.
   */
  countInvented(doc: Y.Doc, first: Uint8Array) {
    const model = new Y.Doc()
    for (const update of [first, ...this.made]) Y.applyUpdate(model, update)
    const [has, had] = [Y.snapshot(doc), Y.snapshot(model)]
    const inserted = [...has.sv].filter(([client, clock]) => clock > (had.sv.get(client) ?? 0)).length
    const isMoreDeleted = !Y.equalDeleteSets(had.ds, Y.mergeDeleteSets([had.ds, has.ds]))
    return inserted + (isMoreDeleted ? 1 : 0)
  }
}

/** True if the documents have the same insertions and deletions. */
export function isSameDocument(one: Y.Doc, other: Y.Doc): boolean {
  return Y.equalSnapshots(Y.snapshot(one), Y.snapshot(other))
}
