import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import type { Database } from "../../ports/database.ts"
import { Job, job } from "../../schema/builders/job.ts"
import type { StandardSchema } from "../../schema/compile/validation.ts"
import { DELETE_READ_CHANGES } from "../../sql/changes/read-changes.ts"
import { DELETE_OLD_CHANNEL_EVENTS } from "../../sql/internal/channel-events.ts"
import { TRANSITION_JOB_NAME } from "../../sql/stages/pending-transitions.ts"
import type { OpenKeyValues } from "../parts/key-values-part.ts"

interface MaintenanceDependencies {
  readonly database: Database
  readonly kv: Pick<OpenKeyValues, "sweep">
  readonly files: Pick<StoredFiles, "sweep">
  readonly hasChannels: boolean
}

const ANY_PAYLOAD: StandardSchema = {
  "~standard": { version: 1, vendor: "kit", validate: (value) => ({ value }) },
}

const NO_PAYLOAD: StandardSchema = {
  "~standard": { version: 1, vendor: "kit", validate: () => ({ value: {} }) },
}

const TRANSITION = job({
  name: TRANSITION_JOB_NAME,
  schema: ANY_PAYLOAD,
  handler: () => undefined,
  // Temporary failures are retried after a second. There are ten retries, since a worker's crash counts as an attempt.
  options: { retryLimit: 10, retryDelay: 1 },
})

/**
 * The job that runs a pending transition at its time, with the rights of the user who requested it; see
 * `runPendingTransition`. The lease is short, because a worker's crash must not delay the transition. A second attempt
 * is harmless, since the transition commits in the same transaction that completes the job.
 */
export const TRANSITION_JOB: Job = new Job({ ...TRANSITION.definition, leaseMs: 2_000 })

/** Returns the framework's periodic work as jobs, which run like the author's jobs. */
export function internalJobs({ database, kv, files, hasChannels }: MaintenanceDependencies): readonly Job[] {
  return [
    TRANSITION_JOB,
    job({
      name: "kit.prune-changes",
      schema: NO_PAYLOAD,
      handler: () => database.query(DELETE_READ_CHANGES),
      options: { cron: "0 * * * *" },
    }),
    job({
      name: "kit.sweep-kv",
      schema: NO_PAYLOAD,
      handler: () => kv.sweep(),
      options: { cron: "30 * * * *" },
    }),
    job({
      name: "kit.sweep-files",
      schema: NO_PAYLOAD,
      handler: () => files.sweep(),
      options: { cron: "45 * * * *" },
    }),
    ...(hasChannels ? [channelSweepJob(database)] : []),
  ]
}

function channelSweepJob(database: Database): Job {
  return job({
    name: "kit.sweep-channels",
    schema: NO_PAYLOAD,
    handler: async () => {
      for (const statement of DELETE_OLD_CHANNEL_EVENTS) await database.query(statement)
    },
    options: { cron: "15 * * * *" },
  })
}
