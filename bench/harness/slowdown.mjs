const BURNT_MS = 20

/**
 * Returns how much longer everything takes now than on a machine that has nothing else to do: the time by the clock for
 * some time of the processor, the least of three.
 */
export function slowdown() {
  return Math.max(1, Math.min(burn(), burn(), burn()) / BURNT_MS)
}

function burn() {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 >= BURNT_MS) return performance.now() - startedAt
  }
}
