import { AsyncLocalStorage } from "node:async_hooks"

/** What belongs to one call of the library and is neither in the request nor in the answer. */
interface CallNotes {
  /** Whose turn it is when passwords are hashed. */
  readonly caller?: string
  /** A password whose hash was made before. */
  prepared?: { readonly password: string; readonly hash: string }
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

/** The notes of the call that is under way; those of code that the library was not called by are empty. */
export function currentNotes(): Readonly<CallNotes> {
  return current.getStore() ?? NO_NOTES
}

const NO_NOTES: CallNotes = Object.freeze({})

/** Runs a call of the library, and tells what happened in it. */
export async function watched<Result>(
  notes: CallNotes,
  work: () => Promise<Result>,
): Promise<CallNotes & { readonly result: Result }> {
  const result = await current.run(notes, work)
  return { ...notes, result }
}
