import { AsyncLocalStorage } from "node:async_hooks"

/** What went wrong in the store during one call of the library, which would answer it as a failure of its own. */
interface Failure {
  cause?: unknown
}

const current = new AsyncLocalStorage<Failure>()

export function noteFailure(cause: unknown): void {
  const failure = current.getStore()
  if (failure) failure.cause ??= cause
}

/** Runs a call of the library, and tells what the store threw in it, if anything. */
export async function watched<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly failure: unknown }> {
  const failure: Failure = {}
  const result = await current.run(failure, work)
  return { result, failure: failure.cause }
}
