import type { BulkSession } from "../../ports/bulk-session.ts"
import type { DatabaseError } from "../../ports/database.ts"
import { SCHEMA_LOCK } from "../migrate/stored-schema.ts"
import { CopyError } from "./copy-error.ts"
import { isNotOfExtension, JOURNAL_TABLE } from "./copy-scope.ts"
import { run } from "./in-transaction.ts"

/** The application_name of the database sessions that copy a database. */
export const SESSION_NAME = "kit db move"

const LOCK_CODES: ReadonlySet<string | undefined> = new Set(["55P03", "40P01"])

/**
 * Locks the source database against changes until the session ends. Reads go on; writes and starting apps wait. All
 * later reads of this session see the same snapshot of the data.
 */
export function lockSource(source: BulkSession, schemas: readonly string[]): Promise<void> {
  return lockTables(source, schemas, "share")
}

/**
 * Begins a transaction whose reads all see the same snapshot of the data. Other sessions may read and write, and cannot
 * drop or change the tables. Apps that start wait until `releaseSchemaLock` is called.
 */
export function openSnapshot(source: BulkSession, schemas: readonly string[]): Promise<void> {
  return lockTables(source, schemas, "access share")
}

/** Lets apps start and change tables that are not locked, after `openSnapshot`. */
export async function releaseSchemaLock(source: BulkSession): Promise<void> {
  await run(source, `select pg_advisory_unlock(${SCHEMA_LOCK})`)
}

async function lockTables(
  source: BulkSession,
  schemas: readonly string[],
  mode: "share" | "access share",
): Promise<void> {
  try {
    await run(source, `select pg_advisory_lock(${SCHEMA_LOCK})`)
    const tables = await readNames(source, schemas)
    // LOCK TABLE takes no snapshot, but the first query after it does. So the snapshot includes all writes that were
    // committed before the tables were locked.
    await run(source, "begin isolation level repeatable read")
    if (tables.length > 0) await run(source, `lock table ${tables.join(", ")} in ${mode} mode`)
    const held = await readNames(source, schemas)
    if (held.join() !== tables.join()) throw new CopyError("Another session is changing the tables. Try again.")
  } catch (cause) {
    // The cast is safe: `code` and `message` are optional in the type, because only errors from the driver have a code.
    const { code, message } = cause as Partial<DatabaseError>
    if (!LOCK_CODES.has(code)) throw cause
    throw new CopyError(`Another session is writing to the database (${message}). Stop the app, then try again.`, {
      cause,
    })
  }
}

/** Returns the application names of the other sessions in the database, with their number: `kit (2)`, `psql`. */
export async function readOtherSessions(source: BulkSession): Promise<readonly string[]> {
  const { rows } = await source.query({
    // For a role without pg_read_all_stats, the name and the type of other roles' sessions are null.
    text: `select coalesce(nullif(application_name, ''), 'a session without a name'), count(*)::integer
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name is distinct from $1
        and coalesce(backend_type, 'client backend') = 'client backend'
      group by 1 order by 1`,
    values: [SESSION_NAME],
  })
  return rows.map(([name, count]) => (count === 1 ? String(name) : `${String(name)} (${Number(count)})`))
}

async function readNames(source: BulkSession, schemas: readonly string[]): Promise<readonly string[]> {
  const { rows } = await source.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind = 'r' and c.relname <> '${JOURNAL_TABLE}'
        and ${isNotOfExtension("pg_class", "c.oid")} order by 1`,
    values: [schemas],
  })
  return rows.map(([name]) => String(name))
}
