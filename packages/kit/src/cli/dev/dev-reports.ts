import { readVariable } from "../../app/config/environment.ts"
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

/** The message that the app cannot start before one of these files exists, which are not among its sources. */
interface AwaitedReport {
  readonly awaited: readonly string[]
}

/** The message that the app has been loaded without a mistake. `kit dev` answers whether an older version is serving. */
interface LoadedReport {
  readonly isLoaded: true
}

/** The message that the database would accept this version. `kit dev` answers once the older version has ended. */
interface CheckedReport {
  readonly isChecked: true
}

/** The message with the reason why the app cannot start, as text for people. */
interface FailureReport {
  readonly failure: string
}

/** The message that the app has begun to stop, which proves to `kit dev` that the app is not stuck in a loop. */
interface StopReport {
  readonly isStopping: true
}

export type DevReport =
  | InputsReport
  | AwaitedReport
  | LoadedReport
  | CheckedReport
  | FailureReport
  | StartReport
  | StopReport

/** A message from `kit dev` to an app. */
export type DevMessage =
  /** The answer to `LoadedReport`. */
  | { readonly isOtherServing: boolean }
  /** The answer to `CheckedReport`. */
  | { readonly mayTakeOver: true }
  /** The mistake in a newer version of the app, for the page of this version. */
  | { readonly mistake: string }

// Another process manager may have started this process with an IPC channel, too. This is determined at the start,
// because the parent process id changes when `kit dev` ends.
const IS_STARTED_BY_DEV = process.send !== undefined && readVariable("KIT_DEV_PID") === String(process.ppid)

/** True if `kit dev` has started this process; `kit dev` may have ended since. */
export function isStartedByDev(): boolean {
  return IS_STARTED_BY_DEV
}

/** Sends a report to `kit dev`, if that has started this process. Resolves when the report has been delivered or lost. */
export function reportToDev(report: DevReport): Promise<void> {
  // `kit dev` may end at any moment; a report that cannot be delivered does not matter.
  if (!isStartedByDev() || !process.connected) return Promise.resolve()
  return new Promise((resolve) => void process.send?.(report, undefined, undefined, () => resolve()))
}
