import type { Statement } from "../../ports/database.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

interface Folding {
  readonly documentId: string
  readonly valueRev: number
  /** The number of the newest update that is folded. */
  readonly toSeq: number
  /** The update that replaces the folded ones. It gets the number of the newest. */
  readonly update: Uint8Array
  /** The numbers of the updates whose users are kept. Each of these updates becomes empty. */
  readonly emptied: readonly number[]
  readonly replacedBytes: number
}

/** An update of Yjs without content: no structs, and no deletions. */
export const EMPTY_UPDATE = "'\\x0000'::bytea"
export const EMPTY_BYTES = 2

/**
 * Replaces the updates that the record's value does not contain by one. Does nothing if the document's value has changed
 * in the meantime. Updates that are appended meanwhile stay as they are.
 */
export function foldUpdates({ documentId, valueRev, toSeq, update, emptied, replacedBytes }: Folding): Statement {
  const isFolded = "u.document = d.id and u.seq > d.value_seq and u.seq <= $3 and not u.is_of_value"
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set value_rev = value_rev + 1,
          size = size - $5::bigint + octet_length($4::bytea) + cardinality($6::bigint[]) * ${EMPTY_BYTES}
        where id = $1 and value_rev = $2 returning id, value_seq
      ), _deleted as (
        delete from ${DOCUMENT_UPDATES_TABLE} u using _document d
        where ${isFolded} and u.seq <> $3 and u.seq <> all($6::bigint[])
      ) update ${DOCUMENT_UPDATES_TABLE} u set update = case when u.seq = $3 then $4::bytea else ${EMPTY_UPDATE} end
      from _document d where ${isFolded} and (u.seq = $3 or u.seq = any($6::bigint[]))`,
    values: [documentId, valueRev, toSeq, update, replacedBytes, emptied],
  }
}
