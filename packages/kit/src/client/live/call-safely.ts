// The global function `reportError`, which browsers have and Node does not.
declare const reportError: ((error: unknown) => void) | undefined

/** Calls a callback. An error that the callback throws is reported as uncaught, and does not affect other callbacks. */
export function callSafely<Args extends unknown[]>(
  listener: ((...args: Args) => void) | undefined,
  ...args: Args
): void {
  try {
    listener?.(...args)
  } catch (error) {
    report(error)
  }
}

function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error)
  else queueMicrotask(() => fail(error))
}

function fail(error: unknown): never {
  throw error
}
