/** Ends this process in order when it is told to; at once when it is told twice. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false
  const end = () => {
    if (isStopping) process.exit(1)
    isStopping = true
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
