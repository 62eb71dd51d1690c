import type { Connection } from "../../ports/database.ts"
import { readApplied } from "./files/applied-migrations.ts"
import type { Migration } from "./files/migration.ts"
import { readStoredSchema } from "./stored-schema.ts"

export interface DatabaseStatus {
  readonly version: string
  readonly database: string
  readonly role: string
  readonly bytes: number
  readonly tables: readonly TableStatus[]
  readonly schema: SchemaStatus
  readonly sessions: readonly SessionStatus[]
}

export interface TableStatus {
  /** The table's name, with its PostgreSQL schema if that is not the schema of the app. */
  readonly name: string
  readonly rows: number
  /**
   * True if the rows were counted. False if counting would take long: `rows` is then the database server's estimate.
   */
  readonly isExact: boolean
  readonly bytes: number
}

export interface SchemaStatus {
  /** The origin of the last change to the tables: a sync or a migration; "nothing" if the database is empty. */
  readonly source: "sync" | "migration" | "nothing"
  readonly applied: number
  readonly pending: readonly string[]
}

/** A group of database sessions that have the same application name and role. */
interface SessionStatus {
  readonly name: string
  readonly role: string
  readonly count: number
}

/** Reads the database server's version, the tables with their sizes, the migrations and the open database sessions. */
export async function readDatabaseStatus(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<DatabaseStatus> {
  const { rows } = await connection.query({
    text: `select current_setting('server_version'), current_database()::text, current_user::text,
      pg_database_size(current_database())::text`,
    values: [],
  })
  const [version, database, role, bytes] = rows[0] ?? []
  return {
    version: String(version),
    database: String(database),
    role: String(role),
    bytes: Number(bytes),
    tables: await readTables(connection),
    schema: await readSchemaStatus(connection, migrations),
    sessions: await readSessions(connection),
  }
}

// The maximum size of a table whose rows are counted. Counting that many rows takes only a moment.
const COUNTED_BYTES = 64 * 1024 * 1024

async function readTables(connection: Connection): Promise<readonly TableStatus[]> {
  const { rows } = await connection.query({
    text: `select c.oid::regclass::text, greatest(c.reltuples, 0)::bigint::text, pg_total_relation_size(c.oid)::text,
        pg_relation_size(c.oid) <= ${COUNTED_BYTES} and has_table_privilege(c.oid, 'select')
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by 1`,
    values: [],
  })
  const tables: TableStatus[] = []
  for (const [name, estimate, bytes, isExact] of rows) {
    const found = isExact === true ? await countRows(connection, String(name)) : Number(estimate)
    tables.push({ name: String(name), rows: found, isExact: isExact === true, bytes: Number(bytes) })
  }
  return tables
}

// `table` needs no quoting here: the database server returned its name already quoted.
async function countRows(connection: Connection, table: string): Promise<number> {
  const { rows } = await connection.query({ text: `select count(*)::text from ${table}`, values: [] })
  return Number(rows[0]?.[0])
}

async function readSchemaStatus(connection: Connection, migrations: readonly Migration[]): Promise<SchemaStatus> {
  const applied = new Set((await readApplied(connection)).map(({ name }) => name))
  const pending = migrations.map(({ name }) => name).filter((name) => !applied.has(name))
  const stored = await readStoredSchema(connection)
  return { source: stored?.source ?? "nothing", applied: applied.size, pending }
}

async function readSessions(connection: Connection): Promise<readonly SessionStatus[]> {
  const { rows } = await connection.query({
    text: `select coalesce(nullif(application_name, ''), 'without a name'), coalesce(usename::text, 'unknown'), count(*)::integer
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and coalesce(backend_type, 'client backend') = 'client backend'
      group by 1, 2 order by 1, 2`,
    values: [],
  })
  return rows.map(([name, role, count]) => ({ name: String(name), role: String(role), count: Number(count) }))
}
