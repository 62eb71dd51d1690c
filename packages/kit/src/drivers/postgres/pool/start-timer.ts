const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Starts a timer that fires at the time `at`, on the clock of `performance.now()`. The timer does not keep this process
 * running, because open sockets already do.
 */
export function startTimer(at: number, callback: () => void): NodeJS.Timeout {
  const delayMs = Math.ceil(Math.max(1, at - performance.now()))
  return setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS)).unref()
}
