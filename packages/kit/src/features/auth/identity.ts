import { Background } from "../../engine/context/background.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Connection } from "../../ports/database.ts"
import type { IdentityLink, IdentityServer, IdentityStore, PasswordHasher } from "../../ports/identity.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import type { NewMail } from "../../schema/context/mailer.ts"
import { existingMail, resetMail, verificationMail } from "./accounts/mails.ts"
import { type UserAccounts, userAccounts } from "./accounts/user-accounts.ts"
import { usersOf } from "./accounts/user-store.ts"
import { identityStore } from "./identity-store.ts"
import { callLibrary, type LibraryAnswer, type LibraryCall, type LibrarySettings } from "./library-call.ts"
import { KnownDevices } from "./passwords/known-devices.ts"
import { PasswordGuard } from "./passwords/password-guard.ts"
import { PasswordLane, type PasswordLaneLimits } from "./passwords/password-lane.ts"
import { Tries, type TryLimit, type TryParts } from "./passwords/tries.ts"
import { ApiKeys } from "./sessions/api-keys.ts"
import { type CookieSettings, cookieName, readCredential } from "./sessions/credential.ts"
import { type OpenedSession, openSession } from "./sessions/open-session.ts"
import { OwnSessions } from "./sessions/own-sessions.ts"
import type { SessionCache } from "./sessions/session-cache.ts"
import { sessionOfUser } from "./sessions/session-of-user.ts"
import { sessionReader } from "./sessions/session-reader.ts"

/** How identity is set up; what the configuration leaves out is filled in. */
export interface IdentityOptions {
  readonly appName: string
  /** The origin of the app, where it is configured. */
  readonly url: string | undefined
  readonly signUp: boolean
  /** An address has to be confirmed before its owner can sign in. */
  readonly requireVerifiedEmail: boolean
  /** No answer tells whether there is an account. */
  readonly isQuiet: boolean
  readonly sessionDays: number
  readonly trustedRedirects: readonly string[]
  readonly cookie: CookieSettings
  /** The path of everything about identity, the app's own base path included. */
  readonly basePath: string
  /** How many wrong passwords an account takes; no limit where this is undefined. */
  readonly wrongPasswords: TryLimit | undefined
  readonly passwordLane: PasswordLaneLimits
}

/** What the library needs of us besides its settings. */
export interface ServerTools {
  readonly store: IdentityStore
  readonly passwords: PasswordHasher
  readonly mails: {
    sendReset(link: IdentityLink): void
    sendVerification(link: IdentityLink): void
    sendExisting(user: Pick<IdentityLink, "email" | "name">): void
  }
}

export interface IdentityParts {
  readonly engine: Engine
  readonly logger: Logger
  readonly options: IdentityOptions
  readonly cache: SessionCache
  /** Reads sessions by our own way; else by the library's, for comparison. */
  readonly hasShortcuts: boolean
  loadServer(tools: ServerTools): Promise<IdentityServer>
  hashPassword(password: string): Promise<string>
  verifyPassword(stored: { readonly hash: string; readonly password: string }): Promise<boolean>
  sendMail(mail: NewMail): Promise<void>
}

/** Who the users of an app are, and how they sign in. */
export interface Identity {
  readonly signUp: boolean
  /** Whether a sign-up answers the same for every address; what follows is in a mail. */
  readonly answersByMail: boolean
  /** Absent where nothing is limited. */
  readonly passwords: PasswordGuard | undefined
  readonly sessions: SessionProvider
  readonly keys: ApiKeys
  readonly ownSessions: OwnSessions
  call(call: LibraryCall): Promise<LibraryAnswer>
  usersOn(connection: Connection): UserAccounts
  /** Signs a user in without asking them for anything. */
  openSession(userId: string): Promise<OpenedSession>
  /** Resolves when what nobody waits for is done too. */
  drain(): Promise<void>
}

export function createIdentity(parts: IdentityParts): Identity {
  const { engine, logger, options, cache } = parts
  const { connection, now } = engine.contextFor(null)
  const background = new Background(logger)
  const keys = new ApiKeys({ schema: engine.schema, connection, cache, background, now })
  const { cookie } = options
  const send = (mail: NewMail) => background.run(`The mail to ${mail.to}`, parts.sendMail(mail))
  const counting = { connection, secret: cookie.secret, now }
  const notices = new Tries({ ...counting, limit: NOTICE_LIMIT })
  const lane = new PasswordLane(options.passwordLane)
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
          background.run("A notice by mail", sendNotice(notices, existingMail(user, options.appName), parts.sendMail)),
      },
    }),
  )
  const settings: LibrarySettings = { ...options, sessionCookie: cookieName("session_token", cookie) }
  const sessionMs = options.sessionDays * 24 * 60 * 60 * 1000
  const reading = { schema: engine.schema, connection, cookie, sessionMs, cache, keys, background, now }
  return {
    signUp: options.signUp,
    answersByMail: options.requireVerifiedEmail,
    passwords: options.wrongPasswords && passwordGuard({ ...counting, limit: options.wrongPasswords }, options),
    sessions: {
      ...(parts.hasShortcuts ? sessionReader(reading) : librarySessions({ keys, cookie, server })),
      load: sessionOfUser({ connection, users: usersOf(engine), now }),
    },
    keys,
    ownSessions: new OwnSessions({ connection, cache, now }),
    call: async (call) => callLibrary(await server(), settings, call),
    usersOn: (on) => userAccounts(engine, on, (password) => passwords.hash(undefined, password)),
    openSession: (userId) => openSession({ connection, cache, cookie, now, sessionMs }, userId),
    drain: () => background.drain(),
  }
}

// Nobody's mailbox is filled by others who sign up with its address.
const NOTICE_LIMIT: TryLimit = { requests: 3, windowSeconds: 24 * 60 * 60 }

async function sendNotice(notices: Tries, mail: NewMail, send: IdentityParts["sendMail"]): Promise<void> {
  if ((await notices.take(`notice ${mail.to}`)) === undefined) await send(mail)
}

function passwordGuard(counting: TryParts, { cookie, basePath }: IdentityOptions): PasswordGuard {
  const devices = new KnownDevices({ ...cookie, path: basePath })
  return new PasswordGuard({ ...counting, tries: new Tries(counting), devices })
}

interface LibraryReading {
  readonly keys: ApiKeys
  readonly cookie: CookieSettings
  server(): Promise<IdentityServer>
}

// Slow, and never out of date: what our own reader is held against.
function librarySessions({ keys, cookie, server }: LibraryReading): SessionProvider {
  return {
    read: async (headers) => {
      const credential = readCredential(headers, cookie)
      if (credential === undefined) return null
      return credential.kind === "key" ? keys.read(credential.key) : (await server()).readSession(headers)
    },
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    // A failure is not kept: the next request tries again.
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
