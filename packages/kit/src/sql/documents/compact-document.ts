import type { Statement } from "../../ports/database.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

interface Compaction {
  readonly documentId: string
  /** The number of the newest update in the state that is replaced. */
  readonly fromSeq: number
  /** The number of the newest update in the new state. */
  readonly toSeq: number
  readonly state: Uint8Array
  /** The bytes of everything that the new state replaces. */
  readonly replacedBytes: number
}

// The number of updates that are kept although the state contains them, for processes that read the updates since their
// last read.
const KEPT_UPDATES = 100

/**
 * Replaces a document's state and the updates after it by one state. Does nothing if another process has compacted the
 * document meanwhile. Updates that are appended meanwhile stay as they are.
 */
export function compactDocument(compaction: Compaction): Statement {
  const { documentId, fromSeq, toSeq, state, replacedBytes } = compaction
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set state = $4, state_seq = $3, size = size - $5::bigint + octet_length($4::bytea)
        where id = $1 and state_seq = $2 and value_seq >= $3 returning id
      ) delete from ${DOCUMENT_UPDATES_TABLE} u using _document d where u.document = d.id and u.seq <= $3 - ${KEPT_UPDATES}`,
    values: [documentId, fromSeq, toSeq, state, replacedBytes],
  }
}
