import type { RowValues, Statement } from "../../ports/database.ts"
import { appendDocumentChanges } from "./document-changes.ts"
import {
  DOCUMENT_CLIENTS_TABLE,
  DOCUMENT_UPDATES_TABLE,
  DOCUMENTS_TABLE,
  SERVER_OWNER,
  SET_ASIDE_TABLE,
} from "./document-tables.ts"
import { EMPTY_BYTES, EMPTY_UPDATE } from "./fold-updates.ts"

/** The parts of a document that cannot be loaded. */
export interface BrokenParts {
  readonly documentId: string
  /** The numbers of the updates. */
  readonly updates: readonly number[]
  /** True if the compacted state cannot be loaded. */
  readonly isStateBroken: boolean
  readonly reason: string
}

/** Keeps the bytes of what cannot be loaded. */
export function keepBroken({ documentId, updates, isStateBroken, reason }: BrokenParts): Statement {
  return {
    text: `insert into ${SET_ASIDE_TABLE} (document, seq, update, user_id, reason)
      select id, state_seq, state, null, $4 from ${DOCUMENTS_TABLE} where id = $1 and $3
      union all
      select document, seq, update, user_id, $4 from ${DOCUMENT_UPDATES_TABLE} where document = $1 and seq = any($2::bigint[])`,
    values: [documentId, updates, isStateBroken, reason],
  }
}

/** Empties the updates whose bytes are kept elsewhere. Their numbers stay, because these have no gaps. */
export function emptyBroken({ documentId, updates }: BrokenParts): Statement {
  return {
    text: `update ${DOCUMENT_UPDATES_TABLE} set update = ${EMPTY_UPDATE} where document = $1 and seq = any($2::bigint[])`,
    values: [documentId, updates],
  }
}

/**
 * Stores how far the clients of a document go. The numbers of a client that went further, with what was set aside, are
 * not used again.
 */
export function resetClients(documentId: string, clocks: ReadonlyMap<number, number>): Statement {
  return {
    text: `with _kept as (
        insert into ${DOCUMENT_CLIENTS_TABLE} as c (document, client, clock, owner)
        select $1, k.client, k.clock, null from unnest($2::bigint[], $3::bigint[]) k (client, clock)
        on conflict (document, client) do update set clock = excluded.clock,
          owner = case when c.clock > excluded.clock then '${SERVER_OWNER}' else c.owner end
      ) update ${DOCUMENT_CLIENTS_TABLE} set clock = 0, owner = '${SERVER_OWNER}'
      where document = $1 and client <> all($2::bigint[])`,
    values: [documentId, [...clocks.keys()], [...clocks.values()]],
  }
}

/**
 * Gives a document another id, so that replicas with what was set aside are not merged with it, and announces that the
 * former document is gone. Returns the new id. Without its state, the document gets the record's value as an edit.
 */
export function resetDocument(
  { documentId, updates, isStateBroken }: BrokenParts,
  { brokenBytes, problem }: { readonly brokenBytes: number; readonly problem: string },
): Statement {
  const emptied = updates.length + (isStateBroken ? 1 : 0)
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set id = gen_random_uuid(), has_clients = true, value_rev = value_rev + 1,
          size = size - $2::bigint + ${emptied * EMPTY_BYTES}, edited_at = coalesce(edited_at, now()), problem = $4,
          state = case when $3 then ${EMPTY_UPDATE} else state end,
          value_hash = case when $3 then 'set aside' else value_hash end
        where id = $1::uuid returning id, seq
      ), _noted as (
        ${appendDocumentChanges("(select $1::uuid as id, seq from _document) d")}
      ) select id from _document`,
    values: [documentId, brokenBytes, isStateBroken, problem],
    appendsChanges: true,
  }
}

/** Stores a problem of a document, which its editors see until the record accepts another value. */
export function showProblem(documentId: string, problem: string): Statement {
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set problem = $2, value_rev = value_rev + 1 where id = $1 returning id, seq
      ) ${appendDocumentChanges("_document")}`,
    values: [documentId, problem],
    appendsChanges: true,
  }
}

/** Selects the names of the place to which a document belongs. */
export function selectPlaceNames(documentId: string): Statement {
  return {
    text: `select resource_kind, resource, record, field, locale from ${DOCUMENTS_TABLE} where id = $1`,
    values: [documentId],
  }
}

export function decodePlaceNames(
  row: RowValues,
): Record<"kind" | "resource" | "recordId" | "field" | "locale", string> {
  const [kind = "", resource = "", recordId = "", field = "", locale = ""] = row.map(String)
  return { kind, resource, recordId, field, locale }
}
