import { randomUUID } from "node:crypto"
import type { Session, SessionProvider } from "../ports/session-provider.ts"

const HEADER = "x-kit-test-session"

/** Sessions that a test makes up: nobody has signed in, and there need not be such a user. */
export class GuestSessions {
  readonly #byKey = new Map<string, Session>()
  readonly #keys = new WeakMap<Session, string>()

  /** The headers by which a request comes with this session. */
  headersOf(session: Session): Readonly<Record<string, string>> {
    const key = this.#keys.get(session) ?? randomUUID()
    this.#keys.set(session, key)
    this.#byKey.set(key, session)
    return { [HEADER]: key }
  }

  /** Reads them, and leaves all other requests to the provider of the app. */
  around(own: SessionProvider): SessionProvider {
    return {
      read: (headers) => {
        const key = headers.get(HEADER)
        return key === null ? own.read(headers) : (this.#byKey.get(key) ?? null)
      },
      ...(own.load && { load: own.load.bind(own) }),
    }
  }
}
