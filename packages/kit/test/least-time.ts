const TRIES = 5
const BURNT_MS = 20
const LONG_BURNT_MS = 200

/**
 * Milliseconds that the work takes at least: the least of a few tries, and of the clock and the processor. A machine that
 * is busy with other things makes only the clock run on.
 */
export function leastMsOf(work: () => void): number {
  return Math.min(...Array.from({ length: TRIES }, () => msOf(work)))
}

/**
 * How much longer everything takes now than on a machine that has nothing else to do: the time by the clock for some of
 * the processor's, the least of three. For work that other processes share in, whose processor time we do not know.
 */
export function slowdown(): number {
  return Math.max(1, Math.min(burn(), burn(), burn()) / BURNT_MS)
}

/**
 * The same for work that takes so long that other processes have their turns in between: the average over a time in which
 * they have theirs, too.
 */
export function averageSlowdown(): number {
  return Math.max(1, burn(LONG_BURNT_MS) / LONG_BURNT_MS)
}

function burn(processorMs = BURNT_MS): number {
  const startedAt = performance.now()
  const spent = stopwatchOfProcessor()
  while (spent() < processorMs);
  return performance.now() - startedAt
}

function msOf(work: () => void): number {
  const startedAt = performance.now()
  const spent = stopwatchOfProcessor()
  work()
  return Math.min(performance.now() - startedAt, spent())
}

function stopwatchOfProcessor(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
