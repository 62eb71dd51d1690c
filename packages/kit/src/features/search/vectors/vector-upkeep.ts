import { RecurringTask } from "../../../engine/database/recurring-task.ts"
import type { Connection, Database } from "../../../ports/database.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { forgetUnused, keyedIndexes, queueAll } from "../../../sql/search/missing-vectors.ts"
import { FORGET_OLD_MODELS, useModel } from "../../../sql/search/vectors.ts"

const PAUSE_MS = 60 * 60 * 1000

interface VectorUpkeepOptions {
  readonly database: Database
  readonly logger: Logger
  readonly model: string
  /** The resources that read the tables of searchable records, those of stage copies included. */
  readonly resources: readonly Resource[]
  /** The names of the index steps that do not embed. */
  readonly otherSteps: readonly string[]
  /** Called when records have been queued for the embedder. */
  onQueued(): void
}

/**
 * Has all texts embedded when the app uses a model for the first time, and deletes vectors that nobody needs any more,
 * once an hour.
 */
export class VectorUpkeep {
  readonly #options: VectorUpkeepOptions
  readonly #task: RecurringTask

  constructor(options: VectorUpkeepOptions) {
    this.#options = options
    this.#task = new RecurringTask({
      work: () => this.#work(),
      onError: (error) => options.logger.warn("Cleaning up the vectors of the search failed; retrying.", { error }),
    })
  }

  start(): void {
    this.#task.runNow()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  async #work(): Promise<number> {
    const { database, onQueued } = this.#options
    const isNew = await database.transaction((transaction) => this.#register(transaction))
    if (isNew) onQueued()
    for (const statement of this.#cleanup()) await database.query(statement)
    return PAUSE_MS
  }

  // Returns true if the model is new, so that all records have been queued.
  async #register(connection: Connection): Promise<boolean> {
    const { model, resources, otherSteps } = this.#options
    const { rows } = await connection.query(useModel(model))
    if (rows[0]?.[0] !== true) return false
    for (const resource of resources) await connection.query(queueAll(resource, otherSteps))
    return true
  }

  #cleanup() {
    const { model, resources } = this.#options
    return [...forgetUnused(resources.flatMap(keyedIndexes), model), ...FORGET_OLD_MODELS]
  }
}
