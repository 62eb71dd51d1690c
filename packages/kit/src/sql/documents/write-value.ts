import type { RowValues, Statement } from "../../ports/database.ts"
import { appendDocumentChanges } from "./document-changes.ts"
import { type DocumentClients, storeClients } from "./document-clients.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

/** The value of a record, as its document is to know it. */
interface KnownValue {
  readonly documentId: string
  /** The `value_rev` on which the caller's decision rests. */
  readonly valueRev: number
  /** The number up to which the value contains the document's updates. */
  readonly valueSeq: number
  readonly hash: string
}

/** The updates that have been stored since a document's state. */
export interface Uncompacted {
  readonly updates: number
  readonly bytes: number
}

// The columns of `Uncompacted`.
const UNCOMPACTED = `(value_seq - state_seq)::text, (size - octet_length(state))::text`

export function decodeUncompacted([updates, bytes]: RowValues): Uncompacted {
  return { updates: Number(updates), bytes: Number(bytes) }
}

/**
 * Stores that the record has a value with the document's updates up to a number, which solves its problem. Returns the
 * number and the bytes of the updates since the last compaction. Returns no row if another writer was faster.
 */
export function acceptValue(known: KnownValue, hadProblem: boolean): Statement {
  const { documentId, valueRev, valueSeq, hash } = known
  const noted = hadProblem ? `, _noted as (${appendDocumentChanges("_document")})` : ""
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set value_seq = $3, value_hash = $4, value_rev = value_rev + 1, problem = null
        where id = $1 and value_rev = $2 returning *
      )${noted} select ${UNCOMPACTED} from _document`,
    values: [documentId, valueRev, valueSeq, hash],
    ...(hadProblem && { appendsChanges: true }),
  }
}

/** An edit that the server has made, and its clients. */
interface ServerEdit {
  readonly update: Uint8Array
  readonly clients: DocumentClients
}

/**
 * Stores that the record has a value other than the document's, and appends the edit after which the document contains
 * the change. Returns the same as `acceptValue`, and leaves the problem as it is.
 */
export function followValue({ documentId, valueRev, valueSeq, hash }: KnownValue, edit: ServerEdit): Statement {
  const stored = storeClients(edit.clients, "_document", 6)
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set seq = seq + 1, size = size + octet_length($5::bytea), value_rev = value_rev + 1,
          value_seq = case when seq = $3 then seq + 1 else $3 end, value_hash = $4
        where id = $1 and value_rev = $2 returning *
      ), _stored as (
        insert into ${DOCUMENT_UPDATES_TABLE} (document, seq, update, is_of_value) select id, seq, $5, true from _document
      ), _clients as (${stored.text}
      ), _noted as (${appendDocumentChanges("_document")})
      select ${UNCOMPACTED} from _document`,
    values: [documentId, valueRev, valueSeq, hash, edit.update, ...stored.values],
    appendsChanges: true,
  }
}

interface RefusedValue {
  readonly documentId: string
  readonly valueRev: number
  /** The number of the newest update in the refused value. */
  readonly seq: number
  readonly problem: string
}

/** Stores why the record refuses the document's value, and announces it to all processes. */
export function refuseValue({ documentId, valueRev, seq, problem }: RefusedValue): Statement {
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set problem = $4, refused_seq = $3, value_rev = value_rev + 1
        where id = $1 and value_rev = $2 returning id, seq
      ) ${appendDocumentChanges("_document")}`,
    values: [documentId, valueRev, seq, problem],
    appendsChanges: true,
  }
}

/**
 * Stores that the document's value cannot be written as long as the record does not exist, or is soft-deleted. So it is
 * not tried again and again.
 */
export function setAside({ documentId, valueRev, seq }: Omit<RefusedValue, "problem">): Statement {
  return {
    text: `update ${DOCUMENTS_TABLE} set refused_seq = $3 where id = $1 and value_rev = $2`,
    values: [documentId, valueRev, seq],
  }
}

/** Stores that the record's value has another hash, although the document contains the value. Returns its id. */
export function rememberHash({ documentId, valueRev, hash }: Omit<KnownValue, "valueSeq">): Statement {
  return {
    text: `update ${DOCUMENTS_TABLE} set value_hash = $3, value_rev = value_rev + 1
      where id = $1 and value_rev = $2 returning id`,
    values: [documentId, valueRev, hash],
  }
}
