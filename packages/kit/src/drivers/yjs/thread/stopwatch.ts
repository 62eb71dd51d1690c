const TICK_MS = 50

/**
 * Calls `onLimit` once after this time, and returns a function that prevents it. Time in which the whole process stands
 * still, such as the sleep of a computer, counts as one tick only.
 */
export function startStopwatch(limitMs: number, onLimit: () => void): () => void {
  let ticksLeft = Math.ceil(limitMs / TICK_MS)
  const interval = setInterval(() => {
    ticksLeft--
    if (ticksLeft > 0) return
    clearInterval(interval)
    onLimit()
  }, TICK_MS)
  return () => clearInterval(interval)
}
