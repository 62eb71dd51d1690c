import { rootOf } from "../../../engine/documents/exact-place.ts"
import type { WholeDocument } from "../../../sql/documents/read-documents.ts"
import { followValue, rememberHash } from "../../../sql/documents/write-value.ts"
import type { DocumentServices, OpenDocument } from "../document-services.ts"
import {
  type FieldValue,
  readFieldValue,
  readPlacedDocument,
  readWholeDocument,
  updatesOfValue,
} from "../read-document.ts"

const MAX_TRIES = 5

/**
 * Makes a change of the record by other means an edit of its document. The edit is made on the document as it was when
 * the record had its last known value, so that it merges with what people have typed since. Returns true if the document
 * then has edits that the record lacks.
 */
export async function reconcile(services: DocumentServices, document: OpenDocument): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await reconcileOnce(services, document)
    if (outcome !== "outpaced") return outcome === "unwritten"
  }
  return false
}

type Outcome = "current" | "unwritten" | "outpaced"

async function reconcileOnce(services: DocumentServices, { place, id }: OpenDocument): Promise<Outcome> {
  const { database } = services
  const placed = await readPlacedDocument(database, place)
  if (!placed.hasRecord || placed.document?.id !== id || placed.document.isCurrent) return "current"
  const current = await readFieldValue(database, place)
  const whole = await readWholeDocument(database, id)
  if (current === undefined || whole === undefined || whole.valueHash === current.hash) return "current"
  const edit = await services.codec.edit(rootOf(place), updatesOfValue(whole), current.value)
  if (!(await storeEdit(services, { id, whole, current, edit }))) return "outpaced"
  return whole.seq > whole.valueSeq ? "unwritten" : "current"
}

interface NewEdit {
  readonly id: string
  readonly whole: WholeDocument
  readonly current: FieldValue
  readonly edit: Uint8Array | undefined
}

async function storeEdit({ database }: DocumentServices, { id, whole, current, edit }: NewEdit): Promise<boolean> {
  const { valueRev, valueSeq } = whole
  const known = { documentId: id, valueRev, valueSeq, hash: current.hash }
  const { rows } = await database.query(edit ? followValue(known, edit) : rememberHash(known))
  return rows.length > 0
}
