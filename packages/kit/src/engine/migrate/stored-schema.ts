import type { Connection, Database, Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import { PREPARE_CHANGES } from "../../sql/changes/changes.ts"
import { PREPARE_DOCUMENT_NAMES } from "../../sql/documents/document-names.ts"
import { PREPARE_DOCUMENTS } from "../../sql/documents/document-tables.ts"
import { PREPARE_DOCUMENTS_FUNCTION } from "../../sql/documents/document-trigger.ts"
import { PREPARE_CHANNELS } from "../../sql/internal/channel-tables.ts"
import { PREPARE_FRAMEWORK_TABLES } from "../../sql/internal/framework-tables.ts"
import { PREPARE_FRAMEWORK_VERSION } from "../../sql/internal/framework-version.ts"
import { PREPARE_JOBS } from "../../sql/internal/job-tables.ts"
import { PREPARE_REFERENCES } from "../../sql/references/reference-table.ts"
import { PREPARE_SEARCH_QUEUE } from "../../sql/search/queue.ts"
import { PREPARE_VECTOR_FUNCTION } from "../../sql/search/search-vector.ts"
import { PREPARE_SEARCH_STATE } from "../../sql/search/state.ts"
import { PREPARE_SEARCH_WORDS } from "../../sql/search/vocabulary/words.ts"
import { PREPARE_PENDING_TRANSITIONS } from "../../sql/stages/pending-transitions.ts"
import { readSnapshot, type SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import { PREPARE_VERSIONS } from "../../sql/versions/version-table.ts"
import { retryWhileLocked } from "./retry-while-locked.ts"
import { SchemaMismatchError } from "./schema-mismatch.ts"
import { explainUnusableDatabase, REFUSE_UNUSABLE_DATABASE } from "./unusable-database.ts"

/** The row of `_kit_schema`: the tables after their last change, and whether a sync or a migration made that change. */
interface StoredSchema {
  readonly snapshot: SchemaSnapshot
  readonly source: "sync" | "migration"
}

// The key of the advisory lock for schema changes. Any number will do, as long as every instance uses the same number.
export const SCHEMA_LOCK = 7_105_116

/**
 * The SQL that creates or updates the framework's own tables. It is one script, to save one round trip per statement at
 * each start.
 */
export const PREPARE_OWN_TABLES = [
  ...PREPARE_FRAMEWORK_VERSION,
  ...PREPARE_CHANGES,
  ...PREPARE_JOBS,
  ...PREPARE_CHANNELS,
  ...PREPARE_FRAMEWORK_TABLES,
  ...PREPARE_VERSIONS,
  ...PREPARE_PENDING_TRANSITIONS,
  ...PREPARE_SEARCH_QUEUE,
  ...PREPARE_DOCUMENTS,
  ...PREPARE_DOCUMENT_NAMES,
  ...PREPARE_DOCUMENTS_FUNCTION,
  ...PREPARE_REFERENCES,
  ...PREPARE_VECTOR_FUNCTION,
  ...PREPARE_SEARCH_WORDS,
  ...PREPARE_SEARCH_STATE,
].join(";\n")

/**
 * Changes tables in one transaction. Instances that start together do this one at a time, however long each takes.
 * Processes that use the tables meanwhile are blocked only briefly, because each attempt to lock the tables has a short
 * timeout.
 */
export function changeSchema<Result>(
  database: Database,
  work: (connection: Transaction) => Promise<Result>,
  logger?: Logger,
): Promise<Result> {
  const change = async (connection: Transaction) => {
    await prepareOwnTables(connection)
    return work(connection)
  }
  return database.transaction(async (connection) => {
    await connection.query({ text: "set local statement_timeout = 0", values: [] })
    await connection.query({ text: `select pg_advisory_xact_lock(${SCHEMA_LOCK})`, values: [] })
    return retryWhileLocked(connection, change, logger)
  })
}

/** Creates or updates the framework's own tables. Throws if kit cannot use the database. */
export async function prepareOwnTables(connection: Connection): Promise<void> {
  const script = `${REFUSE_UNUSABLE_DATABASE};\n${PREPARE_OWN_TABLES}`
  await connection.query({ text: script, values: [] }).catch(explainUnusableDatabase)
}

export async function readStoredSchema(connection: Connection): Promise<StoredSchema | undefined> {
  if (!(await hasTable(connection, "_kit_schema"))) return undefined
  const { rows } = await connection.query({ text: `select snapshot, source from "_kit_schema"`, values: [] })
  const [row] = rows
  if (row === undefined) return undefined
  const snapshot = readSnapshot(row[0])
  if (snapshot === undefined) {
    throw new SchemaMismatchError(
      "The snapshot in _kit_schema was written by another version of kit. Use that version.",
    )
  }
  return { snapshot, source: row[1] === "migration" ? "migration" : "sync" }
}

export async function storeSchema(connection: Connection, { snapshot, source }: StoredSchema): Promise<void> {
  await connection.query({
    text: `create table if not exists "_kit_schema" (
      is_only boolean primary key default true check (is_only),
      snapshot jsonb not null, source text not null, stored_at timestamptz not null default now())`,
    values: [],
  })
  await connection.query({
    text: `insert into "_kit_schema" (snapshot, source) values ($1, $2)
      on conflict (is_only) do update set snapshot = excluded.snapshot, source = excluded.source, stored_at = now()`,
    values: [JSON.stringify(snapshot), source],
  })
}

export async function hasTable(connection: Connection, table: string): Promise<boolean> {
  const { rows } = await connection.query({
    text: "select to_regclass(quote_ident(current_schema()) || '.' || quote_ident($1)) is not null",
    values: [table],
  })
  return rows[0]?.[0] === true
}
