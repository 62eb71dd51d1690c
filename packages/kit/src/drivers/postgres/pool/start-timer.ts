const MAX_TIMER_MS = 2 ** 31 - 1

/** Starts a timer that fires at a time of `performance.now()`. It does not keep the process alive; the sockets do. */
export function startTimer(at: number, callback: () => void): NodeJS.Timeout {
  const delayMs = Math.ceil(Math.max(1, at - performance.now()))
  return setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS)).unref()
}
