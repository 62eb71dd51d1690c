import type { BulkSession } from "../../ports/bulk-session.ts"
import type { DatabaseError } from "../../ports/database.ts"
import { SCHEMA_LOCK } from "../migrate/stored-schema.ts"
import { CopyError } from "./copy-error.ts"
import { namesOf } from "./copy-plan.ts"
import { isNotOfExtension, JOURNAL_TABLE } from "./copy-scope.ts"
import { run } from "./in-transaction.ts"

const MIN_VERSION = 150_000
const ENCODING = "UTF8"
const LOCK_NOT_AVAILABLE = "55P03"

/** Throws if an app could not run on the target's server, or if the target is the source database itself. */
export async function checkTarget(source: BulkSession, target: BulkSession): Promise<void> {
  await refuseSameDatabase(source, target)
  await refuseUnusableServer(target)
  refuseOtherEncoding("source", await readServer(source))
}

/** Throws if an app could not run on the target's server. */
export async function refuseUnusableServer(target: BulkSession): Promise<void> {
  const server = await readServer(target)
  if (server.versionNumber < MIN_VERSION) {
    throw new CopyError(`The target is PostgreSQL ${server.version}. kit needs PostgreSQL 15 or newer.`)
  }
  if (server.isStandby)
    throw new CopyError("The target is a standby, which cannot be written. Give the address of its primary.")
  refuseOtherEncoding("target", server)
}

function refuseOtherEncoding(place: "source" | "target", { encoding }: { readonly encoding: string }): void {
  if (encoding === ENCODING) return
  throw new CopyError(
    `The encoding of the ${place} is ${encoding}, and kit needs ${ENCODING}. ` +
      `Make the database with: create database … encoding '${ENCODING}' template template0.`,
  )
}

interface ServerFacts {
  readonly version: string
  readonly versionNumber: number
  readonly encoding: string
  readonly isStandby: boolean
}

/** Locks the target database against other copies and against starting apps until the session ends. */
export async function lockTarget(target: BulkSession): Promise<void> {
  try {
    await run(target, `select pg_advisory_lock(${SCHEMA_LOCK})`)
  } catch (cause) {
    // The cast is safe: `code` is optional in the type, because only errors from the database driver have one.
    if ((cause as Partial<DatabaseError>).code !== LOCK_NOT_AVAILABLE) throw cause
    throw new CopyError(
      "Another kit db move, kit db restore or a starting app holds the lock of the target. Try again when it is done.",
      { cause },
    )
  }
}

/** Throws if the target database already has objects in the schemas that are copied. The message ends with `advice`. */
export async function refuseNonEmpty(
  target: BulkSession,
  schemas: readonly string[],
  advice = "Use an empty database.",
): Promise<void> {
  const { rows } = await target.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and c.relname <> '${JOURNAL_TABLE}'
        and ${isNotOfExtension("pg_class", "c.oid")}
      union select format('%I.%I()', n.nspname, f.proname) from pg_proc f join pg_namespace n on n.oid = f.pronamespace
      where n.nspname = any($1::text[]) and ${isNotOfExtension("pg_proc", "f.oid")}
      union select format('%I.%I', n.nspname, t.typname) from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where n.nspname = any($1::text[]) and t.typtype in ('e', 'd') and ${isNotOfExtension("pg_type", "t.oid")}
      order by 1`,
    values: [schemas],
  })
  if (rows.length === 0) return
  const found = namesOf(rows.map(([name]) => String(name)))
  throw new CopyError(`The target is not empty: it holds ${found}. ${advice}`)
}

/** Returns a string that identifies the database and its server, whichever URL was used to connect. */
export async function readIdentity(session: BulkSession): Promise<string> {
  const { rows } = await session.query({
    text: "select system_identifier::text || '/' || current_database() from pg_control_system()",
    values: [],
  })
  return String(rows[0]?.[0])
}

/** Returns the default collation of the session's database, such as `C.UTF-8`. */
export async function readCollation(session: BulkSession): Promise<string> {
  const { rows } = await session.query({
    text: "select case when datlocprovider = 'c' then datcollate else coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale') end from pg_database d where datname = current_database()",
    values: [],
  })
  return String(rows[0]?.[0])
}

// Throws if the source and the target are the same database. An advisory lock belongs to one database, whichever URL
// was used to connect. If the target session cannot take a lock that the source session holds, both are connected to
// the same database.
async function refuseSameDatabase(source: BulkSession, target: BulkSession): Promise<void> {
  const { rows } = await source.query({
    text: "select key::text, pg_advisory_lock(key) from (select (random() * 1e15)::bigint as key) chosen",
    values: [],
  })
  const key = rows[0]?.[0]
  const { rows: tried } = await target.query({ text: "select pg_try_advisory_lock($1::bigint)", values: [key] })
  if (tried[0]?.[0] === true) return
  throw new CopyError(
    "The target is the app's own database: DATABASE_URL or db.url names it. " +
      "To copy the embedded one into it, run this without that setting. Otherwise name another target.",
  )
}

/** Reads the version, the encoding and the role of the session's server. */
export async function readServer(session: BulkSession): Promise<ServerFacts> {
  const { rows } = await session.query({
    text: `select current_setting('server_version'), current_setting('server_version_num')::integer,
      pg_encoding_to_char(d.encoding)::text, pg_is_in_recovery()
      from pg_database d where d.datname = current_database()`,
    values: [],
  })
  const [version, versionNumber, encoding, isStandby] = rows[0] ?? []
  return {
    version: String(version),
    versionNumber: Number(versionNumber),
    encoding: String(encoding),
    isStandby: isStandby === true,
  }
}
