import { rootOf } from "../../../engine/documents/exact-place.ts"
import type { WholeDocument } from "../../../sql/documents/read-documents.ts"
import { decodeUncompacted, followValue, rememberHash } from "../../../sql/documents/write-value.ts"
import { compact, needsCompaction } from "../compact.ts"
import type { DocumentServices, OpenDocument } from "../document-services.ts"
import { rememberValueNames } from "../names/value-names.ts"
import {
  type FieldValue,
  readFieldValue,
  readPlacedDocument,
  readWholeDocument,
  updatesOfValue,
} from "../read-document.ts"

type ReconcileServices = Pick<DocumentServices, "database" | "codec">

const MAX_TRIES = 5

/**
 * Makes a change of the record by other means an edit of its document. The edit is made on the document as it was when
 * the record had its last known value, so that it merges with what people have typed since. Returns true if the document
 * then has edits that the record lacks.
 */
export async function reconcile(services: ReconcileServices, document: OpenDocument): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await reconcileOnce(services, document)
    if (outcome !== "outpaced") return outcome === "unwritten"
  }
  return false
}

type Outcome = "current" | "unwritten" | "outpaced"

async function reconcileOnce(services: ReconcileServices, { place, id }: OpenDocument): Promise<Outcome> {
  const { database } = services
  const placed = await readPlacedDocument(database, place)
  if (!placed.hasRecord || placed.document?.id !== id || placed.document.isCurrent) return "current"
  // The document is read before the value, so that the edit is refused if the value is one that the document has had
  // written in between.
  const whole = await readWholeDocument(database, id)
  const current = await readFieldValue(database, place)
  if (current === undefined || whole === undefined || whole.valueHash === current.hash) return "current"
  await rememberValueNames(database, { place, id }, current.value)
  const edit = await services.codec.of(id).edit(rootOf(place), updatesOfValue(whole), current.value)
  if (!(await storeEdit(services, { id, whole, current, edit }))) return "outpaced"
  return whole.seq > whole.valueSeq ? "unwritten" : "current"
}

interface NewEdit {
  readonly id: string
  readonly whole: WholeDocument
  readonly current: FieldValue
  readonly edit: Uint8Array | undefined
}

async function storeEdit(services: ReconcileServices, { id, whole, current, edit }: NewEdit): Promise<boolean> {
  const { database } = services
  const { valueRev, valueSeq } = whole
  const known = { documentId: id, valueRev, valueSeq, hash: current.hash }
  if (edit === undefined) return (await database.query(rememberHash(known))).rows.length > 0
  const made = { update: edit, clients: await services.codec.clientsOf(edit) }
  const { rows } = await database.query(followValue(known, made))
  const [row] = rows
  if (row && needsCompaction(decodeUncompacted(row))) await compact(services, id)
  return row !== undefined
}
