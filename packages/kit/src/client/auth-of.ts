import type { ClientSession, SessionWatchSettings } from "../wire/typed/typed-auth.ts"
import type { ClientParts } from "./client-parts.ts"
import type { AuthOperations } from "./resources/auth.ts"

const NAMES = [
  "signIn",
  "signInWith",
  "signUp",
  "signOut",
  "session",
  "update",
  "changePassword",
  "requestReset",
  "reset",
  "providers",
] as const satisfies (keyof AuthOperations)[]

/** Returns `client.auth`. The code of its operations is loaded with the first call. */
export function authOf(parts: ClientParts): object {
  const load = async () => (await import("./resources/auth.ts")).authOperations(parts)
  const operations = NAMES.map((name) => {
    // The cast is safe: the arguments are passed on as they are, and the `Client` interface has the types of each operation.
    return [name, async (...given: []) => ((await load())[name] as (...given: []) => Promise<unknown>)(...given)]
  })
  return { ...Object.fromEntries(operations), watch: watchWith(load) }
}

function watchWith(load: () => Promise<AuthOperations>) {
  return (onSession: (session: ClientSession<{ id: string }> | null) => void, given: SessionWatchSettings = {}) => {
    const ending = new AbortController()
    const signal = given.signal ? AbortSignal.any([given.signal, ending.signal]) : ending.signal
    load().then(
      (auth) => auth.watch(onSession, { ...given, signal }),
      (error) => given.onError?.(error, true),
    )
    return () => ending.abort()
  }
}
