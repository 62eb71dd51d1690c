import type { Connection } from "../../ports/database.ts"
import { DOCUMENTS_TRIGGER, type DocumentOwner } from "../../sql/documents/document-trigger.ts"
import { type FollowedPart, partsOf, REFERENCES_TRIGGER } from "../../sql/references/reference-trigger.ts"
import { SEARCH_TRIGGER } from "../../sql/search/search-trigger.ts"

/** A column as PostgreSQL's catalog describes it. */
export interface CatalogColumn {
  /** The SQL type with its precision and scale, such as `numeric(10,2)`. */
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
}

/** An index or a foreign key. */
export interface CatalogConstraint {
  readonly table: string
  readonly name: string
  readonly kind: "index" | "unique" | "key"
}

export interface DatabaseCatalog {
  /** For each table name, the columns of that table by column name. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, CatalogColumn>>
  readonly constraints: readonly CatalogConstraint[]
  /** The body of the function that keeps the search columns of a table, by the table's name. */
  readonly searchBodies: ReadonlyMap<string, string>
  /** The names of the text search configurations. */
  readonly configurations: ReadonlySet<string>
  /** The resource whose documents are deleted with the rows of a table, by the table's name. */
  readonly documentOwners: ReadonlyMap<string, DocumentOwner>
  /** The parts of a table's columns whose references a trigger follows, by the table's name. */
  readonly followedParts: ReadonlyMap<string, readonly FollowedPart[]>
}

/** Reads the tables and constraints of the connection's current PostgreSQL schema, in which new tables are created. */
export async function readCatalog(connection: Connection): Promise<DatabaseCatalog> {
  return {
    tables: await readTables(connection),
    constraints: await readConstraints(connection),
    ...(await readSearchObjects(connection)),
    documentOwners: await readDocumentOwners(connection),
    followedParts: await readFollowedParts(connection),
  }
}

async function readSearchObjects(
  connection: Connection,
): Promise<Pick<DatabaseCatalog, "searchBodies" | "configurations">> {
  const { rows } = await connection.query({
    text: `select t.relname, f.prosrc from pg_trigger g join pg_class t on t.oid = g.tgrelid join pg_proc f on f.oid = g.tgfoid
      where t.relnamespace = current_schema()::regnamespace and g.tgname = '${SEARCH_TRIGGER}'
      union all
      select cfgname, null from pg_ts_config where cfgnamespace = current_schema()::regnamespace`,
    values: [],
  })
  const searchBodies = rows.flatMap(([table, body]) => (body === null ? [] : [[String(table), String(body)] as const]))
  const configurations = rows.flatMap(([name, body]) => (body === null ? [String(name)] : []))
  return { searchBodies: new Map(searchBodies), configurations: new Set(configurations) }
}

async function readDocumentOwners(connection: Connection): Promise<Map<string, DocumentOwner>> {
  const triggers = await readTriggerArguments(connection, DOCUMENTS_TRIGGER)
  return new Map(
    triggers.map(({ table, given }) => {
      // The cast is safe: only kit creates the trigger, with the kind and the name of a resource.
      const [kind, name] = given as [DocumentOwner["kind"], string]
      return [table, { kind, name }] as const
    }),
  )
}

async function readFollowedParts(connection: Connection): Promise<Map<string, readonly FollowedPart[]>> {
  const triggers = await readTriggerArguments(connection, REFERENCES_TRIGGER)
  return new Map(triggers.map(({ table, given }) => [table, partsOf(given)]))
}

interface TableTrigger {
  readonly table: string
  /** The arguments with which the trigger calls its function. */
  readonly given: readonly string[]
}

async function readTriggerArguments(connection: Connection, trigger: string): Promise<readonly TableTrigger[]> {
  const { rows } = await connection.query({
    // The arguments of a trigger are stored one after the other, each with a zero byte at its end.
    text: `select t.relname, string_to_array(encode(g.tgargs, 'escape'), '\\000')
      from pg_trigger g join pg_class t on t.oid = g.tgrelid
      where t.relnamespace = current_schema()::regnamespace and g.tgname = $1`,
    values: [trigger],
  })
  // The cast is safe: the statement returns an array of texts, with an empty one after the last argument.
  return rows.map(([table, given]) => ({ table: String(table), given: (given as string[]).slice(0, -1) }))
}

async function readTables(connection: Connection): Promise<Map<string, Map<string, CatalogColumn>>> {
  const { rows } = await connection.query({
    text: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
    values: [],
  })
  const tables = new Map<string, Map<string, CatalogColumn>>()
  for (const [table, name, type, notNull, hasDefault] of rows) {
    const columns = tables.get(String(table)) ?? new Map<string, CatalogColumn>()
    const column = { type: String(type), isRequired: notNull === true, hasDefault: hasDefault === true }
    tables.set(String(table), columns.set(String(name), column))
  }
  return tables
}

async function readConstraints(connection: Connection): Promise<CatalogConstraint[]> {
  const { rows } = await connection.query({
    text: `select t.relname, i.relname, case when x.indisunique then 'unique' else 'index' end
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where t.relnamespace = current_schema()::regnamespace
      union all
      select t.relname, k.conname, 'key' from pg_constraint k join pg_class t on t.oid = k.conrelid
      where t.relnamespace = current_schema()::regnamespace and k.contype = 'f'`,
    values: [],
  })
  // The cast of `kind` is safe: the query returns only the kinds that the type lists.
  return rows.map(([table, name, kind]) => ({
    table: String(table),
    name: String(name),
    kind: kind as CatalogConstraint["kind"],
  }))
}
