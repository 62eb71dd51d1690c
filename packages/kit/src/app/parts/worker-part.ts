import { hostname } from "node:os"
import { openPostgres, type PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import type { Engine } from "../../engine/engine.ts"
import type { CompiledJobs } from "../../features/jobs/compile-jobs.ts"
import { nextTick } from "../../features/jobs/cron-ticks.ts"
import type { JobQueue } from "../../features/jobs/job-queue.ts"
import { nextDueAt } from "../../features/jobs/job-rows.ts"
import { JobWorker } from "../../features/jobs/job-worker.ts"
import type { JobRun } from "../../features/jobs/running-job.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader } from "../../ports/session-provider.ts"
import type { Job } from "../../schema/builders/job.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppInputs } from "../app-inputs.ts"
import { callJobHandler } from "../handlers/call-job-handler.ts"
import type { HandlerContexts } from "../handlers/handler-contexts.ts"
import { internalJobs, TRANSITION_JOB } from "../handlers/internal-jobs.ts"
import { runPendingTransition } from "../handlers/run-pending-transition.ts"
import type { Part } from "../part-list.ts"
import type { DatabaseState } from "./database-part.ts"
import type { OpenKeyValues } from "./key-values-part.ts"
import type { OpenSearch } from "./search/search-part.ts"

interface WorkerDependencies extends Pick<AppInputs, "config" | "overrides" | "now" | "dueNow"> {
  readonly schema: AppSchema
  readonly jobs: CompiledJobs
  readonly channels: CompiledChannels
  readonly logger: Logger
  readonly postgres: PostgresOptions
  readonly database: Database
  readonly databaseState: Pick<DatabaseState, "canRunJobs">
  readonly kv: OpenKeyValues
  readonly files: StoredFiles
  readonly queue: JobQueue
  readonly sessionLoader: SessionLoader
  readonly engine: Engine
  readonly contexts: HandlerContexts
  readonly search: Pick<OpenSearch, "hasIndexes" | "start" | "settle" | "stop">
}

/** The worker, which runs jobs in this process once it is started. */
export const workerPart: Part<WorkerDependencies, { readonly worker: AppWorker }> = {
  open: (dependencies) => ({ worker: new AppWorker(dependencies) }),
  close: ({ worker }) => worker.stop(),
}

interface RunningWorker {
  readonly worker: JobWorker
  readonly bookkeeping: Database
}

const DEFAULT_CONCURRENCY = 20
const BOOKKEEPING_CONNECTIONS = 2
// How long running jobs may take to finish at a shutdown. It leaves time for the other steps of a shutdown, which must
// not take more than ten seconds in total.
const DRAIN_MS = 8_000

/** The worker of an app. Nothing is opened before it is started. */
export class AppWorker {
  readonly #dependencies: WorkerDependencies
  #running: Promise<RunningWorker> | undefined
  #stopping: Promise<void> = Promise.resolve()

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * True if there is work besides the framework's cleanup: jobs of the author, pending transitions, or records to index.
   */
  get hasJobs(): boolean {
    const { jobs, schema, search } = this.#dependencies
    return jobs.size > 0 || schema.stages.length > 0 || search.hasIndexes
  }

  /** Starts the worker; if it is already starting, waits for that start. */
  async start(): Promise<void> {
    this.#running ??= this.#open()
    await this.#running
  }

  /**
   * Runs every job that is due by the app's clock, if there is a worker, and indexes the records that have changed;
   * resolves when nothing of this is left.
   */
  async settle(): Promise<void> {
    await (await this.#running)?.worker.settle()
    await this.#dependencies.search.settle()
  }

  /**
   * Returns the time at which the next job runs: a delayed job, or one of the author's jobs at its next cron tick.
   * Undefined without a worker.
   */
  async nextDueAt(): Promise<Date | undefined> {
    const { jobs, database, now } = this.#dependencies
    if (this.#running === undefined) return undefined
    const moments = [...jobs.values()].flatMap(({ cron }) => (cron ? nextTick(cron.pattern, now()) : []))
    const scheduled = await nextDueAt(database)
    const all = scheduled ? [scheduled, ...moments] : moments
    return all.length === 0 ? undefined : new Date(Math.min(...all.map(Number)))
  }

  /** Takes no more jobs and waits for the running jobs; if it is already stopping, waits for that. */
  stop(): Promise<void> {
    const working = this.#running
    this.#running = undefined
    if (working !== undefined) this.#stopping = this.#stop(working)
    return this.#stopping
  }

  async #stop(working: Promise<RunningWorker>): Promise<void> {
    await Promise.all([stopWorker(working), this.#dependencies.search.stop()])
  }

  async #open(): Promise<RunningWorker> {
    const { config, jobs, postgres, database, databaseState, queue, logger, dueNow, search } = this.#dependencies
    const bookkeeping = openPostgres({
      ...postgres,
      maxConnections: BOOKKEEPING_CONNECTIONS,
      onError: (error) => logger.warn("A database connection of the worker failed.", { error }),
    })
    const worker = new JobWorker({
      ...{ database, bookkeeping, queue, logger, dueNow },
      mayWork: databaseState.canRunJobs,
      run: (run) => runJob(this.#dependencies, run),
      jobs: [...jobs.values(), ...internalJobsOf(this.#dependencies).map(({ definition }) => definition)],
      concurrency: config.queue?.concurrency ?? DEFAULT_CONCURRENCY,
      name: `${hostname()}:${process.pid}`,
    })
    try {
      await worker.start()
      search.start()
      return { worker, bookkeeping }
    } catch (error) {
      await bookkeeping.close()
      throw error
    }
  }
}

async function stopWorker(working: Promise<RunningWorker>): Promise<void> {
  // A worker whose start failed has already closed its own connections, so there is nothing to stop.
  const started = await working.catch(() => undefined)
  if (started === undefined) return
  await started.worker.stop(DRAIN_MS)
  await started.bookkeeping.close()
}

function runJob(dependencies: WorkerDependencies, run: JobRun): Promise<void> {
  const { overrides } = dependencies
  const call = () =>
    run.job === TRANSITION_JOB.definition ? runPendingTransition(dependencies, run) : callJobHandler(dependencies, run)
  return overrides.callHandler?.(call) ?? call()
}

function internalJobsOf({ database, kv, files, channels }: WorkerDependencies): readonly Job[] {
  return internalJobs({ database, kv, files, hasChannels: channels.size > 0 })
}
