import { quote } from "../text/fragment.ts"
import { createOwnIndex } from "../text/own-index.ts"

export const DOCUMENTS_TABLE = quote("_kit_documents")
export const DOCUMENT_UPDATES_TABLE = quote("_kit_document_updates")
export const DOCUMENT_CLIENTS_TABLE = quote("_kit_document_clients")
export const SET_ASIDE_TABLE = quote("_kit_document_set_aside")

/** The owner of the numbers with which the server's own edits are made. No user has an empty id. */
export const SERVER_OWNER = ""

const OF_DOCUMENT = `foreign key (document) references ${DOCUMENTS_TABLE} (id) on delete cascade on update cascade`
const UPDATES_KEY = quote("_kit_document_updates_document_fkey")

// A document that was made before its clients were counted gets them when it is first used.
const COUNT_CLIENTS_OF_OLDER_DOCUMENTS = `do $$ begin
  if not exists (select from pg_attribute where attrelid = '${DOCUMENTS_TABLE}'::regclass and attname = 'has_clients') then
    alter table ${DOCUMENTS_TABLE} add column has_clients boolean not null default false;
    alter table ${DOCUMENT_UPDATES_TABLE} drop constraint if exists ${UPDATES_KEY},
      add constraint ${UPDATES_KEY} ${OF_DOCUMENT};
  end if;
end $$`

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
 *
 * The clients of a document are its state vector: of each client of Yjs (a session of an editor) the number that it uses
 * next, and the user who has used its numbers first. `owner` is null if nobody was signed in, or if it is not known. A
 * document whose clients have not been counted has no `has_clients`. What cannot be loaded is set aside: its bytes are
 * kept, and the document has nothing in their place. Its id then changes, so that older replicas are not merged with it.
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
  has_clients boolean not null default false,
  unique (resource_kind, resource, record, field, locale)
) with (fillfactor = 50)`,
  // Finds the documents whose value a crashed process has not written.
  createOwnIndex("_kit_documents.unwritten", `${DOCUMENTS_TABLE} (edited_at) where seq > value_seq`),
  `create table if not exists ${DOCUMENT_UPDATES_TABLE} (
  document uuid not null,
  seq bigint not null,
  update bytea not null,
  user_id text,
  is_of_value boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (document, seq),
  constraint ${UPDATES_KEY} ${OF_DOCUMENT}
)`,
  COUNT_CLIENTS_OF_OLDER_DOCUMENTS,
  `create table if not exists ${DOCUMENT_CLIENTS_TABLE} (
  document uuid not null,
  client bigint not null,
  clock bigint not null,
  owner text,
  primary key (document, client),
  ${OF_DOCUMENT}
) with (fillfactor = 50)`,
  `create table if not exists ${SET_ASIDE_TABLE} (
  id bigint generated always as identity primary key,
  document uuid not null,
  seq bigint not null,
  update bytea not null,
  user_id text,
  reason text not null,
  created_at timestamptz not null default now(),
  ${OF_DOCUMENT}
)`,
]
