import { foldUpdates } from "../../sql/documents/fold-updates.ts"
import type { WholeDocument } from "../../sql/documents/read-documents.ts"
import type { DocumentServices } from "./document-services.ts"
import { allUpdates, readWholeDocument, updatesOfValue } from "./read-document.ts"

const MAX_UPDATES = 500

/**
 * Replaces the updates of a refused value by one, if they have become many. They cannot be compacted into the state,
 * because a change of the record by other means becomes an edit of the document as it was before them. Their authors are
 * kept, for the version that the value becomes when the record accepts it.
 */
export async function foldRefused(services: DocumentServices, documentId: string): Promise<void> {
  const whole = await readWholeDocument(services.database, documentId)
  if (whole === undefined) return
  const folded = unwrittenUpdates(whole)
  const newest = folded.at(-1)
  if (newest === undefined || folded.length <= MAX_UPDATES) return
  const codec = services.codec.of(documentId)
  const { stateVector } = await codec.differenceFrom(updatesOfValue(whole), undefined)
  const { update } = await codec.differenceFrom(allUpdates(whole), stateVector)
  // The last update of each user is kept without its content.
  const lastOfUser = new Map(folded.map(({ userId, seq }) => [userId, seq]))
  await services.database.query(
    foldUpdates({
      documentId,
      valueRev: whole.valueRev,
      toSeq: newest.seq,
      update,
      emptied: [...lastOfUser.values()].filter((seq) => seq !== newest.seq),
      replacedBytes: folded.reduce((sum, { update: bytes }) => sum + bytes.byteLength, 0),
    }),
  )
}

function unwrittenUpdates({ updates, valueSeq }: WholeDocument): WholeDocument["updates"] {
  return updates.filter(({ seq, isOfValue }) => seq > valueSeq && !isOfValue)
}
