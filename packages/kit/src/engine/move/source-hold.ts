import type { BulkSession } from "../../ports/bulk-session.ts"
import type { DatabaseError } from "../../ports/database.ts"
import { SCHEMA_LOCK } from "../migrate/stored-schema.ts"
import { run } from "./in-transaction.ts"
import { MoveError } from "./move-error.ts"
import { isNotOfExtension, JOURNAL_TABLE } from "./move-scope.ts"

/** As which a move shows among the sessions of a server. */
export const MOVE_NAME = "kit db move"

const LOCK_CODES: ReadonlySet<string | undefined> = new Set(["55P03", "40P01"])

/**
 * Keeps the source as it is until the session ends. Everybody may read it; writes wait, and so do apps that start.
 * All that is read afterwards is of one moment.
 */
export async function holdSource(source: BulkSession, schemas: readonly string[]): Promise<void> {
  try {
    await run(source, `select pg_advisory_lock(${SCHEMA_LOCK})`)
    const tables = await readNames(source, schemas)
    // Only the first statement after the locks decides what the transaction sees.
    await run(source, "begin isolation level repeatable read")
    if (tables.length > 0) await run(source, `lock table ${tables.join(", ")} in share mode`)
    const held = await readNames(source, schemas)
    if (held.join() !== tables.join()) throw new MoveError("Somebody is changing the tables right now. Try again.")
  } catch (cause) {
    // What a driver throws has a code.
    const { code, message } = cause as Partial<DatabaseError>
    if (!LOCK_CODES.has(code)) throw cause
    throw new MoveError(`Somebody is writing to the database (${message}). Stop the app, then try again.`, { cause })
  }
}

/** Who else uses the database: `kit (2)`, `psql`. */
export async function readOtherSessions(source: BulkSession): Promise<readonly string[]> {
  const { rows } = await source.query({
    // A role without the right to see more sees neither name nor kind.
    text: `select coalesce(nullif(application_name, ''), 'a session without a name'), count(*)::integer
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name is distinct from $1
        and coalesce(backend_type, 'client backend') = 'client backend'
      group by 1 order by 1`,
    values: [MOVE_NAME],
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
