// One Ctrl-C may arrive several times: from the terminal, and from npm or `kit dev`, which pass it on.
const ONE_CALL_MS = 1_000

/** Ends the process in order, with this code unless it is ending with a worse one. */
export type EndProcess = (code: number) => void

/** Ends this process in order when it is told to, at once when it is told again; returns what ends it for another reason. */
export function stopOnSignal(stop: () => Promise<void>): EndProcess {
  let exitCode = 0
  let toldAt: number | undefined
  let isEnding = false
  const end: EndProcess = (code) => {
    exitCode = Math.max(exitCode, code)
    if (isEnding) return
    isEnding = true
    if (process.connected) process.send?.({ isStopping: true } satisfies StopReport)
    stop().then(
      () => process.exit(exitCode),
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
  process.on("SIGTERM", hear)
  process.on("SIGINT", hear)
  // `kit dev` started this process and is gone.
  process.on("disconnect", hear)
  return end
}

/** What `kit dev` hears from a process that ends: it is not caught in a loop. */
export interface StopReport {
  readonly isStopping: true
}
