import type { RowValues, Statement } from "../../ports/database.ts"
import { DOCUMENT_CLIENTS_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

/** A client of Yjs in a document: the number that it uses next, and the user whose numbers they are. */
export interface DocumentClient {
  readonly clock: number
  /** Null if anybody may go on with the numbers. */
  readonly owner: string | null
}

export type DocumentClients = ReadonlyMap<number, DocumentClient>

/** The clients of a document as they were with its update `seq`. */
export interface ClientsAt {
  readonly seq: number
  /** Undefined if they have not been counted yet. */
  readonly clients: DocumentClients | undefined
}

/** Locks a document until the transaction ends, so that nothing is appended meanwhile. */
export function lockDocument(documentId: string): Statement {
  return { text: `select 1 from ${DOCUMENTS_TABLE} where id = $1 for update`, values: [documentId] }
}

export function selectClients(documentId: string): Statement {
  return {
    text: `select d.seq::text, d.has_clients, c.client::text, c.clock::text, c.owner from ${DOCUMENTS_TABLE} d
      left join ${DOCUMENT_CLIENTS_TABLE} c on c.document = d.id where d.id = $1`,
    values: [documentId],
  }
}

/** Returns undefined if the document does not exist. */
export function decodeClients(rows: readonly RowValues[]): ClientsAt | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const [seq, hasClients] = first
  const entries = rows.flatMap(([, , client, clock, owner]) =>
    client === null
      ? []
      : [[Number(client), { clock: Number(clock), owner: owner === null ? null : String(owner) }] as const],
  )
  return { seq: Number(seq), clients: hasClients === true ? new Map(entries) : undefined }
}

/**
 * Returns the SQL that stores clients of the document in `source`, a query for a row with `id`, and the values of its
 * parameters, the first of which has the number `first`.
 */
export function storeClients(
  clients: DocumentClients,
  source: string,
  first: number,
): { readonly text: string; readonly values: readonly unknown[] } {
  const all = [...clients]
  const lists = `$${first}::bigint[], $${first + 1}::bigint[], $${first + 2}::text[]`
  return {
    text: `insert into ${DOCUMENT_CLIENTS_TABLE} (document, client, clock, owner)
      select d.id, c.client, c.clock, c.owner from ${source} d, unnest(${lists}) c (client, clock, owner)
      on conflict (document, client) do update set clock = excluded.clock, owner = excluded.owner`,
    values: [all.map(([client]) => client), all.map(([, { clock }]) => clock), all.map(([, { owner }]) => owner)],
  }
}

/** Stores the clients of a document that have not been counted yet, unless something was appended meanwhile. */
export function countClients(documentId: string, seq: number, clients: DocumentClients): Statement {
  const stored = storeClients(clients, "_document", 3)
  return {
    text: `with _document as (
        update ${DOCUMENTS_TABLE} set has_clients = true where id = $1 and seq = $2 and not has_clients returning id
      ) ${stored.text}`,
    values: [documentId, seq, ...stored.values],
  }
}
