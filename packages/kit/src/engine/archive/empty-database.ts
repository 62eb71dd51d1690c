import type { BulkSession } from "../../ports/bulk-session.ts"
import type { DatabaseError } from "../../ports/database.ts"
import { readSchemas } from "../copy-database/copy-scope.ts"
import { run } from "../copy-database/in-transaction.ts"
import { ArchiveError } from "./archive-error.ts"

/** A table that is about to be dropped. Its name is quoted where necessary. */
export interface DroppedTable {
  readonly name: string
  readonly rows: number
}

const DEPENDENT_OBJECTS = "2BP01"

/** Returns all tables of the database with the number of their rows. */
export async function findAllTables(session: BulkSession): Promise<readonly DroppedTable[]> {
  const schemas = await readSchemas(session, [])
  const { rows } = await session.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname = any($1::text[]) order by 1`,
    values: [schemas],
  })
  return countAll(
    session,
    rows.map(([name]) => String(name)),
  )
}

/** Returns the tables of kit and of the app in the current PostgreSQL schema, with the number of their rows. */
export async function findAppTables(session: BulkSession): Promise<readonly DroppedTable[]> {
  const { rows: stored } = await session.query({ text: "select to_regclass('_kit_schema') is not null", values: [] })
  const declared =
    stored[0]?.[0] === true
      ? `or c.relname in (select t->>'name' from "_kit_schema", jsonb_array_elements(snapshot->'tables') t)`
      : ""
  const { rows } = await session.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = current_schema() and (c.relname like '\\_kit\\_%' ${declared}) order by 1`,
    values: [],
  })
  return countAll(
    session,
    rows.map(([name]) => String(name)),
  )
}

/** Drops everything in the database. The schema `public` stays, empty. */
export async function dropEverything(session: BulkSession): Promise<void> {
  const schemas = await readSchemas(session, [])
  for (const schema of schemas) {
    const { rows } = await session.query({ text: "select quote_ident($1::text)", values: [schema] })
    await run(session, `drop schema ${String(rows[0]?.[0])} cascade`)
  }
  if (schemas.includes("public")) await run(session, "create schema public")
}

/**
 * Drops these tables, and the functions and text search configurations of kit. Throws if other objects, such as the
 * author's views, depend on them.
 */
export async function dropTables(session: BulkSession, tables: readonly DroppedTable[]): Promise<void> {
  if (tables.length === 0) return
  const objects = await readOwnObjects(session, tables)
  await dropAll(session, tables)
  for (const text of objects) await run(session, `drop ${text}`)
}

// Returns the functions and text search configurations of kit in the schema of these tables, each with its kind. Only
// the tables use them.
async function readOwnObjects(session: BulkSession, tables: readonly DroppedTable[]): Promise<readonly string[]> {
  const ofApp = "in (select relnamespace from pg_class where oid = any($1::regclass[]))"
  const { rows } = await session.query({
    text: `select 'function ' || f.oid::regprocedure from pg_proc f
      where f.pronamespace ${ofApp} and f.proname like '\\_kit\\_%'
      union all select 'text search configuration ' || c.oid::regconfig from pg_ts_config c
      where c.cfgnamespace ${ofApp} and c.cfgname like '\\_kit\\_%'`,
    values: [tables.map(({ name }) => name)],
  })
  return rows.map(([text]) => String(text))
}

async function dropAll(session: BulkSession, tables: readonly DroppedTable[]): Promise<void> {
  try {
    await run(session, `drop table ${tables.map(({ name }) => name).join(", ")}`)
  } catch (cause) {
    // The cast is safe: all members are optional in the type, because only errors from the driver have a code.
    const { code, detail } = cause as Partial<DatabaseError> & { readonly detail?: string }
    if (code !== DEPENDENT_OBJECTS) throw cause
    throw new ArchiveError(
      `Other objects depend on the tables of the app: ${detail?.replaceAll("\n", "; ")}. Drop them first. Nothing was deleted.`,
      { cause },
    )
  }
}

async function countAll(session: BulkSession, names: readonly string[]): Promise<readonly DroppedTable[]> {
  const tables: DroppedTable[] = []
  for (const name of names) {
    const { rows } = await session.query({ text: `select count(*)::text from only ${name}`, values: [] })
    tables.push({ name, rows: Number(rows[0]?.[0]) })
  }
  return tables
}
