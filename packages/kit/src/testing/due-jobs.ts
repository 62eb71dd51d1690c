import type { OpenedApp } from "../app/create-app.ts"
import { listTestJobs } from "./job-journal.ts"
import type { DueWork } from "./test-clock.ts"

/** An app's jobs as work that its clock runs. The clock is created before the app, so the app is attached later. */
export interface DueJobs extends DueWork {
  /** Attaches the app to its clock, and starts a worker if the author has declared jobs. */
  startWorkerFor(opened: OpenedApp): Promise<void>
}

const SETTLE_TIMEOUT_MS = 30_000

export function dueJobs(): DueJobs {
  let attached: OpenedApp | undefined
  let working: OpenedApp | undefined
  return {
    startWorkerFor: async (opened) => {
      attached = opened
      if (!opened.worker.hasJobs) return
      await opened.app.startWorker()
      working = opened
    },
    nextDueAt: async () => working?.worker.nextDueAt(),
    settle: async () => {
      // The hooks of the values that are written may publish jobs.
      await attached?.documents?.settle()
      if (working) await settleWithTimeout(working)
    },
  }
}

async function settleWithTimeout({ worker, database }: OpenedApp): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), SETTLE_TIMEOUT_MS)
  })
  const outcome = await Promise.race([worker.settle(), late])
  clearTimeout(timer)
  if (outcome !== "late") return
  const open = (await listTestJobs(database)).filter(({ state }) => state === "waiting" || state === "running")
  const names = [...new Set(open.map(({ name }) => name))].join(", ")
  throw new Error(
    `Jobs that are due have not ended within ${SETTLE_TIMEOUT_MS / 1000} s: ${names}. ` +
      "One of them hangs, or publishes itself again and again.",
  )
}
