import type { Connection, Database } from "../ports/database.ts"
import type { AppSchema, Resource, ResourceField } from "../schema/resource.ts"
import { addColumn, addForeignKey, createIndex, createTable, fillColumn, requireColumn } from "../sql/ddl.ts"
import { quote } from "../sql/fragment.ts"

/** The database holds something that the schema does not fit; the message says what to do. */
export class SchemaMismatchError extends Error {}

/** What a sync has changed, for people to read. */
export interface SyncReport {
  readonly createdTables: readonly string[]
  readonly addedColumns: readonly string[]
}

// Any number will do, as long as every instance takes the same one.
const SYNC_LOCK = 7_105_116

/**
 * Brings the database up to the schema: creates what is missing and never changes or drops what is there.
 * Many instances may call it at once; they take turns.
 */
export function syncSchema(database: Database, schema: AppSchema): Promise<SyncReport> {
  return database.transaction(async (connection) => {
    await run(connection, `select pg_advisory_xact_lock(${SYNC_LOCK})`)
    const found = await readDatabase(connection)
    const missing = schema.resources.filter((resource) => !found.tables.has(resource.table))
    for (const resource of missing) await run(connection, createTable(resource))
    const addedColumns = await addMissingColumns(connection, schema, found)
    await addMissingIndexes(connection, schema, found)
    return { createdTables: missing.map((resource) => resource.table), addedColumns }
  })
}

interface FoundDatabase {
  /** Tables, and the type of each of their columns. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Names of indexes and constraints. */
  readonly names: ReadonlySet<string>
}

async function readDatabase(connection: Connection): Promise<FoundDatabase> {
  const columns = await run(
    connection,
    `select c.relname, a.attname, format_type(a.atttypid, null)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
  )
  const names = await run(
    connection,
    `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'i'
     union select conname from pg_constraint where connamespace = current_schema()::regnamespace`,
  )
  const tables = new Map<string, Map<string, string>>()
  for (const [table, column, type] of columns) {
    const known = tables.get(String(table)) ?? new Map<string, string>()
    tables.set(String(table), known.set(String(column), String(type)))
  }
  return { tables, names: new Set(names.map(([name]) => String(name))) }
}

async function addMissingColumns(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<string[]> {
  const added: string[] = []
  for (const { resource, field, columns } of storedFields(schema, found)) {
    const type = columns.get(field.name)
    if (type !== undefined) checkType(resource, field, type)
    else added.push(await addMissingColumn(connection, resource, field))
  }
  return added
}

// The fields of the tables that were there before this sync, with the columns found in them.
function storedFields(schema: AppSchema, { tables }: FoundDatabase) {
  return schema.resources.flatMap((resource) => {
    const columns = tables.get(resource.table)
    return columns ? resource.columns.map((field) => ({ resource, field, columns })) : []
  })
}

// The names by which Postgres reports the types that fields are stored in.
const REPORTED_TYPES: Readonly<Record<string, string>> = { timestamptz: "timestamp with time zone" }

function checkType(resource: Resource, field: ResourceField, found: string): void {
  const base = field.type.sqlType.replace(/\(.*\)/, "")
  if ((REPORTED_TYPES[base] ?? base) === found) return
  throw new SchemaMismatchError(
    `Table "${resource.table}" stores "${field.name}" as ${found}, but the field is declared as ${base}. ` +
      "Give the field a new name, or change the column yourself.",
  )
}

async function addMissingColumn(connection: Connection, resource: Resource, field: ResourceField): Promise<string> {
  await run(connection, addColumn(resource, { ...field, required: false }))
  if (field.required) await requireFilled(connection, resource, field)
  return `${resource.table}.${field.name}`
}

async function requireFilled(connection: Connection, resource: Resource, field: ResourceField): Promise<void> {
  const isConstant = field.default !== undefined && typeof field.default !== "function"
  if (isConstant) await connection.query(fillColumn(resource, field))
  const hasRows = (await run(connection, `select 1 from ${quote(resource.table)} limit 1`)).length > 0
  if (hasRows && !isConstant) {
    throw new SchemaMismatchError(
      `The new field "${field.name}" of "${resource.name}" is required, but the table already has records without it. ` +
        "Give it a value for them with .default(…), or leave out .required().",
    )
  }
  await run(connection, requireColumn(resource, field))
}

async function addMissingIndexes(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<void> {
  const statements = schema.resources.flatMap((resource) => [
    ...resource.indexes.map((index) => ({ name: index.name, text: createIndex(resource, index) })),
    ...resource.foreignKeys.map((key) => ({ name: key.name, text: addForeignKey(resource, key) })),
  ])
  for (const { name, text } of statements) {
    if (!found.names.has(name)) await run(connection, text)
  }
}

async function run(connection: Connection, text: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.query({ text, values: [] })).rows
}
