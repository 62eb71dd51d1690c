import { Background } from "../../engine/context/background.ts"
import { once } from "../../engine/context/once.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Connection } from "../../ports/database.ts"
import type { IdentityLink, IdentityServer, IdentityStore, PasswordHasher } from "../../ports/identity.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader, SessionProvider } from "../../ports/session-provider.ts"
import type { NewMail } from "../../schema/context/mailer.ts"
import { existingMail, resetMail, verificationMail } from "./accounts/mails.ts"
import { type UserAccounts, userAccounts } from "./accounts/user-accounts.ts"
import { identityStore } from "./identity-store.ts"
import { callLibrary, type LibraryAnswer, type LibraryCall, type LibrarySettings } from "./library-call.ts"
import { KnownDevices } from "./passwords/known-devices.ts"
import { PasswordGuard } from "./passwords/password-guard.ts"
import { type PasswordHashLimits, PasswordSemaphore } from "./passwords/password-semaphore.ts"
import { Tries, type TriesDependencies, type TryLimit } from "./passwords/tries.ts"
import { ApiKeys } from "./sessions/api-keys.ts"
import { type CookieSettings, cookieName, readCredential } from "./sessions/credential.ts"
import { type OpenedSession, openSession } from "./sessions/open-session.ts"
import { OwnSessions } from "./sessions/own-sessions.ts"
import type { SessionCache } from "./sessions/session-cache.ts"
import { sessionReader } from "./sessions/session-reader.ts"
import { SetUp } from "./set-up/set-up.ts"

/** The identity settings, with defaults filled in. */
interface IdentityOptions {
  readonly appName: string
  /** The app's origin, such as `https://example.com`; undefined if it is not configured. */
  readonly url: string | undefined
  readonly signUp: boolean
  /** True if a user must confirm their email address before they can sign in. */
  readonly requireVerifiedEmail: boolean
  /** True if responses must not reveal whether an account exists. */
  readonly isQuiet: boolean
  readonly sessionDays: number
  readonly trustedRedirects: readonly string[]
  /** The names of the services with which users can sign in. */
  readonly providers: readonly string[]
  readonly cookie: CookieSettings
  /** The URL path prefix of all identity routes. It includes the app's base path. */
  readonly basePath: string
  /** The limit on wrong passwords per account; undefined means no limit. */
  readonly wrongPasswords: TryLimit | undefined
  readonly passwordLane: PasswordHashLimits
}

/** The objects that the identity library is constructed with, besides its settings. */
export interface IdentityServerDependencies {
  readonly store: IdentityStore
  readonly passwords: PasswordHasher
  readonly mails: {
    sendReset(link: IdentityLink): void
    sendVerification(link: IdentityLink): void
    sendExisting(user: Pick<IdentityLink, "email" | "name">): void
  }
}

interface IdentityDependencies {
  readonly engine: Engine
  readonly logger: Logger
  readonly options: IdentityOptions
  readonly cache: SessionCache
  readonly sessionLoader: SessionLoader
  /**
   * True if sessions are read by our own session reader, false if by the identity library. Tests compare the two
   * readers.
   */
  readonly usesOwnSessionReader: boolean
  loadServer(tools: IdentityServerDependencies): Promise<IdentityServer>
  hashPassword(password: string): Promise<string>
  verifyPassword(stored: { readonly hash: string; readonly password: string }): Promise<boolean>
  sendMail(mail: NewMail): Promise<void>
}

/** The users of an app and the ways in which they sign in. */
export interface Identity {
  readonly signUp: boolean
  /** The names of the services with which users can sign in. */
  readonly providers: readonly string[]
  /** True if a sign-up gets the same response for every email address, and the next step is sent by mail. */
  readonly answersByMail: boolean
  /** Limits wrong passwords; undefined if wrong passwords are not limited. */
  readonly passwords: PasswordGuard | undefined
  readonly sessions: SessionProvider
  readonly keys: ApiKeys
  readonly ownSessions: OwnSessions
  /** Creates the first account. */
  readonly setUp: SetUp
  call(call: LibraryCall): Promise<LibraryAnswer>
  usersOn(connection: Connection): UserAccounts
  /** Opens a session for this user without asking for a password or any other proof. */
  openSession(userId: string): Promise<OpenedSession>
  /** Resolves when all background work, such as sending mails, is done. */
  drain(): Promise<void>
}

export function createIdentity(parts: IdentityDependencies): Identity {
  const { engine, logger, options, cache } = parts
  const { connection, now } = engine.contextFor(null)
  const background = new Background(logger)
  const keys = new ApiKeys({ schema: engine.schema, connection, cache, background, now })
  const { cookie } = options
  const send = (mail: NewMail) => background.run(`The mail to ${mail.to}`, parts.sendMail(mail))
  const counting = { connection, secret: cookie.secret, now }
  const notices = new Tries({ ...counting, limit: NOTICE_LIMIT })
  const lane = new PasswordSemaphore(options.passwordLane)
  const passwords: PasswordHasher = {
    hash: (caller, password) => lane.run(caller, () => parts.hashPassword(password)),
    verify: (caller, stored) => lane.run(caller, () => parts.verifyPassword(stored)),
  }
  const server = once(() =>
    parts.loadServer({
      store: identityStore({ engine, cache }),
      passwords,
      mails: {
        sendReset: (link) => send(resetMail(link, options.appName)),
        sendVerification: (link) => send(verificationMail(link, options.appName)),
        sendExisting: (user) =>
          background.run("A notice mail", sendNotice(notices, existingMail(user, options.appName), parts.sendMail)),
      },
    }),
  )
  const settings: LibrarySettings = { ...options, sessionCookie: cookieName("session_token", cookie) }
  const sessionMs = options.sessionDays * 24 * 60 * 60 * 1000
  const reading = { schema: engine.schema, connection, cookie, sessionMs, cache, keys, background, now }
  return {
    signUp: options.signUp,
    providers: options.providers,
    answersByMail: options.requireVerifiedEmail,
    passwords: options.wrongPasswords && passwordGuard({ ...counting, limit: options.wrongPasswords }, options),
    sessions: {
      ...(parts.usesOwnSessionReader ? sessionReader(reading) : librarySessions({ keys, cookie, server })),
      ...parts.sessionLoader,
    },
    keys,
    ownSessions: new OwnSessions({ connection, cache, now }),
    setUp: new SetUp({ engine, connection, passwords, secret: cookie.secret }),
    call: async (call) => callLibrary(await server(), settings, call),
    usersOn: (on) => userAccounts(engine, on, (password) => passwords.hash(undefined, password)),
    openSession: (userId) => openSession({ connection, cache, cookie, now, sessionMs }, userId),
    drain: () => background.drain(),
  }
}

// Limits the "you have an account already" mails to one email address: strangers who try to sign up with the address
// must not be able to flood its owner's mailbox.
const NOTICE_LIMIT: TryLimit = { requests: 3, windowSeconds: 24 * 60 * 60 }

async function sendNotice(notices: Tries, mail: NewMail, send: IdentityDependencies["sendMail"]): Promise<void> {
  if ((await notices.take(`notice ${mail.to}`)) === undefined) await send(mail)
}

function passwordGuard(counting: TriesDependencies, { cookie, basePath }: IdentityOptions): PasswordGuard {
  const devices = new KnownDevices({ ...cookie, path: basePath })
  return new PasswordGuard({ ...counting, tries: new Tries(counting), devices })
}

interface LibrarySessionDependencies {
  readonly keys: ApiKeys
  readonly cookie: CookieSettings
  server(): Promise<IdentityServer>
}

// Reads sessions through the identity library: slow, but never out of date. Tests compare our own reader with it.
function librarySessions({ keys, cookie, server }: LibrarySessionDependencies): SessionProvider {
  return {
    read: async (headers) => {
      const credential = readCredential(headers, cookie)
      if (credential === undefined) return null
      return credential.kind === "key" ? keys.read(credential.key) : (await server()).readSession(headers)
    },
  }
}
