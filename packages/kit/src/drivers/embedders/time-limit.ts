interface TimeLimit {
  readonly ms: number
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal | undefined
}

/**
 * Makes a call that gets a signal, which is aborted with the given one or after the time limit. The result rejects at
 * that moment, even if the call ignores its signal.
 */
export async function callWithin<Result>(
  { ms, signal }: TimeLimit,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  // Not AbortSignal.any with AbortSignal.timeout: Node.js 20 collects the second as garbage, and then never aborts.
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const late = () => new DOMException(`There was no answer within ${ms / 1_000} seconds.`, "TimeoutError")
  const timer = setTimeout(() => controller.abort(late()), ms)
  signal?.addEventListener("abort", abort)
  try {
    return await Promise.race([call(controller.signal), aborted(controller.signal)])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
}
