import type { CompiledJobs } from "../../features/jobs/compile-jobs.ts"
import { JobQueue } from "../../features/jobs/job-queue.ts"
import { createPublishers, type Publishers } from "../../features/jobs/publishers.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { Part } from "../part-list.ts"

interface QueueDependencies extends Pick<AppInputs, "now" | "dueNow"> {
  readonly jobs: CompiledJobs
  readonly bus: MessageBus
}

interface OpenQueue {
  readonly queue: JobQueue
  /** The author's jobs, which are published to the queue. */
  readonly publishers: Publishers
}

/** The queue that stores jobs. The worker, which runs them, is another part. */
export const queuePart: Part<QueueDependencies, OpenQueue> = {
  open: ({ jobs, bus, now, dueNow }) => {
    const queue = new JobQueue({ bus, now, dueNow })
    return { queue, publishers: createPublishers(queue, jobs) }
  },
}
