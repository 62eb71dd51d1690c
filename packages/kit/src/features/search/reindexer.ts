import { setTimeout as wait } from "node:timers/promises"
import { type IndexedTable, indexedTables, tablesOfCollection } from "../../engine/search/index/indexed-tables.ts"
import { beginRebuild, isOutdated, readIndexStates, rebuildBatch } from "../../engine/search/index/rebuild.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { IndexState } from "../../sql/search/state.ts"

interface ReindexerDependencies {
  readonly schema: AppSchema
  readonly database: Database
  readonly logger: Logger
  /** Has a worker of some process continue what is left to rebuild. */
  wakeWorker(): void
  /** Has the search engine outside of the database forget all records of a collection, if there is one. */
  clearDocuments(collection: string): Promise<void>
}

/** How far the rebuild of a collection's index is, over all its tables. */
export interface ReindexProgress {
  readonly collection: string
  readonly done: number
  readonly total: number
}

export interface SearchIndexStatus extends ReindexProgress {
  /**
   * `ready`; `rebuilding`, while a worker is at work or until one starts; or `outdated` if the index was built for
   * another definition, until the app starts.
   */
  readonly state: "ready" | "rebuilding" | "outdated"
}

type OnProgress = (progress: ReindexProgress) => void

// Larger tables are rebuilt by the worker, so that they do not delay the start.
const MAX_ROWS_AT_START = 10_000
const LOOK_EVERY_MS = 100

/** Rebuilds indexes: those of an outdated definition when the app starts, and any on request. */
export class Reindexer {
  readonly #setup: ReindexerDependencies
  readonly #tables: readonly IndexedTable[]
  /** The tables whose rebuild may be unfinished. */
  #unfinished: readonly IndexedTable[] = []

  constructor(setup: ReindexerDependencies) {
    this.#setup = setup
    this.#tables = [...indexedTables(setup.schema).values()]
  }

  /** Begins to rebuild the indexes that are out of date, and finishes those of small tables. */
  async start(): Promise<void> {
    if (this.#tables.length === 0) return
    const { database } = this.#setup
    const states = await readIndexStates(database)
    for (const table of this.#tables) {
      const state = states.get(table.resource.table)
      const current = isOutdated(table, state) ? await beginRebuild(database, table) : state
      if (current && !current.isFinished) await this.#finishAtStart(table, current)
    }
    this.#unfinished = this.#tables
  }

  /** Rebuilds the next rows of an unfinished index. Resolves to true if there may be more. */
  async rebuildNext(): Promise<boolean> {
    const [table, ...rest] = this.#unfinished
    if (table === undefined) return false
    const state = await rebuildBatch(this.#setup, table)
    if (state?.isFinished) this.#setup.logger.info("The search index is rebuilt.", { table: state.table })
    if (state === undefined || state.isFinished) this.#unfinished = rest
    return this.#unfinished.length > 0
  }

  /** Looks again for unfinished indexes, which another process may have left. */
  async findUnfinished(): Promise<void> {
    const states = await readIndexStates(this.#setup.database)
    this.#unfinished = this.#tables.filter(({ resource }) => states.get(resource.table)?.isFinished === false)
  }

  /** Begins to rebuild the index of a collection. A worker continues it. */
  async begin(collection: string): Promise<void> {
    const tables = tablesOfCollection(this.#setup.schema, collection)
    // Workers see the rebuild only after the engine is empty, so that nothing of what they send is lost.
    await this.#setup.database.transaction(async (connection) => {
      for (const table of tables) await beginRebuild(connection, table)
      await this.#setup.clearDocuments(collection)
    })
    this.#unfinished = [...new Set([...this.#unfinished, ...tables])]
    this.#setup.wakeWorker()
  }

  /** Rebuilds what is left of a collection's index, together with the workers. Resolves when nothing is left. */
  async finish(collection: string, onProgress?: OnProgress): Promise<void> {
    for (const table of tablesOfCollection(this.#setup.schema, collection)) {
      await this.#finishTable(table, async () => onProgress?.(await this.#progressOf(collection)))
    }
  }

  /** Begins to rebuild the index of a collection, and resolves when it is rebuilt. */
  async rebuild(collection: string, onProgress?: OnProgress): Promise<void> {
    await this.begin(collection)
    await this.finish(collection, onProgress)
  }

  /** Returns how far the index of each searchable collection is built, sorted by name. */
  async status(): Promise<readonly SearchIndexStatus[]> {
    const states = await readIndexStates(this.#setup.database)
    const names = [...new Set(this.#tables.map(({ resource }) => resource.name))].sort()
    return names.map((collection) => statusOf(collection, this.#tables, states))
  }

  async #isFinished(table: IndexedTable): Promise<boolean> {
    const state = (await readIndexStates(this.#setup.database)).get(table.resource.table)
    return state === undefined || state.isFinished || isOutdated(table, state)
  }

  async #finishTable(table: IndexedTable, onBatch: () => Promise<void>): Promise<void> {
    while (!(await this.#isFinished(table))) {
      // Without a result, another process is rebuilding the next rows.
      if ((await rebuildBatch(this.#setup, table)) === undefined) await wait(LOOK_EVERY_MS)
      await onBatch()
    }
  }

  async #progressOf(collection: string): Promise<ReindexProgress> {
    const { done, total } = statusOf(collection, this.#tables, await readIndexStates(this.#setup.database))
    return { collection, done, total }
  }

  async #finishAtStart(table: IndexedTable, state: IndexState): Promise<void> {
    if (state.total >= MAX_ROWS_AT_START) {
      this.#setup.logger.info("The search index is out of date and is rebuilt in the background.", {
        table: state.table,
        rows: state.total,
      })
      return
    }
    let current: IndexState | undefined = state
    while (current && !current.isFinished) current = await rebuildBatch(this.#setup, table)
  }
}

/** Returns how far the tables of a collection are indexed. */
export function statusOf(
  collection: string,
  tables: readonly IndexedTable[],
  states: ReadonlyMap<string, IndexState>,
): SearchIndexStatus {
  const own = tables.filter(({ resource }) => resource.name === collection)
  const found = own.flatMap(({ resource }) => states.get(resource.table) ?? [])
  const sumOf = (member: "done" | "total") => found.reduce((sum, state) => sum + state[member], 0)
  const isStale = own.some((table) => isOutdated(table, states.get(table.resource.table)))
  const isReady = found.every(({ isFinished }) => isFinished)
  const state = isStale ? "outdated" : isReady ? "ready" : "rebuilding"
  return { collection, done: sumOf("done"), total: sumOf("total"), state }
}
