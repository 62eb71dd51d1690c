import type { Statement } from "../../ports/database.ts"
import { appendDocumentChanges } from "./document-changes.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

/** The maximum number of bytes that a document may have with its newest updates. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024

// Deletions may exceed the maximum by this number of bytes, so that a document that is too large can be shortened.
const RESERVED_BYTES = 512 * 1024
// An update begins with the number of the sessions of editors that have added something.
const NOTHING_ADDED = 0

interface NewUpdate {
  readonly update: Uint8Array
  readonly userId: string | null
}

/**
 * Appends updates to a document and announces them to all processes. Returns the number of the last one. Returns no row
 * if the document does not exist, or if it would become too large.
 */
export function appendUpdates(documentId: string, updates: readonly NewUpdate[]): Statement {
  const bytes = updates.reduce((sum, { update }) => sum + update.byteLength, 0)
  const isShortening = updates.every(({ update }) => update[0] === NOTHING_ADDED)
  const maxBytes = MAX_DOCUMENT_BYTES + (isShortening ? RESERVED_BYTES : 0)
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set seq = seq + $2::bigint, size = size + $3::bigint, edited_by = $4, edited_at = now()
        where id = $1 and size + $3::bigint <= ${maxBytes} returning id, seq
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
    ],
    appendsChanges: true,
  }
}

/** Selects a row if the document exists. */
export function selectExistence(documentId: string): Statement {
  return { text: `select 1 from ${DOCUMENTS_TABLE} where id = $1`, values: [documentId] }
}
