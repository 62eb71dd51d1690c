import { isStartedByDev, reportToDev } from "../dev/dev-reports.ts"

// The signals that stop a command. SIGHUP is sent when a terminal is closed.
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
// Further signals within this time count as repetitions. One Ctrl-C may arrive several times: from the terminal, and
// from npm or `kit dev`, which forward it.
const REPEATED_SIGNAL_MS = 1_000

/** A function that shuts the process down gracefully. The exit code is `code`, unless a higher one is already set. */
export type EndProcess = (code: number) => void

/**
 * Stops this process gracefully at the first signal, and immediately at a later signal. Returns a function that stops
 * the process gracefully without a signal.
 */
export function stopOnSignal(stop: () => Promise<void>): EndProcess {
  let exitCode = 0
  let firstSignalAt: number | undefined
  let isEnding = false
  let hungUp = false
  const end: EndProcess = (code) => {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    void reportToDev({ isStopping: true })
    stop().then(
      () => (hungUp ? exitBySighup() : process.exit(exitCode)),
      (error) => {
        process.stderr.write(`${error}\n`)
        process.exit(1)
      },
    )
  }
  const onSignal = () => {
    firstSignalAt ??= performance.now()
    if (performance.now() - firstSignalAt > REPEATED_SIGNAL_MS) process.exit(1)
    end(0)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
  process.on("SIGHUP", () => {
    hungUp = true
  })
  process.off("disconnect", exitNow)
  // The IPC channel disconnects when `kit dev`, which started this process, has ended.
  process.on("disconnect", onSignal)
  return end
}

/** Ends this process by SIGHUP after its terminal was closed, since Node would crash if it exited normally. */
export function exitBySighup(): void {
  process.removeAllListeners("SIGHUP")
  process.kill(process.pid, "SIGHUP")
}

/** Exits if `kit dev` ends while the app is starting, before `stopOnSignal` is set up. */
export function exitWithDev(): void {
  if (isStartedByDev()) process.on("disconnect", exitNow)
}

function exitNow(): void {
  process.exit(1)
}
