import type { IndexedTable } from "../../engine/search/index/indexed-tables.ts"
import type { Logger } from "../../ports/logger.ts"
import type { QueuedRecord, UnfinishedRow } from "../../sql/search/queue.ts"
import type { IndexStep } from "./index-step.ts"
import { StepPauses } from "./step-pauses.ts"

interface BatchDependencies {
  readonly tables: ReadonlyMap<string, IndexedTable>
  readonly steps: readonly IndexStep[]
  refreshContent(table: string, ids: readonly string[]): Promise<void>
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** The result of a batch: the rows of the queue to delete, and those for which something is left to do. */
export interface BatchOutcome {
  readonly finished: readonly string[]
  readonly unfinished: readonly UnfinishedRow[]
}

interface RecordState {
  readonly row: QueuedRecord
  readonly done: Set<string>
  hasFailed: boolean
}

/** A step bound to the records of one table. */
interface TableStep {
  readonly name: string
  readonly table: string
  process(ids: readonly string[]): Promise<void>
}

const CONTENT = "content"
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 3_600_000

/**
 * Runs the steps over batches of records. A step that fails for every record is paused, and a record that fails alone
 * is put aside, each with a growing delay, so that neither holds up the others.
 */
export class IndexBatches {
  readonly #setup: BatchDependencies
  readonly #pauses: StepPauses

  constructor(setup: BatchDependencies) {
    this.#setup = setup
    this.#pauses = new StepPauses()
  }

  /** Returns the names of the steps that are not paused. */
  availableSteps(): readonly string[] {
    return this.#setup.steps.map(({ name }) => name).filter((name) => !this.#pauses.isPaused(name))
  }

  /** Returns the time until a paused step is tried again; Infinity if none is paused. */
  msUntilRetry(): number {
    return this.#pauses.msUntilNext()
  }

  async process(rows: readonly QueuedRecord[]): Promise<BatchOutcome> {
    const states = rows.map((row) => ({ row, done: new Set(row.done), hasFailed: false }))
    for (const [name, group] of groupByTable(states)) {
      const table = this.#setup.tables.get(name)
      if (table) await this.#processTable(name, table, group)
    }
    return this.#outcomeOf(states)
  }

  async #processTable(name: string, table: IndexedTable, states: readonly RecordState[]): Promise<void> {
    const { steps, signal, refreshContent } = this.#setup
    const contents = states.filter(({ row }) => row.isContent)
    const changed = states.filter(({ row }) => !row.isContent)
    await this.#run({ name: CONTENT, table: name, process: (ids) => refreshContent(name, ids) }, contents)
    for (const step of steps) {
      const processIds = (ids: readonly string[]) => step.process({ ...table, ids, signal })
      await this.#run({ name: step.name, table: name, process: processIds }, changed)
    }
  }

  async #run(step: TableStep, states: readonly RecordState[]): Promise<void> {
    const waiting = states.filter(({ done }) => !done.has(step.name))
    const [first, ...rest] = waiting
    if (first === undefined || this.#pauses.isPaused(step.name) || this.#setup.signal.aborted) return
    const failure = await this.#attempt(step, waiting)
    if (failure === undefined || this.#setup.signal.aborted) return
    // If the step cannot process the first record alone either, it probably cannot process anything now.
    if (await this.#fail(step, first)) this.#pause(step, failure)
    else await this.#isolate(step, rest)
  }

  // Finds the records for which the step fails, by halves.
  async #isolate(step: TableStep, states: readonly RecordState[]): Promise<void> {
    const [first, ...rest] = states
    if (first === undefined || this.#setup.signal.aborted) return
    if (rest.length === 0) {
      await this.#fail(step, first)
      return
    }
    if ((await this.#attempt(step, states)) === undefined) return
    const half = Math.ceil(states.length / 2)
    await this.#isolate(step, states.slice(0, half))
    await this.#isolate(step, states.slice(half))
  }

  // Processes one record alone. Returns true if it fails, and puts it aside.
  async #fail(step: TableStep, state: RecordState): Promise<boolean> {
    const failure = await this.#attempt(step, [state])
    if (failure === undefined || this.#setup.signal.aborted) return false
    state.hasFailed = true
    this.#setup.logger.warn("A record could not be added to the search index; it is tried again later.", {
      step: step.name,
      table: step.table,
      record: state.row.id,
      error: failure.error,
    })
    return true
  }

  async #attempt(step: TableStep, states: readonly RecordState[]): Promise<{ readonly error: unknown } | undefined> {
    try {
      await step.process([...new Set(states.map(({ row }) => row.id))])
    } catch (error) {
      return { error }
    }
    this.#pauses.resume(step.name)
    for (const { done } of states) done.add(step.name)
    return undefined
  }

  #pause({ name }: TableStep, { error }: { readonly error: unknown }): void {
    const delayMs = this.#pauses.pause(name)
    this.#setup.logger.warn("A step of the search index failed and is paused.", { step: name, delayMs, error })
  }

  #outcomeOf(states: readonly RecordState[]): BatchOutcome {
    const names = this.#setup.steps.map(({ name }) => name)
    const isFinished = ({ row, done }: RecordState) =>
      row.isContent ? done.has(CONTENT) : names.every((name) => done.has(name))
    const unfinished = states.filter((state) => !isFinished(state))
    return {
      finished: states.filter(isFinished).map(({ row }) => row.queueId),
      unfinished: unfinished.map((state) => this.#unfinishedRow(state)),
    }
  }

  #unfinishedRow({ row: { queueId, attempts }, done, hasFailed }: RecordState): UnfinishedRow {
    const pausedMs = this.#pauses.msUntilNext()
    const waitMs = hasFailed ? Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts) : 0
    const delayMs = Math.max(waitMs, Number.isFinite(pausedMs) ? pausedMs : 0)
    return { queueId, done: [...done], attempts: attempts + (hasFailed ? 1 : 0), delayMs }
  }
}

function groupByTable(states: readonly RecordState[]): ReadonlyMap<string, readonly RecordState[]> {
  const groups = new Map<string, RecordState[]>()
  for (const state of states) {
    const group = groups.get(state.row.table) ?? []
    groups.set(state.row.table, group)
    group.push(state)
  }
  return groups
}
