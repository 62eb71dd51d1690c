import type { SummaryLine } from "../terminal/summary.ts"

/** The message that `kit start` sends to `kit dev` when the app has started. */
export interface StartReport {
  readonly summary: readonly SummaryLine[]
  readonly ready: string
  /** True if the app uses the embedded database. */
  readonly isEmbedded: boolean
}

/** The message that lists the files from which the app was compiled, sent to `kit dev` as soon as they are known. */
interface InputsReport {
  readonly inputs: readonly string[]
}

/** The message that the app has begun to stop, which proves to `kit dev` that the app is not stuck in a loop. */
interface StopReport {
  readonly isStopping: true
}

export type DevReport = InputsReport | StartReport | StopReport

/** True if `kit dev` has started this process; `kit dev` may have ended since. */
export function isStartedByDev(): boolean {
  return process.send !== undefined
}

export function reportToDev(report: DevReport): void {
  // `kit dev` may end at any moment; a report that cannot be delivered does not matter.
  if (process.connected) process.send?.(report, undefined, undefined, () => {})
}
