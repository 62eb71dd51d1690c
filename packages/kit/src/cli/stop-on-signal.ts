// One Ctrl-C may arrive several times: from the terminal, and from npm or `kit dev`, which pass it on.
const ONE_CALL_MS = 1_000

/** Ends this process in order when it is told to; at once when it is told again. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let toldAt: number | undefined
  const end = () => {
    const isFirst = toldAt === undefined
    toldAt ??= performance.now()
    if (performance.now() - toldAt > ONE_CALL_MS) process.exit(1)
    if (!isFirst) return
    if (process.connected) process.send?.({ isStopping: true } satisfies StopReport)
    stop().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${error}\n`)
        process.exit(1)
      },
    )
  }
  process.on("SIGTERM", end)
  process.on("SIGINT", end)
  // `kit dev` started this process and is gone.
  process.on("disconnect", end)
}

/** What `kit dev` hears from a process that ends: it is not caught in a loop. */
export interface StopReport {
  readonly isStopping: true
}
