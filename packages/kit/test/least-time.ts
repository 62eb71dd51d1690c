const TRIES = 5

/**
 * Milliseconds that the work takes at least: the least of a few tries, and of the clock and the processor. A machine that
 * is busy with other things makes only the clock run on.
 */
export function leastMsOf(work: () => void): number {
  return Math.min(...Array.from({ length: TRIES }, () => msOf(work)))
}

function msOf(work: () => void): number {
  const startedAt = performance.now()
  const spentBefore = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(spentBefore)
  return Math.min(performance.now() - startedAt, (user + system) / 1000)
}
