import { APIError } from "better-auth/api"
import { betterAuth } from "better-auth/minimal"
import { admin } from "better-auth/plugins/admin"
import { bearer } from "better-auth/plugins/bearer"
import type { BetterAuthOptions } from "better-auth/types"
import type { IdentityAnswer, IdentityServer } from "../../ports/identity.ts"
import type { HeaderReader, Session } from "../../ports/session-provider.ts"
import { storeAdapter } from "./adapter.ts"
import { currentCall, runCall, setFailure, setReset } from "./call-state.ts"
import type { IdentitySettings } from "./settings.ts"

const DAY_S = 24 * 60 * 60

/** Creates the identity server (sign-up, sign-in and so on). It runs better-auth on the app's identity store. */
export function createServer(settings: IdentitySettings): IdentityServer {
  const auth = betterAuth(optionsOf(settings))
  return {
    answer: async (request, { caller, newPassword, userFields }) => {
      const prepared =
        newPassword === undefined ? undefined : await hashNewPassword(settings, { caller, password: newPassword })
      const notes = { caller, userFields, ...(prepared && { prepared }) }
      const {
        result,
        failure,
        resetOf: resetEmail,
      } = await runCall(notes, () => auth.handler(request).catch(responseOf))
      const answer = await answerOf(result)
      // If the store or the password hasher failed, the caller gets that failure instead of better-auth's error.
      if (answer.kind === "refused" && failure !== undefined) throw failure
      return { ...answer, ...(resetEmail !== undefined && { resetEmail }) }
    },
    readSession: async (headers) => {
      const found = await auth.api.getSession({ headers: sessionHeaders(headers) })
      return found && !isBanned(found.user) ? sessionOf(found, settings.sessionFields) : null
    },
  }
}

function optionsOf(settings: IdentitySettings): BetterAuthOptions {
  const { secret, basePath, url, isSecure, signUp, requireVerifiedEmail, sessionDays, mails } = settings
  return {
    appName: settings.appName,
    secret,
    basePath,
    ...(url !== undefined && { baseURL: url }),
    database: storeAdapter(settings.store),
    trustedOrigins: [...settings.trustedOrigins],
    telemetry: { enabled: false },
    // Disables better-auth's rate limits, because the app limits requests to all of its URL paths itself.
    rateLimit: { enabled: false },
    logger: { level: "error", log: (_level, message) => settings.log(message) },
    plugins: [bearer(), admin()],
    socialProviders: socialProviders(settings),
    session: { expiresIn: sessionDays * DAY_S, updateAge: DAY_S, freshAge: 0 },
    user: { additionalFields: additionalFields(settings.sessionFields) },
    verification: { storeIdentifier: "hashed" },
    account: { encryptOAuthTokens: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !signUp,
      requireEmailVerification: requireVerifiedEmail,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      password: passwordsOf(settings),
      sendResetPassword: ({ user, url: link, token }) =>
        Promise.resolve(mails.sendReset({ email: user.email, name: user.name, url: link, token })),
      onPasswordReset: ({ user }) => afterReset(settings, user),
      // Called if somebody signs up with the mail address of an existing account, but only if addresses must be
      // verified. Otherwise better-auth responds that the account exists.
      onExistingUserSignUp: ({ user }) => Promise.resolve(mails.sendExisting({ email: user.email, name: user.name })),
    },
    emailVerification: {
      sendOnSignUp: requireVerifiedEmail,
      sendOnSignIn: requireVerifiedEmail,
      sendVerificationEmail: ({ user, url: link, token }) =>
        Promise.resolve(mails.sendVerification({ email: user.email, name: user.name, url: link, token })),
    },
    advanced: {
      cookiePrefix: settings.cookiePrefix,
      useSecureCookies: isSecure,
      // Disables better-auth's origin check, because the app itself checks the origin of every request that has
      // cookies.
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [settings.peerHeader] },
      database: { generateId: false },
    },
    onAPIError: {
      onError: (error) => {
        throw new WrappedError(error)
      },
    },
  }
}

function passwordsOf({ passwords }: IdentitySettings) {
  return {
    hash: (password: string) => {
      const { caller, prepared } = currentCall()
      return prepared?.password === password
        ? Promise.resolve(prepared.hash)
        : passwords.hash(caller, password).catch(setFailureAndThrow)
    },
    verify: (stored: { hash: string; password: string }) =>
      passwords.verify(currentCall().caller, stored).catch(setFailureAndThrow),
  }
}

// Records the error before it is thrown, because better-auth would replace it with an error of its own.
function setFailureAndThrow(error: unknown): never {
  setFailure(error)
  throw error
}

async function hashNewPassword(
  { passwords }: IdentitySettings,
  { caller, password }: { caller: string; password: string },
) {
  return { password, hash: await passwords.hash(caller, password) }
}

// Marks the user's mail address as verified, because the reset link that was just used had been sent to it.
async function afterReset({ store }: IdentitySettings, { id, email, emailVerified }: ResetUser): Promise<void> {
  setReset(email)
  const where = [{ field: "id", operator: "eq", value: id, connector: "AND" }] as const
  if (!emailVerified) await store.update("user", where, { emailVerified: true })
}

interface ResetUser {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
}

/**
 * Wraps an error so that it passes through better-auth's router. The router would turn the bare error into a response.
 */
class WrappedError extends Error {
  constructor(cause: unknown) {
    super("Passed on.", { cause })
  }
}

// Returns better-auth's declarations of the additional user fields that a session contains.
function additionalFields(names: readonly string[]) {
  const field = { type: "string", required: false, input: false } as const
  return Object.fromEntries(names.map((name) => [name, field]))
}

// Returns the settings of each OAuth provider in better-auth's format. The app's configuration already has this format,
// so only the sign-up options are added.
function socialProviders(settings: IdentitySettings): BetterAuthOptions["socialProviders"] & object {
  const { providers, signUp, requireVerifiedEmail } = settings
  const own = { disableSignUp: !signUp, ...(requireVerifiedEmail && { requireEmailVerification: true }) }
  return Object.fromEntries(Object.entries(providers).map(([name, provider]) => [name, { ...provider, ...own }]))
}

async function answerOf(response: Response): Promise<IdentityAnswer> {
  if (response.status < 400) return { kind: "response", response }
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  return { kind: "refused", status: response.status, code: textOf(code), message: textOf(message) }
}

// Returns the response for an APIError that better-auth threw while it routed a request. Rethrows any other error.
function responseOf(error: unknown): Response {
  const reason = error instanceof WrappedError ? error.cause : error
  if (!(reason instanceof APIError)) throw reason
  return Response.json(reason.body ?? {}, { status: reason.statusCode })
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

function sessionHeaders(headers: HeaderReader): Headers {
  const made = new Headers()
  for (const name of ["cookie", "authorization"]) {
    const value = headers.get(name)
    if (value !== null) made.set(name, value)
  }
  return made
}

interface FoundSession {
  readonly session: { readonly id: string; readonly expiresAt: Date }
  readonly user: FoundUser
}

interface FoundUser extends Readonly<Record<string, unknown>> {
  readonly id: string
}

// True if the user is banned now. This is checked for every session, because better-auth refuses new sessions to a
// banned user but keeps existing sessions valid.
function isBanned({ banned, banExpires }: FoundUser): boolean {
  return banned === true && !(banExpires instanceof Date && banExpires.getTime() <= Date.now())
}

const OWN_FIELDS = ["id", "name", "email", "emailVerified", "image", "role", "createdAt", "updatedAt"]

function sessionOf({ session, user }: FoundSession, fields: readonly string[]): Session {
  const shown = [...OWN_FIELDS, ...fields].map((name) => [name, user[name]])
  const { id, expiresAt } = session
  return { user: { ...Object.fromEntries(shown), id: user.id }, session: { id, expiresAt } }
}
