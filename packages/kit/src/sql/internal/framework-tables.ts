import { createOwnIndex } from "../text/own-index.ts"
import { CREATE_SLOW_READS } from "./slow-reads.ts"

/** The table of the key-value driver. It is unlogged, so a crash of the database empties it. */
const CREATE_KEY_VALUES = `create unlogged table if not exists "_kit_kv" (
  key text collate "C" primary key,
  value json not null,
  expires_at timestamptz(3)
)`

// The index covers only the values that expire, because no others are searched by expiry time.
const CREATE_KEY_VALUES_INDEX = createOwnIndex(
  "_kit_kv.expires_at",
  `"_kit_kv" (expires_at) where expires_at is not null`,
)

/** The table of mails that are stored for inspection. */
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

/**
 * The table of files that may not belong to a record: they are about to be stored, or their record was just deleted.
 */
const CREATE_LOOSE_FILES = `create table if not exists "_kit_files" (
  key text collate "C" primary key,
  stored_at timestamptz(3) not null
)`

/**
 * The table of rate limits for attempts that may be guesses, such as sign-ins. Each row holds the time at which its
 * limit is unused again, so that all attempts are available.
 */
const CREATE_TRIES = `create unlogged table if not exists "_kit_tries" (
  slot integer primary key,
  free_at_ms bigint not null
)`

/**
 * Creates the tables of the framework's own drivers when an app starts. The app's schema snapshots do not include these
 * tables.
 */
export const PREPARE_FRAMEWORK_TABLES: readonly string[] = [
  CREATE_KEY_VALUES,
  CREATE_KEY_VALUES_INDEX,
  CREATE_MAIL,
  CREATE_LOOSE_FILES,
  CREATE_TRIES,
  CREATE_SLOW_READS,
]
