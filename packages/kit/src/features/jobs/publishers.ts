import { readMembers } from "../../engine/context/read-members.ts"
import type { Connection } from "../../ports/database.ts"
import type { PublishedJob, PublishOptions } from "../../schema/context/job-publisher.ts"
import type { RegisteredQueue } from "../../schema/context/register.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { CompiledJobs } from "./compile-jobs.ts"
import type { JobQueue } from "./job-queue.ts"

/** The connection on which a job is stored, and the id of the user who publishes the job. */
interface PublishContext {
  readonly connection: Connection
  readonly publishedBy: string | null
}

export interface Publishers {
  /** Returns the `queue` object for a context that uses this connection. */
  at(place: PublishContext): RegisteredQueue
}

interface Publisher {
  publish(payload: unknown, options?: PublishOptions): Promise<PublishedJob>
}

const OPTIONS = ["startAfter", "singletonKey", "priority"]

/** Creates the `queue` of an app, which has one publisher per job, under the name of the job's file. */
export function createPublishers(queue: JobQueue, jobs: CompiledJobs): Publishers {
  const publisherOf = (key: string, { connection, publishedBy }: PublishContext): Publisher => {
    const job = jobs.get(key)
    if (job === undefined) throw unknownJob(key, jobs)
    return {
      publish: async (payload, options = {}) => {
        readMembers(options, OPTIONS)
        return { id: await queue.publish(connection, { job, payload, options, publishedBy }) }
      },
    }
  }
  const at = (place: PublishContext) =>
    new Proxy<Record<string, Publisher>>(Object.create(null), {
      // The property `then` must be undefined, because `await` reads `then` to detect a promise.
      get: (_target, key) => (typeof key === "string" && key !== "then" ? publisherOf(key, place) : undefined),
    })
  // The cast is safe: the generated types describe the same jobs that the proxy looks up.
  return { at: (place) => at(place) as unknown as RegisteredQueue }
}

function unknownJob(key: string, jobs: CompiledJobs): Error {
  const remedy = jobs.size === 0 ? " Add a file to src/jobs." : didYouMean(key, jobs.keys())
  return new Error(`There is no job "${key}".${remedy}`)
}
