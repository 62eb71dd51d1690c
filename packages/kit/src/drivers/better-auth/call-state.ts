import { AsyncLocalStorage } from "node:async_hooks"
import type { IdentityRow } from "../../ports/identity.ts"

/** The state of one call into better-auth, apart from the call's request and response. */
interface CallState {
  /** The caller (user or IP address). The number of concurrent password hashes is limited for each caller. */
  readonly caller?: string
  /** The fields that the author added to users, with the values that a new user gets. */
  readonly userFields?: IdentityRow | undefined
  /** A password and its hash, computed before better-auth was called. */
  prepared?: { readonly password: string; readonly hash: string }
  /** The error from the store or the password hasher, which better-auth would replace with an error of its own. */
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

/** Returns the state of the current call into better-auth, or an empty state outside of such a call. */
export function currentCall(): Readonly<CallState> {
  return current.getStore() ?? NO_CALL
}

const NO_CALL: CallState = Object.freeze({})

/**
 * Runs a call into better-auth. Returns the call's result together with the state that was recorded during the call.
 */
export async function runCall<Result>(
  notes: CallState,
  work: () => Promise<Result>,
): Promise<CallState & { readonly result: Result }> {
  const result = await current.run(notes, work)
  return { ...notes, result }
}
