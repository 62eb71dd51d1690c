import { overdue } from "./failures.ts"

interface Limits {
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly url: string
}

// The most that a timer can count.
const MAX_TIMER_MS = 2_147_483_647

/**
 * Gives the result of the work unless the signal or the time ends it before; leaves neither timer nor listener behind.
 *
 * Work that does not heed the signal it is given goes on, but nobody waits for it.
 */
export async function withinLimits<Result>(
  { signal, timeout = Number.POSITIVE_INFINITY, url }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (!(timeout > 0)) throw new TypeError("timeout must be milliseconds above 0.")
  signal?.throwIfAborted()
  const clock = new AbortController()
  // Follows the caller's signal without a listener on it, for as long as anyone uses it.
  const either = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal
  const ended = new Promise<never>((_resolve, reject) => {
    either.onabort = () => reject(either.reason)
  })
  const timer = timeout > MAX_TIMER_MS ? undefined : setTimeout(() => clock.abort(overdue(url, timeout)), timeout)
  try {
    return await Promise.race([work(either), ended])
  } finally {
    clearTimeout(timer)
    either.onabort = null
  }
}
