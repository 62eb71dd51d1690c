import { quote } from "../text/fragment.ts"

export const DOCUMENTS_TABLE = quote("_kit_documents")
export const DOCUMENT_UPDATES_TABLE = quote("_kit_document_updates")

/**
 * The tables of collaborative documents. A document has one row, and one row for each update since `state`, the
 * compacted updates up to the number `state_seq`. An append locks the document's row until its transaction commits, so
 * the numbers of a document's updates have no gaps and are in commit order. `size` is the number of bytes of the state
 * and the updates after it. `locale` is empty if the field is not localized.
 *
 * The record's value contains the updates up to `value_seq`, and those with `is_of_value`, which the server has made
 * from a value that was written by other means. `value_hash` is the hash of that value, by which a change of the record
 * is noticed. `value_rev` rises with each of these columns, so that of two concurrent writers one notices the other.
 * `problem` is the reason why the record refuses the value, which was last tried with the updates up to `refused_seq`.
 */
export const PREPARE_DOCUMENTS: readonly string[] = [
  `create table if not exists ${DOCUMENTS_TABLE} (
  id uuid primary key default gen_random_uuid(),
  resource_kind text not null,
  resource text not null,
  record text not null,
  field text not null,
  locale text not null,
  seq bigint not null default 0,
  state bytea not null,
  state_seq bigint not null default 0,
  size bigint not null,
  value_seq bigint not null default 0,
  value_hash text not null,
  value_rev bigint not null default 0,
  edited_by text,
  edited_at timestamptz,
  problem text,
  refused_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  unique (resource_kind, resource, record, field, locale)
) with (fillfactor = 50)`,
  // Finds the documents whose value a crashed process has not written.
  `create index if not exists "_kit_documents.unwritten" on ${DOCUMENTS_TABLE} (edited_at) where seq > value_seq`,
  `create table if not exists ${DOCUMENT_UPDATES_TABLE} (
  document uuid not null references ${DOCUMENTS_TABLE} (id) on delete cascade,
  seq bigint not null,
  update bytea not null,
  user_id text,
  is_of_value boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (document, seq)
)`,
]
