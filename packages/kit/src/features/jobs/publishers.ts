import type { Connection } from "../../ports/database.ts"
import type { PublishedJob, PublishOptions } from "../../schema/context/job-publisher.ts"
import type { RegisteredQueue } from "../../schema/context/register.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { CompiledJobs } from "./compile-jobs.ts"
import type { JobQueue } from "./job-queue.ts"

/** On what a job is stored, and who asks for it. */
interface PublisherPlace {
  readonly connection: Connection
  readonly publishedBy: string | null
}

export interface Publishers {
  /** `queue` as code at this place sees it. */
  at(place: PublisherPlace): RegisteredQueue
}

interface Publisher {
  publish(payload: unknown, options?: PublishOptions): Promise<PublishedJob>
}

/** What publishes the jobs of an app, each by the name of its file. */
export function createPublishers(queue: JobQueue, jobs: CompiledJobs): Publishers {
  const publisherOf = (key: string, { connection, publishedBy }: PublisherPlace): Publisher => {
    const job = jobs.get(key)
    if (job === undefined) throw unknownJob(key, jobs)
    return {
      publish: async (payload, options = {}) => ({
        id: await queue.publish(connection, { job, payload, options, publishedBy }),
      }),
    }
  }
  const at = (place: PublisherPlace) =>
    new Proxy<Record<string, Publisher>>(Object.create(null), {
      // Who awaits it, or hands it through a promise, asks for `then`.
      get: (_target, key) => (typeof key === "string" && key !== "then" ? publisherOf(key, place) : undefined),
    })
  // The generated types describe the very jobs that it looks the names up in.
  return { at: (place) => at(place) as unknown as RegisteredQueue }
}

function unknownJob(key: string, jobs: CompiledJobs): Error {
  const remedy = jobs.size === 0 ? " Add a file to src/jobs." : didYouMean(key, jobs.keys())
  return new Error(`There is no job "${key}".${remedy}`)
}
