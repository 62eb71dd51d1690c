import { type DueClock, dueTime, readDueTime } from "../../engine/database/due-clock.ts"
import { RecurringTask } from "../../engine/database/recurring-task.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import { CRON_TABLE } from "../../sql/internal/job-tables.ts"
import { lastTick, nextTick } from "./cron-ticks.ts"
import { serializePayload } from "./job-payload.ts"
import type { JobQueue } from "./job-queue.ts"

interface CronScheduleDependencies {
  readonly bookkeeping: Database
  readonly queue: JobQueue
  readonly logger: Logger
  readonly jobs: readonly JobDefinition[]
  readonly dueNow: DueClock
}

type CronJob = JobDefinition & { readonly cron: NonNullable<JobDefinition["cron"]> }

// The longest wait between two checks for due cron jobs, so that a changed clock or a suspended machine is noticed.
const LOOK_EVERY_MS = 60_000

/**
 * Publishes cron jobs at their ticks, the times that match their cron patterns: one job per tick, for any number of
 * instances. If ticks passed while no instance was running, a job is published only for the last of them.
 */
export class CronSchedule {
  readonly #setup: CronScheduleDependencies
  readonly #jobs: readonly CronJob[]
  /** The time of the last tick for which each cron job was published, by job name, as far as this process knows. */
  readonly #lastPublished = new Map<string, number>()
  readonly #watch: RecurringTask

  constructor(setup: CronScheduleDependencies) {
    this.#setup = setup
    this.#jobs = setup.jobs.filter(hasCron)
    this.#watch = new RecurringTask({
      work: () => this.#publishDue(),
      onError: (error) => setup.logger.warn("Publishing a cron job failed; retrying.", { error }),
    })
  }

  async start(): Promise<void> {
    const { bookkeeping, dueNow } = this.#setup
    for (const job of this.#jobs) {
      await serializePayload(job, job.cron.payload)
      await registerCron(bookkeeping, { name: job.name, pattern: patternOf(job), now: dueNow() })
    }
    if (this.#jobs.length > 0) this.#watch.runNow()
  }

  catchUp(): void {
    if (this.#jobs.length > 0) this.#watch.runNow()
  }

  /** Like `catchUp`, but resolves when all cron jobs that are due have been published. */
  async publishDue(): Promise<void> {
    if (this.#jobs.length > 0) await this.#watch.runToEnd()
  }

  stop(): Promise<void> {
    return this.#watch.stop()
  }

  async #publishDue(): Promise<number> {
    const { bookkeeping, dueNow } = this.#setup
    const now = await readDueTime(bookkeeping, dueNow)
    for (const job of this.#jobs) await this.#publishOnce(job, lastTick(job.cron.pattern, now))
    const waits = this.#jobs.map((job) => nextTick(job.cron.pattern, now).getTime() - now.getTime())
    return Math.min(LOOK_EVERY_MS, ...waits)
  }

  async #publishOnce(job: CronJob, tick: Date): Promise<void> {
    if ((this.#lastPublished.get(job.name) ?? 0) >= tick.getTime()) return
    const { bookkeeping, queue } = this.#setup
    await bookkeeping.transaction(async (transaction) => {
      const isOurs = await takeTick(transaction, { name: job.name, tick })
      if (isOurs) await queue.publish(transaction, { job, payload: job.cron.payload })
    })
    this.#lastPublished.set(job.name, tick.getTime())
  }
}

function hasCron(job: JobDefinition): job is CronJob {
  return job.cron !== undefined
}

function patternOf({ cron }: CronJob): string {
  return `${cron.pattern.text} ${cron.pattern.timeZone}`
}

// Registers a cron job. A new job, or a job whose pattern has changed, is first published at its next tick.
const REGISTER = `insert into ${CRON_TABLE} as cron (name, pattern, last_at) values ($1, $2, ${dueTime("$3")})
  on conflict (name) do update set pattern = excluded.pattern, last_at = excluded.last_at
  where cron.pattern <> excluded.pattern`

async function registerCron(connection: Connection, { name, pattern, now }: Registration): Promise<void> {
  await connection.query({ text: REGISTER, values: [name, pattern, now] })
}

interface Registration {
  readonly name: string
  readonly pattern: string
  readonly now: Date | null
}

// Marks a tick as published. Instances that reach the same tick wait for the row lock, and only the first updates the
// row.
const TAKE_TICK = `update ${CRON_TABLE} set last_at = $2 where name = $1 and last_at < $2`

async function takeTick(connection: Connection, { name, tick }: { name: string; tick: Date }): Promise<boolean> {
  return (await connection.query({ text: TAKE_TICK, values: [name, tick] })).rowCount > 0
}
