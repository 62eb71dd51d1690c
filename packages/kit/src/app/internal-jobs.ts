import type { KeptFiles } from "../features/uploads/kept-files.ts"
import type { Database } from "../ports/database.ts"
import { type Job, job } from "../schema/job.ts"
import type { StandardSchema } from "../schema/validation.ts"
import { FORGET_READ_CHANGES } from "../sql/read-changes.ts"
import type { OpenKeyValues } from "./open-key-values.ts"

interface KeptClean {
  readonly database: Database
  readonly kv: Pick<OpenKeyValues, "sweep">
  readonly files: Pick<KeptFiles, "sweep">
}

const ANYTHING_GIVEN: StandardSchema = {
  "~standard": { version: 1, vendor: "kit", validate: (value) => ({ value }) },
}

const NOTHING_GIVEN: StandardSchema = {
  "~standard": { version: 1, vendor: "kit", validate: () => ({ value: {} }) },
}

/** Moves a record to another stage at its time. Its runs are handed to `runScheduledMove`, which acts as whoever asked for it. */
export const MOVE_JOB: Job = job({ name: "kit.move", schema: ANYTHING_GIVEN, handler: () => undefined })

/** What the framework does from time to time, as jobs like the author's. */
export function internalJobs({ database, kv, files }: KeptClean): readonly Job[] {
  return [
    MOVE_JOB,
    job({
      name: "kit.prune-changes",
      schema: NOTHING_GIVEN,
      handler: () => database.query(FORGET_READ_CHANGES),
      options: { cron: "0 * * * *" },
    }),
    job({
      name: "kit.sweep-kv",
      schema: NOTHING_GIVEN,
      handler: () => kv.sweep(),
      options: { cron: "30 * * * *" },
    }),
    job({
      name: "kit.sweep-files",
      schema: NOTHING_GIVEN,
      handler: () => files.sweep(),
      options: { cron: "45 * * * *" },
    }),
  ]
}
