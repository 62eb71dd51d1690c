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
 * Work that does not heed its controller goes on, but nobody waits for it.
 */
export async function withinLimits<Result>(
  { signal, timeout = Number.POSITIVE_INFINITY, url }: Limits,
  work: (controller: AbortController) => Promise<Result>,
): Promise<Result> {
  if (!(timeout > 0)) throw new TypeError("timeout must be a number of milliseconds above 0.")
  signal?.throwIfAborted()
  const controller = new AbortController()
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.onabort = () => reject(controller.signal.reason)
  })
  const end = () => controller.abort(signal?.reason)
  signal?.addEventListener("abort", end)
  const timer = timeout > MAX_TIMER_MS ? undefined : setTimeout(() => controller.abort(overdue(url, timeout)), timeout)
  try {
    return await Promise.race([work(controller), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", end)
  }
}
