import type { Connection, Database } from "../../../ports/database.ts"
import type { AppSchema, Resource, ResourceSearch } from "../../../schema/compile/resource.ts"
import { appendTouchedRecords } from "../../../sql/changes/changes.ts"
import { lockRowsToIndex, rebuildRows } from "../../../sql/search/content/content-rows.ts"
import { appendQueued } from "../../../sql/search/queue.ts"
import { definitionHash, hasWorkAfterWrite } from "../../../sql/search/search-trigger.ts"
import {
  decodeIndexState,
  type IndexState,
  lockIndexState,
  SELECT_INDEX_STATES,
  selectNextIds,
  startRebuild,
  storeProgress,
} from "../../../sql/search/state.ts"
import { addWords } from "../../../sql/search/vocabulary/words.ts"
import { refreshContent } from "./content.ts"
import { type IndexedTable, searchOf } from "./indexed-tables.ts"

interface RebuildContext {
  readonly schema: AppSchema
  readonly connection: Connection
}

const BATCH_SIZE = 200

/** Returns the state of each table's index, by table. A table that was never indexed has none. */
export async function readIndexStates(connection: Connection): Promise<ReadonlyMap<string, IndexState>> {
  const { rows } = await connection.query(SELECT_INDEX_STATES)
  return new Map(rows.map(decodeIndexState).map((state) => [state.table, state]))
}

/** True if the index was built, or is being built, for another definition than the table's, or not at all. */
export function isOutdated(table: IndexedTable, state: IndexState | undefined): boolean {
  return state?.definition !== definitionHash(table.resource, searchOf(table))
}

/** Begins the rebuild of a table's index. `rebuildBatch` does it, in this process or another. */
export async function beginRebuild(connection: Connection, table: IndexedTable): Promise<IndexState> {
  const search = searchOf(table)
  const built = { definition: definitionHash(table.resource, search), adapter: search.adapter }
  const { rows } = await connection.query(startRebuild(table.resource, built))
  return decodeIndexState(rows[0] ?? [])
}

/**
 * Rebuilds the index of the next rows, in one transaction with the progress, so that a crash loses nothing. Returns the
 * state after it; undefined if there is nothing to rebuild here, or another process is doing it.
 */
export function rebuildBatch(
  { schema, database }: { readonly schema: AppSchema; readonly database: Database },
  table: IndexedTable,
): Promise<IndexState | undefined> {
  return database.transaction(async (connection) => {
    const state = await lockUnfinished(connection, table)
    if (state === undefined) return undefined
    const { rows } = await connection.query(selectNextIds(table.resource, state.position, BATCH_SIZE))
    const ids = rows.map(([id]) => String(id))
    if (ids.length > 0) await rebuildIndex({ schema, connection }, table, ids)
    const isFinished = ids.length < BATCH_SIZE
    const progress = { table: state.table, position: ids.at(-1) ?? null, done: ids.length, isFinished }
    await connection.query(storeProgress(progress))
    return { ...state, ...progress, position: progress.position ?? state.position, done: state.done + ids.length }
  })
}

async function lockUnfinished(connection: Connection, table: IndexedTable): Promise<IndexState | undefined> {
  const { rows } = await connection.query(lockIndexState(table.resource.table))
  const state = rows[0] && decodeIndexState(rows[0])
  // A process of another version of the app rebuilds the index for its own definition.
  return state === undefined || state.isFinished || isOutdated(table, state) ? undefined : state
}

async function rebuildIndex({ schema, connection }: RebuildContext, table: IndexedTable, ids: readonly string[]) {
  const { resource } = table
  await connection.query(lockRowsToIndex(resource, ids))
  await refreshContent({ schema, connection }, resource.table, ids)
  await connection.query(rebuildRows(resource, indexedColumn(resource, searchOf(table)), ids))
  // A row whose vector has not changed may still have words that the vocabulary lacks.
  await connection.query(addWords(resource, searchOf(table), ids))
  if (hasWorkAfterWrite(searchOf(table))) await connection.query(appendQueued(resource.table, ids))
  // One change is enough for the live queries with a search to run again.
  await connection.query(appendTouchedRecords(resource, ids.slice(0, 1)))
}

// Returns a column whose update makes the trigger run.
function indexedColumn({ name }: Resource, { fields, content }: ResourceSearch): string {
  const first = fields[0]?.field.name ?? content?.column
  if (first === undefined) throw new Error(`Nothing of "${name}" is searched.`)
  return first
}
