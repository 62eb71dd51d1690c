import { randomUUID } from "node:crypto"
import type { Session, SessionProvider } from "../ports/session-provider.ts"

const HEADER = "x-kit-test-session"

/** The sessions that a test makes up, without a sign-in and possibly without a stored user. */
export class GuestSessions {
  readonly #byKey = new Map<string, Session>()
  readonly #keys = new WeakMap<Session, string>()

  /** Returns the HTTP headers with which a request has this session. */
  headersOf(session: Session): Readonly<Record<string, string>> {
    const key = this.#keys.get(session) ?? randomUUID()
    this.#keys.set(session, key)
    this.#byKey.set(key, session)
    return { [HEADER]: key }
  }

  /** Wraps the app's session provider, which still handles requests without the test header. */
  wrap(own: SessionProvider): SessionProvider {
    return {
      read: (headers) => {
        const key = headers.get(HEADER)
        return key === null ? own.read(headers) : (this.#byKey.get(key) ?? null)
      },
      ...(own.load && { load: own.load.bind(own) }),
    }
  }
}
