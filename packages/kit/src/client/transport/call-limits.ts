import { timeoutError } from "./failures.ts"

interface Limits {
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly url: string
}

// The longest delay in milliseconds that a JavaScript timer supports.
const MAX_TIMER_MS = 2_147_483_647

/**
 * Returns the result of the work, or rejects when the signal aborts or the timeout has passed. Leaves no timer or
 * listener behind. Work that ignores its signal continues, but its result is discarded.
 */
export async function withinLimits<Result>(
  { signal, timeout = Number.POSITIVE_INFINITY, url }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (!(timeout > 0)) throw new TypeError("timeout must be milliseconds above 0.")
  signal?.throwIfAborted()
  const clock = new AbortController()
  // AbortSignal.any follows the caller's signal, so no listener has to be added to that signal and removed later.
  const either = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal
  const ended = new Promise<never>((_resolve, reject) => {
    either.onabort = () => reject(either.reason)
  })
  const timer = timeout > MAX_TIMER_MS ? undefined : setTimeout(() => clock.abort(timeoutError(url, timeout)), timeout)
  try {
    return await Promise.race([work(either), ended])
  } finally {
    clearTimeout(timer)
    either.onabort = null
  }
}
