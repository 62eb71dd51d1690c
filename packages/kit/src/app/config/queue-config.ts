import type { SettingChecks } from "./setting-check.ts"

export interface QueueConfig {
  /** How many jobs one worker runs at the same time; 20 unless set. */
  readonly concurrency?: number
  /** True if `kit start` and `kit dev` run jobs themselves; true unless set. `kit worker` always runs jobs. */
  readonly worker?: boolean
}

const MAX_CONCURRENCY = 1_000

export const QUEUE_SETTINGS: SettingChecks = {
  concurrency: (value) => (isConcurrency(value) ? undefined : `a whole number from 1 to ${MAX_CONCURRENCY}`),
  worker: (value) => (typeof value === "boolean" ? undefined : "true or false"),
}

function isConcurrency(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CONCURRENCY
}
