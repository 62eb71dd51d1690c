const MAX_TIMER_MS = 2 ** 31 - 1

/** A timer for a moment of `performance.now()`. The sockets, not the timers, keep the process alive. */
export function startTimer(at: number, callback: () => void): NodeJS.Timeout {
  const delayMs = Math.ceil(Math.max(1, at - performance.now()))
  return setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS)).unref()
}
