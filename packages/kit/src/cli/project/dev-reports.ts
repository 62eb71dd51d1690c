import type { SummaryLine } from "../terminal/summary.ts"

/** Sent to `kit dev` when the app has started. */
export interface StartReport {
  readonly summary: readonly SummaryLine[]
  readonly ready: string
  /** The app uses the embedded database. */
  readonly isEmbedded: boolean
}

/** The files from which the app was compiled, sent as soon as they are known. */
export interface InputsReport {
  readonly inputs: readonly string[]
}

/** Sent when the app starts to stop, which proves that it is not stuck in a loop. */
export interface StopReport {
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
