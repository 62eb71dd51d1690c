import type { Engine } from "../../../engine/engine.ts"
import { refreshFreeContent } from "../../../engine/search/index/content.ts"
import { indexedTables } from "../../../engine/search/index/indexed-tables.ts"
import type { AdapterIndex } from "../../../features/search/external/adapter-index.ts"
import { documentStep } from "../../../features/search/external/document-step.ts"
import type { IndexStep } from "../../../features/search/index-step.ts"
import { INDEX_CHANNEL, IndexWorker } from "../../../features/search/index-worker.ts"
import { Reindexer } from "../../../features/search/reindexer.ts"
import type { OpenVectors } from "../../../features/search/vectors/open-vectors.ts"
import { VectorUpkeep } from "../../../features/search/vectors/vector-upkeep.ts"
import type { Database } from "../../../ports/database.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { MessageBus } from "../../../ports/message-bus.ts"
import { tablesWithRelatedContent } from "../../../sql/search/content/content-tables.ts"
import type { AppInputs } from "../../app-inputs.ts"
import type { Emitter } from "../../emitter.ts"
import type { Part } from "../../part-list.ts"
import type { DatabaseState } from "../database-part.ts"

interface SearchDependencies extends Pick<AppInputs, "config" | "overrides"> {
  readonly logger: Logger
  readonly database: Database
  readonly databaseState: Pick<DatabaseState, "canRunJobs">
  readonly commits: Emitter<void>
  readonly bus: MessageBus
  readonly engine: Engine
  readonly vectors: OpenVectors | undefined
  readonly adapter: AdapterIndex | undefined
}

/** The search indexes. Opening rebuilds small ones that are out of date; the worker of jobs does the rest. */
export const searchPart: Part<SearchDependencies, { readonly search: OpenSearch }> = {
  open: async (dependencies) => {
    const search = new OpenSearch(dependencies)
    await search.reindexer.start()
    dependencies.commits.on(() => search.wake())
    return { search }
  },
  close: ({ search }) => search.stop(),
}

export class OpenSearch {
  readonly reindexer: Reindexer
  readonly #dependencies: SearchDependencies
  readonly #steps: readonly IndexStep[]
  #worker: IndexWorker | undefined
  #upkeep: VectorUpkeep | undefined

  constructor(dependencies: SearchDependencies) {
    const { engine, database, logger, bus, adapter } = dependencies
    this.#dependencies = dependencies
    this.#steps = indexSteps(dependencies)
    this.reindexer = new Reindexer({
      ...{ schema: engine.schema, database, logger },
      wakeWorker: () => this.#wakeAll(bus),
      clearDocuments: async (collection) => adapter?.clear(collection),
    })
  }

  /** True if there are searchable records, for which a worker has work. */
  get hasIndexes(): boolean {
    return indexedTables(this.#dependencies.engine.schema).size > 0
  }

  /** Starts the worker that keeps the indexes up to date. */
  start(): void {
    if (!this.hasIndexes || this.#worker) return
    this.#worker = this.#newWorker()
    this.#worker.start()
    this.#upkeep = this.#newUpkeep()
    this.#upkeep?.start()
  }

  wake(): void {
    this.#worker?.wake()
  }

  /** Resolves when the worker has nothing left to do, apart from what has failed and is tried again later. */
  async settle(): Promise<void> {
    await this.#worker?.settle()
  }

  async stop(): Promise<void> {
    const [worker, upkeep] = [this.#worker, this.#upkeep]
    this.#worker = undefined
    this.#upkeep = undefined
    await Promise.all([worker?.stop(), upkeep?.stop()])
  }

  #newWorker(): IndexWorker {
    const { engine, database, databaseState, bus, logger, overrides } = this.#dependencies
    const { schema } = engine
    const inTransaction = (table: string, ids: readonly string[]) =>
      database.transaction((connection) => refreshFreeContent({ schema, connection }, table, ids))
    return new IndexWorker({
      ...{ database, bus, logger },
      tables: indexedTables(schema),
      checkedTables: tablesWithRelatedContent(schema),
      steps: this.#steps,
      refreshContent: (table, ids) => {
        const call = () => inTransaction(table, ids)
        return overrides.callHandler?.(call) ?? call()
      },
      reindexer: this.reindexer,
      mayWork: databaseState.canRunJobs,
    })
  }

  #newUpkeep(): VectorUpkeep | undefined {
    const { engine, database, logger, vectors } = this.#dependencies
    if (vectors === undefined) return undefined
    return new VectorUpkeep({
      ...{ database, logger, model: vectors.model },
      resources: [...indexedTables(engine.schema).values()].map(({ resource }) => resource),
      otherSteps: this.#steps.filter((step) => step !== vectors.step).map(({ name }) => name),
      onQueued: () => this.wake(),
    })
  }

  #wakeAll(bus: MessageBus): void {
    this.wake()
    bus.publish(INDEX_CHANNEL, "")
  }
}

/** The work that follows a change of a record's text. */
function indexSteps({ engine, database, vectors, adapter }: SearchDependencies): readonly IndexStep[] {
  const defaultLocale = engine.schema.locales.default
  return [...(vectors ? [vectors.step] : []), ...(adapter ? [documentStep({ database, adapter, defaultLocale })] : [])]
}
