import { createHash } from "node:crypto"
import { prepareTables } from "../app/parts/tables-part.ts"
import { openPostgres } from "../drivers/postgres/open-postgres.ts"
import type { Migration } from "../engine/migrate/files/migration.ts"
import { PREPARE_OWN_TABLES, prepareOwnTables } from "../engine/migrate/stored-schema.ts"
import type { Database } from "../ports/database.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import { snapshotOf } from "../sql/tables/schema-snapshot.ts"
import { virtualFieldProbe } from "../sql/text/field-sql.ts"
import { PREPARE_JOURNAL } from "./job-journal.ts"
import { newDatabaseName, TEMPLATE_PREFIX } from "./left-over-databases.ts"
import { type TestServer, urlOfDatabase } from "./test-server.ts"

/** The schema and the migrations from which an app's tables are created. */
export interface TableSource {
  readonly schema: AppSchema
  readonly migrations: readonly Migration[]
}

/** A template database and how to fill it. */
interface Template {
  readonly name: string
  fill(database: Database): Promise<unknown>
  /** Returns the database from which it is copied before it is filled; an empty one unless set. */
  base?(server: TestServer): Promise<string>
}

const HASH_CHARACTERS = 20

// The framework's own tables are the same for every app, and take longer to create than those of most apps.
const OWN_TABLES: Template = {
  name: templateName([PREPARE_OWN_TABLES, PREPARE_JOURNAL]),
  fill: async (database) => {
    await prepareOwnTables(database)
    await database.query({ text: PREPARE_JOURNAL, values: [] })
  },
}

/** The template databases that this process has found or is creating, by server and by name. */
const templatesByServer = new WeakMap<TestServer, Map<string, Promise<void>>>()

/** Returns the name of the template database with the app's empty tables. Creates the database if it does not exist. */
export function ensureTemplate(server: TestServer, source: TableSource): Promise<string> {
  return ensure(server, {
    name: nameFor(source),
    fill: (database) => prepareTables(source, { schema: source.schema, database }),
    base: (on) => ensure(on, OWN_TABLES),
  })
}

async function ensure(server: TestServer, template: Template): Promise<string> {
  const { name } = template
  const templates = templatesByServer.get(server) ?? new Map<string, Promise<void>>()
  templatesByServer.set(server, templates)
  const made = templates.get(name) ?? findOrMake(server, template)
  templates.set(name, made)
  try {
    await made
  } catch (error) {
    templates.delete(name)
    throw error
  }
  return name
}

/**
 * Makes the next `ensureTemplate` check again whether the template exists, because another process may have dropped it.
 */
export function forgetTemplate(server: TestServer, template: string): void {
  templatesByServer.get(server)?.delete(template)
}

async function findOrMake(server: TestServer, template: Template): Promise<void> {
  if (await hasDatabase(server, template.name)) return
  // Before the lock, because those who hold locks must not wait for another one: they could use up the connections.
  const base = await template.base?.(server)
  await server.lockPool.transaction(async (turn) => {
    // This transaction only holds the lock. Another connection does the work: CREATE DATABASE cannot run in a
    // transaction.
    await turn.query({ text: "select pg_advisory_xact_lock(hashtext($1))", values: [template.name] })
    if (!(await hasDatabase(server, template.name))) await makeTemplate(server, template, base)
  })
}

async function hasDatabase({ admin }: TestServer, name: string): Promise<boolean> {
  const { rowCount } = await admin.query({ text: "select from pg_database where datname = $1", values: [name] })
  return rowCount > 0
}

// Creates a template database. It gets its final name when it is complete, so that an unfinished one is never copied.
async function makeTemplate(server: TestServer, template: Template, base: string | undefined): Promise<void> {
  const draft = newDatabaseName()
  await createDraft(server, draft, base)
  try {
    await fillDraft(urlOfDatabase(server.url, draft), template)
    await renameDatabase(server, draft, template.name)
  } catch (error) {
    await dropDatabase(server, draft)
    throw error
  }
}

async function createDraft(server: TestServer, draft: string, base: string | undefined): Promise<void> {
  try {
    await createDatabase(server, draft, base)
  } catch (error) {
    if (base === undefined) throw error
    // Another process may have dropped the base as outdated. An empty database serves as well.
    forgetTemplate(server, base)
    await createDatabase(server, draft)
    await fillDraft(urlOfDatabase(server.url, draft), OWN_TABLES)
  }
}

async function fillDraft(url: string, { fill }: Template): Promise<void> {
  const database = openPostgres({ url, maxConnections: 1 })
  try {
    await fill(database)
  } finally {
    await database.close()
  }
}

export async function createDatabase(server: TestServer, name: string, template = "template1"): Promise<void> {
  const { admin, prefersFileCopy } = server
  const text = `create database ${name} template ${template}${prefersFileCopy ? " strategy file_copy" : ""}`
  await admin.query({ text, values: [] }).catch(rethrowNotAllowed)
}

export async function renameDatabase({ admin }: TestServer, from: string, to: string): Promise<void> {
  await admin.query({ text: `alter database ${from} rename to ${to}`, values: [] })
}

export async function dropDatabase({ admin }: TestServer, name: string): Promise<void> {
  await admin.query({ text: `drop database if exists ${name} with (force)`, values: [] })
}

// Returns a template's name. It changes with everything that the tables depend on: the schema, the SQL of virtual fields,
// the framework's own tables, the job journal and the migrations.
function nameFor({ schema, migrations }: TableSource): string {
  const virtual = schema.resources.flatMap((resource) =>
    [...resource.fields.values()]
      .filter(({ type }) => type.expression)
      .map((field) => virtualFieldProbe(resource, field).text),
  )
  const sql = migrations.map((migration) => [migration.name, migration.sql])
  return templateName([snapshotOf(schema), virtual, PREPARE_OWN_TABLES, PREPARE_JOURNAL, sql])
}

function templateName(parts: readonly unknown[]): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex")
  return TEMPLATE_PREFIX + hash.slice(0, HASH_CHARACTERS)
}

const NOT_ALLOWED = "42501"

function rethrowNotAllowed(cause: Error & { readonly code?: string }): never {
  if (cause.code !== NOT_ALLOWED) throw cause
  throw new Error(
    "The database user of the tests lacks the right to create databases. Grant it (alter role … createdb), " +
      "or set KIT_TEST_DATABASE_URL to another server.",
    { cause },
  )
}
