import { isOfDev, tellDev } from "../project/tell-dev.ts"

// The last one comes when a terminal is closed.
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
// One Ctrl-C may arrive several times: from the terminal, and from npm or `kit dev`, which pass it on.
const ONE_CALL_MS = 1_000

/** Ends the process in order, with this code unless it is ending with a worse one. */
export type EndProcess = (code: number) => void

/** Ends this process in order when it is told to, at once when it is told again; returns what ends it for another reason. */
export function stopOnSignal(stop: () => Promise<void>): EndProcess {
  let exitCode = 0
  let toldAt: number | undefined
  let isEnding = false
  let hungUp = false
  const end: EndProcess = (code) => {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    tellDev({ isStopping: true })
    stop().then(
      () => (hungUp ? endHungUp() : process.exit(exitCode)),
      (error) => {
        process.stderr.write(`${error}\n`)
        process.exit(1)
      },
    )
  }
  const hear = () => {
    toldAt ??= performance.now()
    if (performance.now() - toldAt > ONE_CALL_MS) process.exit(1)
    end(0)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, hear)
  process.on("SIGHUP", () => {
    hungUp = true
  })
  process.off("disconnect", leave)
  // `kit dev` started this process and is gone.
  process.on("disconnect", hear)
  return end
}

/** Ends a process whose terminal is gone by the signal that said so: Node crashes when it exits without a terminal it had. */
export function endHungUp(): void {
  process.removeAllListeners("SIGHUP")
  process.kill(process.pid, "SIGHUP")
}

/** Ends a process that `kit dev` has started, should that one be gone while there is nothing to stop in order yet. */
export function endWithDev(): void {
  if (isOfDev()) process.on("disconnect", leave)
}

function leave(): void {
  process.exit(1)
}
