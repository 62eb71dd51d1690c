import { compactDocument } from "../../sql/documents/compact-document.ts"
import type { Uncompacted } from "../../sql/documents/write-value.ts"
import type { DocumentServices } from "./document-services.ts"
import { readWholeDocument } from "./read-document.ts"

const MAX_UPDATES = 200
const MAX_BYTES = 128 * 1024

/** True if a document has so many updates since its state that reading it takes longer than it should. */
export function needsCompaction({ updates, bytes }: Uncompacted): boolean {
  return updates > MAX_UPDATES || (updates > 0 && bytes > MAX_BYTES)
}

/**
 * Compacts the updates that the record's value contains. Returns false if there are none. The updates after them are kept
 * one by one: a change of the record by other means becomes an edit of the document as it was before them.
 */
export async function compact(
  { database, codec }: Pick<DocumentServices, "database" | "codec">,
  documentId: string,
): Promise<boolean> {
  const whole = await readWholeDocument(database, documentId)
  if (whole === undefined || whole.valueSeq <= whole.stateSeq) return false
  const replaced = [
    whole.state,
    ...whole.updates.filter(({ seq }) => seq <= whole.valueSeq).map(({ update }) => update),
  ]
  const state = await codec.of(documentId).compact(replaced)
  const replacedBytes = replaced.reduce((sum, { byteLength }) => sum + byteLength, 0)
  await database.query(
    compactDocument({ documentId, fromSeq: whole.stateSeq, toSeq: whole.valueSeq, state, replacedBytes }),
  )
  return true
}
