import { AsyncLocalStorage } from "node:async_hooks"

/** What happened during one call of the library and is not in its answer. */
interface CallNotes {
  /** What went wrong in the store; the library would answer it as a failure of its own. */
  failure?: unknown
  /** The address of the user whose password was set by mail. */
  resetOf?: string
}

const current = new AsyncLocalStorage<CallNotes>()

export function noteFailure(cause: unknown): void {
  const notes = current.getStore()
  if (notes) notes.failure ??= cause
}

export function noteReset(email: string): void {
  const notes = current.getStore()
  if (notes) notes.resetOf = email
}

/** Runs a call of the library, and tells what happened in it. */
export async function watched<Result>(work: () => Promise<Result>): Promise<CallNotes & { readonly result: Result }> {
  const notes: CallNotes = {}
  const result = await current.run(notes, work)
  return { ...notes, result }
}
