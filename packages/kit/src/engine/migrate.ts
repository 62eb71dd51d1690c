import type { Connection, Database, DatabaseError } from "../ports/database.ts"
import type { AppSchema, Resource, ResourceField } from "../schema/resource.ts"
import { CREATE_CHANGES_TABLE } from "../sql/changes.ts"
import {
  addColumn,
  addForeignKey,
  createIndex,
  createTable,
  dropConstraint,
  dropIndex,
  fillColumn,
  releaseColumn,
  requireColumn,
} from "../sql/ddl.ts"
import { quote } from "../sql/fragment.ts"
import { type FoundColumn, type FoundDatabase, readDatabase } from "./found-database.ts"

/** The database holds something that the schema does not fit; the message says what to do. */
export class SchemaMismatchError extends Error {}

/** What a sync has changed, for people to read. */
export interface SyncReport {
  readonly createdTables: readonly string[]
  readonly addedColumns: readonly string[]
  /** Unique indexes and foreign keys, by name, and columns that may be empty from now on. */
  readonly liftedConstraints: readonly string[]
}

// Any number will do, as long as every instance takes the same one.
const SYNC_LOCK = 7_105_116

/**
 * Brings the database up to the schema: creates what is missing and never drops or rewrites data.
 * What the schema no longer demands (a value, uniqueness, a target) is no longer enforced.
 * Many instances may call it at once; they take turns.
 */
export function syncSchema(database: Database, schema: AppSchema): Promise<SyncReport> {
  return database.transaction(async (connection) => {
    await run(connection, `select pg_advisory_xact_lock(${SYNC_LOCK})`)
    await run(connection, CREATE_CHANGES_TABLE)
    const found = await readDatabase(connection)
    const missing = schema.resources.filter((resource) => !found.tables.has(resource.table))
    for (const resource of missing) await run(connection, createTable(resource))
    const addedColumns = await syncColumns(connection, schema, found)
    const released = await releaseColumns(connection, schema, found)
    const dropped = await dropConstraints(connection, schema, found)
    await addMissingIndexes(connection, schema, found)
    return {
      createdTables: missing.map((resource) => resource.table),
      addedColumns,
      liftedConstraints: [...released, ...dropped],
    }
  })
}

async function syncColumns(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<string[]> {
  const added: string[] = []
  for (const { resource, field, column } of storedFields(schema, found)) {
    if (column) checkType(resource, field, column)
    else added.push(await addMissingColumn(connection, resource, field))
    if (field.required && !column?.isRequired) await requireFilled(connection, resource, field)
  }
  return added
}

interface StoredField {
  readonly resource: Resource
  readonly field: ResourceField
  readonly column: FoundColumn | undefined
}

// The fields of the tables that were there before this sync, with the columns found in them.
function storedFields(schema: AppSchema, { tables }: FoundDatabase): StoredField[] {
  return schema.resources.flatMap((resource) => {
    const columns = tables.get(resource.table)
    return columns ? resource.columns.map((field) => ({ resource, field, column: columns.get(field.name) })) : []
  })
}

// The names by which Postgres reports the types that fields are stored in, where it has others than we.
const REPORTED_TYPES: Readonly<Record<string, string>> = { "timestamptz(3)": "timestamp(3) with time zone" }

function checkType(resource: Resource, field: ResourceField, { type }: FoundColumn): void {
  const declared = field.type.sqlType.replaceAll(", ", ",")
  if ((REPORTED_TYPES[declared] ?? declared) === type) return
  throw new SchemaMismatchError(
    `Table "${resource.table}" stores "${field.name}" as ${type}, but the field is declared as ${declared}. ` +
      "Give the field a new name, or change the column yourself.",
  )
}

async function addMissingColumn(connection: Connection, resource: Resource, field: ResourceField): Promise<string> {
  await run(connection, addColumn(resource, { ...field, required: false }))
  return `${resource.table}.${field.name}`
}

async function requireFilled(connection: Connection, resource: Resource, field: ResourceField): Promise<void> {
  const isConstant = field.default !== undefined && typeof field.default !== "function"
  if (isConstant) await connection.query(fillColumn(resource, field))
  const empty = `select 1 from ${quote(resource.table)} where ${quote(field.name)} is null limit 1`
  if ((await run(connection, empty)).length > 0) {
    throw new SchemaMismatchError(
      `The field "${field.name}" of "${resource.name}" is required, but the table already has records without it. ` +
        "Give it a value for them with .default(…), or leave out .required().",
    )
  }
  await run(connection, requireColumn(resource, field))
}

// A field that is gone or no longer required must not make every insert fail.
async function releaseColumns(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<string[]> {
  const columns = schema.resources.flatMap((resource) =>
    needlesslyRequired(resource, found).map((name) => ({ resource, name })),
  )
  for (const { resource, name } of columns) await run(connection, releaseColumn(resource, name))
  return columns.map(({ resource, name }) => `${resource.table}.${name}`)
}

function needlesslyRequired(resource: Resource, { tables }: FoundDatabase): string[] {
  const required = new Set(resource.columns.filter((field) => field.required).map((field) => field.name))
  const columns = [...(tables.get(resource.table) ?? [])]
  return columns
    .filter(([name, { isRequired, hasDefault }]) => isRequired && !hasDefault && !required.has(name))
    .map(([name]) => name)
}

// Ours are told by their names, which begin with the table; what others have added stays.
async function dropConstraints(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<string[]> {
  const byTable = new Map(schema.resources.map((resource) => [resource.table, resource]))
  const dropped: string[] = []
  for (const { table, name, kind } of found.constraints) {
    const resource = byTable.get(table)
    const isOurs = name.startsWith(`${table}.`)
    if (kind === "index" || !isOurs || resource === undefined || namesOf(resource).includes(name)) continue
    await run(connection, kind === "unique" ? dropIndex(name) : dropConstraint(resource, name))
    dropped.push(name)
  }
  return dropped
}

function namesOf({ indexes, foreignKeys }: Resource): string[] {
  return [...indexes, ...foreignKeys].map(({ name }) => name)
}

async function addMissingIndexes(connection: Connection, schema: AppSchema, found: FoundDatabase): Promise<void> {
  const known = new Set(found.constraints.map(({ name }) => name))
  const demands = schema.resources.flatMap(demandsOf)
  for (const demand of demands.filter(({ name }) => !known.has(name))) await enforce(connection, demand)
}

/** A statement, and what it demands of the records that are there already. */
interface Demand {
  readonly name: string
  readonly text: string
  readonly meaning: string
}

function demandsOf(resource: Resource): Demand[] {
  const indexes = resource.indexes.map((index) => {
    const fields = index.fields.map((field) => `"${field.name}"`).join(" with ")
    const meaning = `The field ${fields} of "${resource.name}" is unique, but not all records differ in it.`
    return { name: index.name, text: createIndex(resource, index), meaning }
  })
  const keys = resource.foreignKeys.map((key) => {
    const meaning = `The field "${key.field.name}" of "${resource.name}" points to "${key.target.name}", but not all its values do.`
    return { name: key.name, text: addForeignKey(resource, key), meaning }
  })
  return [...indexes, ...keys]
}

const VIOLATIONS: readonly unknown[] = ["23505", "23503"]

async function enforce(connection: Connection, { text, meaning }: Demand): Promise<void> {
  try {
    await run(connection, text)
  } catch (cause) {
    // What a driver throws has a code; anything else has none and is thrown on.
    const { code, detail = "" } = cause as Partial<DatabaseError>
    if (!VIOLATIONS.includes(code)) throw cause
    throw new SchemaMismatchError(`${meaning} ${detail} Change the records first, or the field.`, { cause })
  }
}

async function run(connection: Connection, text: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.query({ text, values: [] })).rows
}
