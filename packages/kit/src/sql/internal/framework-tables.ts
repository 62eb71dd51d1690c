/** Values under keys. Their driver writes and reads them; after a crash of the database they are gone. */
const CREATE_KEY_VALUES = `create unlogged table if not exists "_kit_kv" (
  key text collate "C" primary key,
  value json not null,
  expires_at timestamptz(3)
)`

// Only what expires is ever looked for by its end.
const CREATE_KEY_VALUES_INDEX = `create index if not exists "_kit_kv.expires_at" on "_kit_kv" (expires_at)
  where expires_at is not null`

/** Mail that is kept to be looked at. */
const CREATE_MAIL = `create table if not exists "_kit_mail" (
  id bigint generated always as identity primary key,
  "from" text not null,
  "to" text[] not null,
  reply_to text,
  subject text not null,
  html text not null,
  text text not null,
  created_at timestamptz(3) not null
)`

/** Files that may have no record: one is about to be stored, or has just been deleted. */
const CREATE_LOOSE_FILES = `create table if not exists "_kit_files" (
  key text collate "C" primary key,
  noted_at timestamptz(3) not null
)`

/** How much of their limits callers have used who may be guessing: by slot, when all of it will have been given back. */
const CREATE_TRIES = `create unlogged table if not exists "_kit_tries" (
  slot integer primary key,
  free_at_ms bigint not null
)`

/** Makes the tables of the framework's own drivers ready for a start; no snapshot of an app's schema knows of them. */
export const PREPARE_FRAMEWORK_TABLES: readonly string[] = [
  CREATE_KEY_VALUES,
  CREATE_KEY_VALUES_INDEX,
  CREATE_MAIL,
  CREATE_LOOSE_FILES,
  CREATE_TRIES,
]
