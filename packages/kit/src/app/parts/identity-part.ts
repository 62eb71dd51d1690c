import { hashPassword, verifyPassword } from "../../drivers/better-auth/hash-password.ts"
import { loadServer } from "../../drivers/better-auth/load-server.ts"
import type { Engine } from "../../engine/engine.ts"
import { usersOf } from "../../features/auth/accounts/user-store.ts"
import { createIdentity, type Identity, type IdentityServerDependencies } from "../../features/auth/identity.ts"
import { PEER_HEADER } from "../../features/auth/library-call.ts"
import type { SessionCache } from "../../features/auth/sessions/session-cache.ts"
import type { RateLimit } from "../../http/protection/rate-limiter.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader, SessionProvider } from "../../ports/session-provider.ts"
import { authoredSessionFields } from "../../schema/compile/session-fields.ts"
import type { AppInputs } from "../app-inputs.ts"
import { passwordLimits } from "../config/limits/password-limits.ts"
import { areCookiesSecure, COOKIE_PREFIX } from "../config/session-cookie.ts"
import type { Part } from "../part-list.ts"
import type { OpenMail } from "./mail-part.ts"

interface IdentityDependencies extends Pick<AppInputs, "config" | "facts" | "mode" | "overrides"> {
  readonly sessionCache: SessionCache
  readonly logger: Logger
  readonly secret: string | undefined
  readonly hasShortcuts: boolean
  readonly database: Database
  readonly mail: OpenMail
  readonly sessionLoader: SessionLoader
  readonly engine: Engine
}

interface OpenIdentity {
  /** Kit's own users; undefined if the author has set a session provider. */
  readonly identity: Identity | undefined
  /** Reads the session of a request: from identity, or from the author's provider. */
  readonly sessions: SessionProvider
}

const DEFAULT_SESSION_DAYS = 7
const DEFAULT_WRONG_PASSWORDS: RateLimit = { requests: 20, windowSeconds: 60 * 60 }
const ANONYMOUS_SESSIONS: SessionProvider = { read: () => null }

/** The users who sign in, and the sessions of requests. Closing waits for the mails of identity. */
export const identityPart: Part<IdentityDependencies, OpenIdentity> = {
  open: (dependencies) => {
    const identity = openIdentity(dependencies)
    const own = identity?.sessions ?? dependencies.config.sessions ?? ANONYMOUS_SESSIONS
    return { identity, sessions: dependencies.overrides.wrapSessions?.(own) ?? own }
  },
  close: ({ identity }) => identity?.drain(),
}

// The identity library (better-auth) is loaded at first use.
function openIdentity(dependencies: IdentityDependencies): Identity | undefined {
  const { config, facts, engine, logger, secret } = dependencies
  if (secret === undefined) return undefined
  const { auth = {} } = config
  const isQuiet = auth.signUp === "quiet"
  const rate = config.limits?.rate ?? {}
  const url = facts.url === undefined ? undefined : new URL(facts.url).origin
  const options = {
    appName: facts.name,
    url,
    signUp: auth.signUp === true || isQuiet,
    isQuiet,
    requireVerifiedEmail: isQuiet || (auth.requireVerifiedEmail ?? false),
    basePath: `${facts.basePath}/auth`,
    wrongPasswords: rate === false ? undefined : (rate.wrongPasswords ?? DEFAULT_WRONG_PASSWORDS),
    passwordLane: passwordLimits(config),
    providers: Object.keys(auth.providers ?? {}),
    sessionDays: auth.sessionDays ?? DEFAULT_SESSION_DAYS,
    // An origin that may call the app with its visitors' cookies may also be the target of a redirect.
    trustedRedirects: [...(auth.trustedRedirects ?? []), ...(config.cors?.origins ?? [])],
    cookie: { secret, prefix: COOKIE_PREFIX, isSecure: areCookiesSecure({ url, mode: dependencies.mode }) },
  }
  const load = (tools: IdentityServerDependencies) =>
    loadServer({
      ...tools,
      ...options,
      ...options.cookie,
      cookiePrefix: COOKIE_PREFIX,
      peerHeader: PEER_HEADER,
      trustedOrigins: options.trustedRedirects,
      providers: auth.providers ?? {},
      sessionFields: authoredSessionFields(usersOf(engine)),
      log: (message) => logger.error(`Identity: ${message}`),
    })
  const passwords = dependencies.overrides.passwords ?? { hash: hashPassword, verify: verifyPassword }
  return createIdentity({
    engine,
    logger,
    options,
    cache: dependencies.sessionCache,
    sessionLoader: dependencies.sessionLoader,
    usesOwnSessionReader: dependencies.hasShortcuts,
    loadServer: load,
    hashPassword: (password) => passwords.hash(password),
    verifyPassword: (stored) => passwords.verify(stored),
    sendMail: dependencies.mail.mailers.on(dependencies.database).send,
  })
}
