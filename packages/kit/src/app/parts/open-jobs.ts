import { hostname } from "node:os"
import { openPostgres, type PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import type { CompiledJobs } from "../../features/jobs/compile-jobs.ts"
import { nextTick } from "../../features/jobs/cron-ticks.ts"
import { JobQueue, type Publication } from "../../features/jobs/job-queue.ts"
import { nextDueAt } from "../../features/jobs/job-rows.ts"
import { JobWorker } from "../../features/jobs/job-worker.ts"
import { createPublishers, type Publishers } from "../../features/jobs/publishers.ts"
import type { JobRun } from "../../features/jobs/running-job.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { Job } from "../../schema/builders/job.ts"
import type { QueueConfig } from "../config/queue-config.ts"

interface JobsDependencies {
  readonly config: QueueConfig | undefined
  readonly jobs: CompiledJobs
  /** The framework's own jobs. */
  readonly internal: readonly Job[]
  /** True if the schema has workflows, whose pending transitions run as jobs. */
  readonly hasTransitions: boolean
  readonly postgres: PostgresOptions
  readonly bus: MessageBus
  readonly database: Database
  readonly logger: Logger
  now(): Date
  /** True if the tables fit this version of the app. */
  readonly canRunJobs: () => boolean
}

type RunJob = (run: JobRun) => Promise<unknown>

interface RunningWorker {
  readonly worker: JobWorker
  readonly bookkeeping: Database
}

const DEFAULT_CONCURRENCY = 20
const BOOKKEEPING_CONNECTIONS = 2
// How long running jobs may take to finish at a shutdown. It leaves time for the other steps of a shutdown, which must
// not take more than ten seconds in total.
const DRAIN_MS = 8_000

/** The publishers of an app's jobs and, once it is started, the worker. Nothing is opened before its first use. */
export class OpenJobs {
  readonly publishers: Publishers
  readonly #dependencies: JobsDependencies
  readonly #queue: JobQueue
  #runningWorker: Promise<RunningWorker> | undefined

  constructor(place: JobsDependencies) {
    const { bus, now, jobs } = place
    this.#dependencies = place
    this.#queue = new JobQueue({ bus, now })
    this.publishers = createPublishers(this.#queue, jobs)
  }

  /** Publishes one of the framework's own jobs, in the connection's transaction. */
  publishInternal(connection: Connection, publication: Publication): Promise<string> {
    return this.#queue.publish(connection, publication)
  }

  /** True if there are jobs besides the framework's cleanup: jobs of the author, or pending transitions. */
  get hasJobs(): boolean {
    return this.#dependencies.jobs.size > 0 || this.#dependencies.hasTransitions
  }

  /** Starts the worker; if it is already starting, waits for that start. */
  async startWorker(run: RunJob): Promise<void> {
    this.#runningWorker ??= this.#openWorker(run)
    await this.#runningWorker
  }

  /** Runs every job that is due by the app's clock, if there is a worker; resolves when no due job is left. */
  async settle(): Promise<void> {
    await (await this.#runningWorker)?.worker.settle()
  }

  /**
   * Returns the time at which the next job runs: a delayed job, or one of the author's jobs at its next cron tick.
   * Undefined without a worker.
   */
  async nextDueAt(): Promise<Date | undefined> {
    const { jobs, database, now } = this.#dependencies
    if (this.#runningWorker === undefined) return undefined
    const moments = [...jobs.values()].flatMap(({ cron }) => (cron ? nextTick(cron.pattern, now()) : []))
    const scheduled = await nextDueAt(database)
    const all = scheduled ? [scheduled, ...moments] : moments
    return all.length === 0 ? undefined : new Date(Math.min(...all.map(Number)))
  }

  /** Takes no more jobs and waits for the running jobs. */
  async stopWorker(): Promise<void> {
    const working = this.#runningWorker
    this.#runningWorker = undefined
    // A worker whose start failed has already closed its own connections, so there is nothing to stop.
    const started = await working?.catch(() => undefined)
    if (started === undefined) return
    await started.worker.stop(DRAIN_MS)
    await started.bookkeeping.close()
  }

  async #openWorker(run: RunJob): Promise<RunningWorker> {
    const { config, jobs, internal, postgres, database, logger, now, canRunJobs } = this.#dependencies
    const bookkeeping = openPostgres({
      ...postgres,
      maxConnections: BOOKKEEPING_CONNECTIONS,
      onError: (error) => logger.warn("A database connection of the worker failed.", { error }),
    })
    const worker = new JobWorker({
      ...{ database, bookkeeping, queue: this.#queue, logger, now, mayWork: canRunJobs, run },
      jobs: [...jobs.values(), ...internal.map(({ definition }) => definition)],
      concurrency: config?.concurrency ?? DEFAULT_CONCURRENCY,
      name: `${hostname()}:${process.pid}`,
    })
    try {
      await worker.start()
      return { worker, bookkeeping }
    } catch (error) {
      await bookkeeping.close()
      throw error
    }
  }
}
