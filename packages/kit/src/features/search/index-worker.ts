import { setTimeout as wait } from "node:timers/promises"
import { RecurringTask } from "../../engine/database/recurring-task.ts"
import { type IndexedTable, searchOf } from "../../engine/search/index/indexed-tables.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import {
  deleteQueued,
  HAS_CHECKS,
  IS_HELD_UP_HERE,
  queueDueChecks,
  SCHEDULE_CHECKS,
} from "../../sql/search/content/content-checks.ts"
import {
  claimQueued,
  decodeQueued,
  type QueuedRecord,
  type QueueWorker,
  releaseQueued,
} from "../../sql/search/queue.ts"
import { type BatchOutcome, IndexBatches } from "./index-batches.ts"
import type { IndexStep } from "./index-step.ts"
import type { Reindexer } from "./reindexer.ts"

interface IndexWorkerDependencies {
  readonly database: Database
  readonly bus: MessageBus
  readonly logger: Logger
  /** The tables of searchable records, by name. */
  readonly tables: ReadonlyMap<string, IndexedTable>
  /** The names of the tables whose records' content is checked again after it was computed. */
  readonly checkedTables: readonly string[]
  readonly steps: readonly IndexStep[]
  /** Computes the content of these records again, in a transaction of its own. */
  refreshContent(table: string, ids: readonly string[]): Promise<void>
  readonly reindexer: Pick<Reindexer, "rebuildNext" | "findUnfinished">
  /** False while the work would fail here, for example because the tables have changed. */
  mayWork(): boolean
}

/** The channel on which a process announces that an index has to be rebuilt. */
export const INDEX_CHANNEL = "kit_search"

// The channel on which every process announces its commits.
const CHANGES_CHANNEL = "kit_changes"
const BATCH_SIZE = 200
// Another worker takes over a batch after this time. Processing records twice is harmless.
const LEASE_MS = 120_000
// Finds what was not announced: raw SQL of the author, and records of a process that has crashed.
const POLL_MS = 3_000
// Finds rebuilds that a process has left when it ended.
const REBUILDS_EVERY_MS = 30_000
// The shortest time between two looks at the queue, because most commits change no searched text.
const MIN_GAP_MS = 50
const CHECKS_LIMIT = 1_000
// A test that holds a transaction open must not hang in `settle`. Transactions of other databases, for example those of
// other tests, hold up the checks as well, but end on their own.
const MAX_CHECKS_WAIT_MS = 1_000
const MAX_CHECKS_WAIT_FOR_OTHERS_MS = 20_000
const CHECKS_PAUSE_MS = 20

/**
 * Does the work that searchable records need after a write has committed. It looks at the queue at the start, after
 * each commit, and from time to time.
 */
export class IndexWorker {
  readonly #setup: IndexWorkerDependencies
  readonly #task: RecurringTask
  readonly #batches: IndexBatches
  readonly #stopping = new AbortController()
  #stopListening: (() => unknown) | undefined
  readonly #hasContent: boolean
  readonly #worker: QueueWorker
  #isStarted = false
  /** True if another process may have begun a rebuild, or left one unfinished. */
  #mayHaveRebuilds = true
  #lookForRebuildsAt = 0
  #wakeTimer: NodeJS.Timeout | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(setup: IndexWorkerDependencies) {
    this.#setup = setup
    const searches = [...setup.tables.values()].map(searchOf)
    this.#hasContent = searches.some(({ content }) => content)
    this.#worker = { steps: setup.steps.map(({ name }) => name), adapter: searches[0]?.adapter }
    this.#batches = new IndexBatches({ ...setup, signal: this.#stopping.signal })
    this.#task = new RecurringTask({
      work: () => this.#work(),
      onError: (error) => setup.logger.warn("Updating the search index failed; retrying.", { error }),
    })
  }

  start(): void {
    this.#isStarted = true
    const subscriber = { onMessage: () => this.wake(), onListening: () => this.wake() }
    const { bus } = this.#setup
    const subscriptions = [
      bus.subscribe(CHANGES_CHANNEL, { ...subscriber, onUnannouncedWrite: () => this.wake() }),
      bus.subscribe(INDEX_CHANNEL, { ...subscriber, onMessage: () => this.#lookForRebuilds() }),
    ]
    this.#stopListening = () => subscriptions.map((unsubscribe) => unsubscribe())
    this.#task.runNow()
  }

  /** Looks at the queue soon. To be called after a commit. */
  wake(): void {
    if (!this.#isStarted || this.#wakeTimer) return
    const delayMs = this.#lookedAt + MIN_GAP_MS - performance.now()
    if (delayMs <= 0) this.#task.runNow()
    else this.#wakeTimer = setTimeout(() => this.#lookNow(), delayMs).unref()
  }

  /**
   * Resolves when no work is left, apart from what has failed and is tried again later. Waits only briefly for checks
   * of content that transactions of this database hold up.
   */
  async settle(): Promise<void> {
    const since = performance.now()
    if (this.#isStarted) await this.#task.runToEnd()
    while (this.#isStarted && (await this.#hasChecks()) && (await this.#mayWaitForChecks(since))) {
      await wait(CHECKS_PAUSE_MS)
      await this.#task.runToEnd()
    }
  }

  /** Takes no more work and waits for the current batch. */
  async stop(): Promise<void> {
    this.#isStarted = false
    this.#stopListening?.()
    clearTimeout(this.#wakeTimer)
    this.#stopping.abort()
    await this.#task.stop()
  }

  #lookForRebuilds(): void {
    this.#mayHaveRebuilds = true
    this.wake()
  }

  #lookNow(): void {
    this.#wakeTimer = undefined
    this.#task.runNow()
  }

  async #work(): Promise<number> {
    const { mayWork, reindexer } = this.#setup
    if (!mayWork()) return POLL_MS
    if (this.#mayHaveRebuilds || performance.now() > this.#lookForRebuildsAt) await this.#findRebuilds()
    let hasMore = true
    while (hasMore && mayWork() && !this.#stopping.signal.aborted) {
      await this.#queueChecks()
      const hasProcessed = await this.#processBatch()
      // Changed records come first, so that a long rebuild does not delay them.
      hasMore = hasProcessed || (await reindexer.rebuildNext())
    }
    this.#lookedAt = performance.now()
    return Math.min(POLL_MS, this.#batches.msUntilRetry())
  }

  async #findRebuilds(): Promise<void> {
    this.#mayHaveRebuilds = false
    this.#lookForRebuildsAt = performance.now() + REBUILDS_EVERY_MS
    await this.#setup.reindexer.findUnfinished()
  }

  // A check waits in a table of its own, so that an open transaction does not hold up the queue. The commit that ends its
  // wait wakes the worker.
  async #queueChecks(): Promise<void> {
    const { database } = this.#setup
    if (!this.#hasContent) return
    await database.query(SCHEDULE_CHECKS)
    await database.query(queueDueChecks(CHECKS_LIMIT))
  }

  async #hasChecks(): Promise<boolean> {
    if (!this.#hasContent) return false
    const { rows } = await this.#setup.database.query(HAS_CHECKS)
    return rows[0]?.[0] === true
  }

  async #mayWaitForChecks(since: number): Promise<boolean> {
    const waitedMs = performance.now() - since
    if (waitedMs < MAX_CHECKS_WAIT_MS) return true
    if (waitedMs > MAX_CHECKS_WAIT_FOR_OTHERS_MS) return false
    const { rows } = await this.#setup.database.query(IS_HELD_UP_HERE)
    return rows[0]?.[0] !== true
  }

  async #processBatch(): Promise<boolean> {
    const { database, tables } = this.#setup
    const steps = this.#batches.availableSteps()
    const claim = { limit: BATCH_SIZE, leaseMs: LEASE_MS, tables: [...tables.keys()], steps, worker: this.#worker }
    const { rows } = await database.query(claimQueued(claim))
    if (rows.length === 0) return false
    await this.#store(await this.#batches.process(rows.map(decodeQueued).sort(byQueueId)))
    return true
  }

  async #store({ finished, unfinished }: BatchOutcome): Promise<void> {
    const { database, checkedTables } = this.#setup
    const worker = this.#worker
    if (finished.length > 0) await database.query(deleteQueued({ queueIds: finished, checkedTables, worker }))
    if (unfinished.length > 0) await database.query(releaseQueued(unfinished))
  }
}

function byQueueId(left: QueuedRecord, right: QueuedRecord): number {
  return Number(BigInt(left.queueId) - BigInt(right.queueId))
}
