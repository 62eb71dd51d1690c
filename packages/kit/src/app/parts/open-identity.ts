import { hashPassword, verifyPassword } from "../../drivers/better-auth/hash-password.ts"
import { loadServer } from "../../drivers/better-auth/load-server.ts"
import type { Engine } from "../../engine/engine.ts"
import { usersOf } from "../../features/auth/accounts/user-store.ts"
import { createIdentity, type Identity, type IdentityServerDependencies } from "../../features/auth/identity.ts"
import { PEER_HEADER } from "../../features/auth/library-call.ts"
import type { SessionCache } from "../../features/auth/sessions/session-cache.ts"
import type { RateLimit } from "../../http/protection/rate-limiter.ts"
import { authoredSessionFields } from "../../schema/compile/session-fields.ts"
import type { NewMail } from "../../schema/context/mailer.ts"
import type { KitConfig } from "../config/config.ts"
import type { Drivers } from "../config/defaults.ts"
import { passwordLimits } from "../config/password-limits.ts"

interface IdentityDependencies {
  readonly config: KitConfig
  readonly engine: Engine
  readonly drivers: Drivers
  readonly cache: SessionCache
  readonly basePath: string
  sendMail(mail: NewMail): Promise<void>
}

const COOKIE_PREFIX = "kit"
const DEFAULT_SESSION_DAYS = 7
const DEFAULT_WRONG_PASSWORDS: RateLimit = { requests: 20, windowSeconds: 60 * 60 }

/**
 * Creates the identity feature, unless the author has set a session provider. The identity library (better-auth) is
 * loaded at first use.
 */
export function openIdentity(place: IdentityDependencies): Identity | undefined {
  const { config, engine, drivers, cache } = place
  const { secret, logger, hasShortcuts: usesOwnSessionReader } = drivers
  if (secret === undefined) return undefined
  const { auth = {}, app = {} } = config
  const isQuiet = auth.signUp === "quiet"
  const rate = config.limits?.rate ?? {}
  const url = app.url === undefined ? undefined : new URL(app.url).origin
  const options = {
    appName: app.name ?? "kit",
    url,
    signUp: auth.signUp === true || isQuiet,
    isQuiet,
    requireVerifiedEmail: isQuiet || (auth.requireVerifiedEmail ?? false),
    basePath: `${place.basePath}/auth`,
    wrongPasswords: rate === false ? undefined : (rate.wrongPasswords ?? DEFAULT_WRONG_PASSWORDS),
    passwordLane: passwordLimits(config),
    sessionDays: auth.sessionDays ?? DEFAULT_SESSION_DAYS,
    // An origin that may call the app with its visitors' cookies may also be the target of a redirect.
    trustedRedirects: [...(auth.trustedRedirects ?? []), ...(config.cors?.origins ?? [])],
    cookie: { secret, prefix: COOKIE_PREFIX, isSecure: url?.startsWith("https:") ?? false },
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
  return createIdentity({
    engine,
    logger,
    options,
    cache,
    usesOwnSessionReader,
    loadServer: load,
    hashPassword,
    verifyPassword,
    sendMail: place.sendMail,
  })
}
