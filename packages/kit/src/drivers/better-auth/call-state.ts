import { AsyncLocalStorage } from "node:async_hooks"

/** The state of one call of the library that is neither in its request nor in its response. */
interface CallState {
  /** The caller, for the limit on concurrent password hashing. */
  readonly caller?: string
  /** A password that was hashed before the call. */
  prepared?: { readonly password: string; readonly hash: string }
  /** The error of the store or the hasher, which the library would replace with an error of its own. */
  failure?: unknown
  /** The mail address of the user whose password was reset in this call. */
  resetOf?: string
}

const current = new AsyncLocalStorage<CallState>()

export function setFailure(cause: unknown): void {
  const notes = current.getStore()
  if (notes) notes.failure ??= cause
}

export function setReset(email: string): void {
  const notes = current.getStore()
  if (notes) notes.resetOf = email
}

/** Returns the state of the current call; an empty one outside of a call. */
export function currentCall(): Readonly<CallState> {
  return current.getStore() ?? NO_CALL
}

const NO_CALL: CallState = Object.freeze({})

/** Runs a call of the library. Returns its result together with the state that it recorded. */
export async function runCall<Result>(
  notes: CallState,
  work: () => Promise<Result>,
): Promise<CallState & { readonly result: Result }> {
  const result = await current.run(notes, work)
  return { ...notes, result }
}
