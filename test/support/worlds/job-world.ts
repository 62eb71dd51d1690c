import { openPostgresBus } from "../../../packages/kit/src/drivers/postgres/bus.ts"
import { openPostgres } from "../../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { JobQueue } from "../../../packages/kit/src/features/jobs/job-queue.ts"
import { JobWorker } from "../../../packages/kit/src/features/jobs/job-worker.ts"
import type { JobRun } from "../../../packages/kit/src/features/jobs/running-job.ts"
import type { Connection, Database } from "../../../packages/kit/src/ports/database.ts"
import type { Logger } from "../../../packages/kit/src/ports/logger.ts"
import type { Job, JobContext } from "../../../packages/kit/src/schema/builders/job.ts"
import { compileSchema } from "../../../packages/kit/src/schema/compile/compile.ts"
import type { AppSchema } from "../../../packages/kit/src/schema/compile/resource.ts"
import type { StandardSchema } from "../../../packages/kit/src/schema/compile/validation.ts"
import type { PublishOptions } from "../../../packages/kit/src/schema/context/job-publisher.ts"
import { freshDatabase } from "../../../packages/kit/src/testing/fresh-database.ts"
import { testServer } from "../../../packages/kit/src/testing/test-server.ts"
import { openTestDatabase, type TestDatabase } from "../test-database.ts"

/** A database with the tables of the queue, and instances that use it like processes of an app. */
export interface JobWorld extends AsyncDisposable {
  readonly database: TestDatabase
  readonly logged: readonly { message: string; fields: unknown }[]
  /** The clock does not advance by itself; tests set it. */
  readonly clock: { now: Date }
  instance(options?: InstanceOptions): JobInstance
}

interface InstanceOptions {
  readonly url?: string
  /** The URL for notifications and leases, which a test can cut. */
  readonly bookkeepingUrl?: string
  readonly bookkeepingConnections?: number
  readonly now?: () => Date
  /** The clock that decides what is due; `now` unless set. Null stands for the database's clock. */
  readonly dueNow?: () => Date | null
  readonly maxConnections?: number
}

export interface JobInstance extends AsyncDisposable {
  readonly database: Database
  readonly queue: JobQueue
  publish(job: Job, payload: unknown, options?: PublishOptions & { on?: Connection }): Promise<string>
  /** Starts a worker for these jobs. */
  work(
    jobs: readonly Job[],
    options?: { concurrency?: number; run?: (run: JobRun) => Promise<unknown> },
  ): Promise<JobWorker>
}

export async function jobWorld(): Promise<JobWorld> {
  const fresh = await freshDatabase(await testServer("."), { schema: emptySchema(), migrations: [] })
  const database = openTestDatabase(fresh.url)
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields: unknown) => void logged.push({ message, fields })
  const logger: Logger = { info: log, warn: log, error: log }
  const clock = { now: new Date() }
  const instances: JobInstance[] = []
  return {
    database,
    logged,
    clock,
    instance: (options = {}) => {
      const made = openInstance({ url: database.url, now: () => new Date(), ...options, logger })
      instances.push(made)
      return made
    },
    [Symbol.asyncDispose]: async () => {
      for (const instance of instances) await instance[Symbol.asyncDispose]()
      await database.drop()
      fresh.drop()
    },
  }
}

/** Returns a schema that accepts values that pass the test, or any value. */
export function schemaOf<Value = unknown>(test: (value: any) => boolean = () => true): StandardSchema<Value> {
  const validate = (value: unknown) =>
    test(value) ? { value } : { issues: [{ message: "Does not fit.", path: ["x"] }] }
  return { "~standard": { version: 1, vendor: "test", validate } }
}

function emptySchema(): AppSchema {
  const compiled = compileSchema([])
  if (!("schema" in compiled)) throw new Error("An empty schema compiles.")
  return compiled.schema
}

interface OpenOptions {
  readonly url: string
  readonly bookkeepingUrl?: string
  readonly bookkeepingConnections?: number
  readonly logger: Logger
  readonly maxConnections?: number
  now(): Date
  dueNow?(): Date | null
}

function openInstance(options: OpenOptions): JobInstance {
  const { url, bookkeepingUrl = url, bookkeepingConnections = 2, logger, now, maxConnections = 10 } = options
  const { dueNow = now } = options
  const database = openPostgres({ url, maxConnections })
  const bookkeeping = openPostgres({ url: bookkeepingUrl, maxConnections: bookkeepingConnections })
  const bus = openPostgresBus({ url: bookkeepingUrl, heartbeatMs: 500 })
  const queue = new JobQueue({ bus, now, dueNow })
  const workers: JobWorker[] = []
  const callHandler = async ({ job, id: jobId, payload, attempt, publishedBy, signal }: JobRun) =>
    // These jobs have no app, and their handlers use nothing more of the context.
    job.handler({ payload, jobId, attempt, publishedBy, signal } as JobContext)
  let isOpen = true
  return {
    database,
    queue,
    publish: ({ definition }, payload, { on = database, ...options } = {}) =>
      queue.publish(on, { job: definition, payload, options }),
    work: async (jobs, { concurrency = 10, run = callHandler } = {}) => {
      const definitions = jobs.map(({ definition }) => definition)
      const setup = {
        database,
        bookkeeping,
        queue,
        logger,
        dueNow,
        run,
        mayWork: () => true,
        concurrency,
        name: "test",
      }
      const worker = new JobWorker({ ...setup, jobs: definitions })
      workers.push(worker)
      await worker.start()
      return worker
    },
    [Symbol.asyncDispose]: async () => {
      if (!isOpen) return
      isOpen = false
      for (const worker of workers) await worker.stop(0)
      await bus.close()
      await Promise.all([database.close(), bookkeeping.close()])
    },
  }
}
