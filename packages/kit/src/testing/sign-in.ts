import type { OpenedApp } from "../app/create-app.ts"
import type { NewUser } from "../features/auth/accounts/user-accounts.ts"
import type { Session } from "../ports/session-provider.ts"

/** The user to create and sign in. A missing email or name is generated. Further members are the author's fields. */
export type TestUser = Partial<NewUser>

/** A test user with a session, as after a sign-in. */
export interface SignedIn extends Session {
  readonly session: { readonly id: string; readonly expiresAt: Date }
  readonly token: string
  /** The value for the `Cookie` header of a browser's requests. */
  readonly cookie: string
  /** The headers that authenticate a request as this user. */
  readonly headers: Readonly<Record<string, string>>
}

let userCount = 0

/** Creates a user and a session for that user. The user has no password unless one is set. */
export async function signIn({ app, identity }: OpenedApp, user: TestUser): Promise<SignedIn> {
  if (identity === undefined) {
    throw new Error(
      'This app has no users to sign in: "sessions" in its configuration replaces them. ' +
        'Use any session with app.as({ user: { id: "…", role: "editor" } }).',
    )
  }
  userCount += 1
  const { email = `user${userCount}@example.com`, name = email.split("@", 1)[0] ?? "", ...rest } = user
  const created = await app.users.create({ ...rest, email, name })
  const { token, cookie, id, expiresAt } = await identity.openSession(created.id)
  // The session is loaded in the same way as for a real request, so that a test gets the same session as rules do.
  const session = await identity.sessions.load?.(created.id)
  return {
    user: session?.user ?? created,
    session: { id, expiresAt },
    token,
    cookie,
    headers: { authorization: `Bearer ${token}` },
  }
}
