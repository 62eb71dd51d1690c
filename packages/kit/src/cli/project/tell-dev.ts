import type { SummaryLine } from "../terminal/summary.ts"

/** What `kit dev` hears from the process that it has started. */
export interface StartReport {
  readonly summary: readonly SummaryLine[]
  readonly ready: string
  /** Whether its database is the one that kit brings along. */
  readonly isEmbedded: boolean
}

/** The files of which the app was compiled, heard as soon as they are known. */
export interface InputsReport {
  readonly inputs: readonly string[]
}

/** A process that ends is not caught in a loop. */
export interface StopReport {
  readonly isStopping: true
}

export type Report = InputsReport | StartReport | StopReport

/** Whether `kit dev` has started this process; it may be gone by now. */
export function isOfDev(): boolean {
  return process.send !== undefined
}

export function tellDev(report: Report): void {
  // It may go at any moment. What is to be done then does not depend on what it has heard.
  if (process.connected) process.send?.(report, undefined, undefined, () => {})
}
