import type { Statement } from "../../ports/database.ts"
import { appendDocumentChanges } from "./document-changes.ts"
import { type DocumentClients, storeClients } from "./document-clients.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

/** The maximum number of bytes that a document may have with its newest updates. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024

// Deletions may exceed the maximum by this number of bytes, so that a document that is too large can be shortened.
const RESERVED_BYTES = 512 * 1024
// An update begins with the number of the sessions of editors that have added something.
const NOTHING_ADDED = 0

/** An update that is to be appended. */
export interface NewUpdate {
  readonly update: Uint8Array
  readonly userId: string | null
}

/** Updates that fit to the document as it was with its update `seq`, and its clients with them. */
interface FittingUpdates {
  readonly seq: number
  readonly updates: readonly NewUpdate[]
  /** The clients that the updates change. */
  readonly clients: DocumentClients
}

/**
 * Appends updates to a document and announces them to all processes. Returns the number of the last one. Returns no row
 * if the document does not exist, if another update was appended meanwhile, or if it would become too large.
 */
export function appendUpdates(documentId: string, { seq, updates, clients }: FittingUpdates): Statement {
  const stored = storeClients(clients, "_document", 8)
  const bytes = updates.reduce((sum, { update }) => sum + update.byteLength, 0)
  const isShortening = updates.every(({ update }) => update[0] === NOTHING_ADDED)
  const maxBytes = MAX_DOCUMENT_BYTES + (isShortening ? RESERVED_BYTES : 0)
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set seq = seq + $2::bigint, size = size + $3::bigint, edited_by = $4, edited_at = now()
        where id = $1 and seq = $7 and size + $3::bigint <= ${maxBytes} returning id, seq
      ), _clients as (${stored.text}
      ), _stored as (
        insert into ${DOCUMENT_UPDATES_TABLE} (document, seq, update, user_id)
        select d.id, d.seq - $2::bigint + u.place, u.bytes, u.user_id
        from _document d, unnest($5::bytea[], $6::text[]) with ordinality u (bytes, user_id, place)
      ), _noted as (${appendDocumentChanges("_document")})
      select seq::text from _document`,
    values: [
      documentId,
      updates.length,
      bytes,
      updates.at(-1)?.userId ?? null,
      updates.map(({ update }) => Buffer.from(update.buffer, update.byteOffset, update.byteLength)),
      updates.map(({ userId }) => userId),
      seq,
      ...stored.values,
    ],
    appendsChanges: true,
  }
}
