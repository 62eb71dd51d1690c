import type { SettingGroup } from "./settings/setting.ts"
import { countUpTo, FLAG } from "./settings/setting-types.ts"

export interface QueueConfig {
  /** How many jobs one worker runs at the same time; 20 unless set. */
  readonly concurrency?: number
  /** True if `kit start` and `kit dev` run jobs themselves; true unless set. `kit worker` always runs jobs. */
  readonly worker?: boolean
}

const MAX_CONCURRENCY = 1_000

export const QUEUE_SETTINGS: SettingGroup = {
  concurrency: {
    ...countUpTo(MAX_CONCURRENCY),
    default: "20",
    purpose: "how many jobs one worker runs at the same time",
  },
  worker: { ...FLAG, default: "`true`", purpose: "`false` where only `kit worker` runs jobs" },
}
