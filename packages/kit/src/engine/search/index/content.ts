import type { Connection } from "../../../ports/database.ts"
import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import { appendTouchedRecords } from "../../../sql/changes/changes.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { appendChecks } from "../../../sql/search/content/content-checks.ts"
import { watchedTables } from "../../../sql/search/content/content-paths.ts"
import {
  lockFreeRows,
  lockRowsToIndex,
  queueOutdatedContent,
  type StoredContent,
  selectOutdated,
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
 * many records, they stay in the queue, and the worker computes their content after the commit. So do records that
 * another transaction is writing.
 */
export async function refreshOutdatedContent({ schema, connection }: ContentContext): Promise<void> {
  if (contentTables(schema).length === 0) return
  const { rows } = await connection.query(takeOutdatedContent(MAX_IN_WRITE, tablesWithRelatedContent(schema)))
  for (const { resource } of contentTables(schema)) {
    const { table } = resource
    const ids = rows.filter(([of]) => of === table).map(([, id]) => String(id))
    if (ids.length === 0) continue
    const locked = await refreshFree({ schema, connection }, resource, ids.sort())
    if (locked.length > 0) await connection.query(queueOutdatedContent(resource, locked))
  }
}

// Computes the content of the records that no other transaction has locked. Returns the ids of the others.
async function refreshFree(
  ctx: ContentContext,
  resource: Resource,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await ctx.connection.query(lockFreeRows(resource, ids))
  const free = new Set(rows.map(([id]) => String(id)))
  await refreshContent(ctx, resource.table, [...free])
  return ids.filter((id) => !free.has(id))
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
 * Like `refreshContent`, but locks no record whose content is right, because a write leaves the content of locked
 * records to the worker. Content of records that other transactions have locked is computed when these have ended.
 */
export async function refreshFreeContent(ctx: ContentContext, table: string, ids: readonly string[]): Promise<void> {
  const found = contentTables(ctx.schema).find(({ resource }) => resource.table === table)
  if (found === undefined) return
  const { resource, content } = found
  const contents = await computeContents(ctx, found, ids)
  const { rows } = await ctx.connection.query(selectOutdated(resource, content.column, contents))
  const outdated = rows.map(([id]) => String(id))
  const locked = outdated.length > 0 ? await refreshFree(ctx, resource, outdated.sort()) : []
  if (locked.length > 0) await ctx.connection.query(appendChecks(resource, locked))
}

async function refreshBatch(ctx: ContentContext, table: ContentTable, ids: readonly string[]): Promise<void> {
  const { resource, content } = table
  await ctx.connection.query(lockRowsToIndex(resource, ids))
  const contents = await computeContents(ctx, table, ids)
  if (contents.length === 0) return
  const { rows } = await ctx.connection.query(storeContents(resource, content.column, contents))
  const changed = rows.map(([id]) => String(id))
  // A search may now find other records, so live queries must learn of the change.
  if (changed.length > 0) await ctx.connection.query(appendTouchedRecords(resource, changed))
}

async function computeContents(
  { connection }: ContentContext,
  table: ContentTable,
  ids: readonly string[],
): Promise<readonly StoredContent[]> {
  const texts = new Map<string, Record<string, string>>()
  for (const [selection, locales] of table.readings) {
    for (const record of await readRecords(connection, selection, ids)) {
      const id = String(record[selection.resource.id.name])
      const text = computeContent(table, record)
      texts.set(id, { ...texts.get(id), ...Object.fromEntries(locales.map((locale) => [locale, text])) })
    }
  }
  return [...texts].map(([id, byLocale]) => ({ id, texts: byLocale }))
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
