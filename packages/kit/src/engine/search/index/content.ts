import type { Connection } from "../../../ports/database.ts"
import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { appendChecks } from "../../../sql/search/content/content-checks.ts"
import { watchedTables } from "../../../sql/search/content/content-paths.ts"
import {
  lockFreeRows,
  lockRowsToIndex,
  type StoredContent,
  storeContents,
  takeOutdatedContent,
} from "../../../sql/search/content/content-rows.ts"
import {
  type ContentTable,
  contentTables,
  tablesWithRelatedContent,
} from "../../../sql/search/content/content-tables.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { byIds } from "../../read/by-id.ts"
import { toRecords } from "../../read/records.ts"

interface ContentContext {
  readonly schema: AppSchema
  readonly connection: Connection
}

// A write computes the content of at most this many records itself. More of them are left to the worker.
const MAX_IN_WRITE = 500
const BATCH_SIZE = 100
// The index reads no more of a text.
const MAX_CHARACTERS = 100_000

/** True if a write of the resource can change the content of records, its own or others. */
export function affectsContent(schema: AppSchema, { table, fields }: Resource): boolean {
  const watched = watchedTables(schema)
  if (watched.size === 0) return false
  if (watched.has(table)) return true
  const relations = [...fields.values()].map(({ relation }) => relation)
  return relations.some((relation) => relation?.kind === "manyToMany" && watched.has(relation.link.table))
}

/**
 * Computes the content again that the transaction of this connection has made outdated so far. If that concerns too
 * many records, they stay in the queue, and the worker computes their content after the commit.
 */
export async function refreshOutdatedContent({ schema, connection }: ContentContext): Promise<void> {
  if (contentTables(schema).length === 0) return
  const { rows } = await connection.query(takeOutdatedContent(MAX_IN_WRITE, tablesWithRelatedContent(schema)))
  for (const { resource } of contentTables(schema)) {
    const { table } = resource
    const ids = rows.filter(([of]) => of === table).map(([, id]) => String(id))
    if (ids.length > 0) await refreshContent({ schema, connection }, table, ids.sort())
  }
}

/** Computes and stores the content of these records of a table. Records that do not exist are left out. */
export async function refreshContent(ctx: ContentContext, table: string, ids: readonly string[]): Promise<void> {
  const found = contentTables(ctx.schema).find(({ resource }) => resource.table === table)
  if (found === undefined) return
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    await refreshBatch(ctx, found, ids.slice(start, start + BATCH_SIZE))
  }
}

/**
 * Like `refreshContent`, but does not wait for transactions that have locked some of the records: the content of these
 * is computed when the transactions have ended.
 */
export async function refreshFreeContent(ctx: ContentContext, table: string, ids: readonly string[]): Promise<void> {
  const found = contentTables(ctx.schema).find(({ resource }) => resource.table === table)
  if (found === undefined) return
  const { rows } = await ctx.connection.query(lockFreeRows(found.resource, ids))
  const idsWhere = (isFree: boolean) => rows.filter((row) => row[1] === isFree).map(([id]) => String(id))
  const [free, locked] = [idsWhere(true), idsWhere(false)]
  await refreshContent(ctx, table, free)
  if (locked.length > 0) await ctx.connection.query(appendChecks(table, locked))
}

async function refreshBatch(
  { connection }: ContentContext,
  table: ContentTable,
  ids: readonly string[],
): Promise<void> {
  const { resource } = table
  const texts = new Map<string, Record<string, string>>()
  await connection.query(lockRowsToIndex(resource, ids))
  for (const [selection, locales] of table.readings) {
    for (const record of await readRecords(connection, selection, ids)) {
      const id = String(record[selection.resource.id.name])
      const text = computeContent(table, record)
      texts.set(id, { ...texts.get(id), ...Object.fromEntries(locales.map((locale) => [locale, text])) })
    }
  }
  if (texts.size === 0) return
  const contents = [...texts].map(([id, byLocale]): StoredContent => ({ id, texts: byLocale }))
  await connection.query(storeContents(resource, table.content.column, contents))
}

async function readRecords(
  connection: Connection,
  selection: Selection,
  ids: readonly string[],
): Promise<readonly RecordData[]> {
  const { rows } = await connection.query(selectMatching(selection, byIds(selection.resource, ids)))
  return toRecords(selection, rows)
}

function computeContent({ resource: { name }, content }: ContentTable, record: RecordData): string {
  // The cast is safe: the generated types describe a record with the relations of `with`, as it is read here.
  const compute = content.compute as (record: RecordData) => unknown
  const text = callContent(name, () => compute(record))
  if (text === undefined || text === null) return ""
  if (typeof text !== "string") {
    throw new TypeError(`"content" of the searchable collection "${name}" must return a text, not ${kindOf(text)}.`)
  }
  // The database can store neither zero characters nor halves of characters.
  return text.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll("\0", " ")
}

function callContent(collection: string, call: () => unknown): unknown {
  try {
    return call()
  } catch (cause) {
    throw new Error(`"content" of the searchable collection "${collection}" threw an error.`, { cause })
  }
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return "a promise"
  return Array.isArray(value) ? "a list" : `a value of the type ${typeof value}`
}
