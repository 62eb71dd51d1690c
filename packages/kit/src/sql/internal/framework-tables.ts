/** Values under keys, for the key-value driver. The table is unlogged: a crash of the database empties it. */
const CREATE_KEY_VALUES = `create unlogged table if not exists "_kit_kv" (
  key text collate "C" primary key,
  value json not null,
  expires_at timestamptz(3)
)`

// Only values that expire are searched by expiry time.
const CREATE_KEY_VALUES_INDEX = `create index if not exists "_kit_kv.expires_at" on "_kit_kv" (expires_at)
  where expires_at is not null`

/** Mails that are stored for inspection. */
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

/** Files that may not have a record: about to be stored, or just deleted. */
const CREATE_LOOSE_FILES = `create table if not exists "_kit_files" (
  key text collate "C" primary key,
  stored_at timestamptz(3) not null
)`

/** Rate limits for attempts that may be guesses: by slot, the time at which all attempts are available again. */
const CREATE_TRIES = `create unlogged table if not exists "_kit_tries" (
  slot integer primary key,
  free_at_ms bigint not null
)`

/** Creates the tables of the framework's own drivers at startup. Snapshots of an app's schema do not include them. */
export const PREPARE_FRAMEWORK_TABLES: readonly string[] = [
  CREATE_KEY_VALUES,
  CREATE_KEY_VALUES_INDEX,
  CREATE_MAIL,
  CREATE_LOOSE_FILES,
  CREATE_TRIES,
]
