import type { App, AppMode, Channel, Collection, Global, KitConfig, Mail } from "kit"
import { testApp } from "kit/testing"
import { vi } from "vitest"
import { hashPassword, verifyPassword } from "../../../packages/kit/src/drivers/better-auth/hash-password.ts"
import { testPasswords } from "../../../packages/kit/src/testing/test-passwords.ts"
import { openTestDatabase, type TestDatabase } from "../test-database.ts"
import { poolOfThisRun } from "./test-app.ts"

/** A running app with identity: users sign up, and tests can wait for mails. */
export interface IdentityApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  readonly origin: string
  readonly database: TestDatabase
  readonly mails: readonly Mail[]
  /** Sends a plain request, as curl would. */
  fetch(path: string, init?: Init): Promise<Answer>
  /** Resolves to the mail with this number as soon as it is sent. */
  mail(number: number): Promise<Mail>
  /** Creates a user and signs in. */
  signIn(user: { email: string; role?: string }): Promise<SignedIn>
}

export interface Init {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly body: any
  readonly headers: Headers
}

export interface SignedIn {
  readonly id: string
  readonly token: string
  /** The value of a `Cookie` header. */
  readonly cookie: string
}

interface IdentityAppOptions {
  readonly resources?: readonly (Collection<any> | Global<any>)[]
  readonly channels?: Readonly<Record<string, Pick<Channel, "definition">>>
  readonly config?: KitConfig
  readonly mode?: AppMode
  /** The database of another instance, to share it. */
  readonly database?: TestDatabase
  now?(): Date
}

export const PASSWORD = "correct horse"
export const IDENTITY_SECRET = "a secret of 32 characters or more"

export async function identityApp(options: IdentityAppOptions = {}): Promise<IdentityApp> {
  const { resources = [], channels, config, mode, now } = options
  const mails = new MailBox()
  const quiet = () => {}
  const running = await testApp({
    collections: resources,
    ...(channels && { channels }),
    config: {
      secret: IDENTITY_SECRET,
      ...(config?.sessions ? {} : { auth: { signUp: true } }),
      email: { transport: mails },
      logger: { info: quiet, warn: quiet, error: quiet },
      limits: { rate: false },
      ...config,
      db: { ...(options.database && { url: options.database.url }), ...poolOfThisRun(), ...config?.db },
    },
    ...(mode && { mode }),
    ...(now && { now }),
  })
  const { app, url } = running
  const database = options.database ?? openTestDatabase(running.databaseUrl)
  return {
    app,
    url,
    origin: new URL(url).origin,
    database,
    mails: mails.sent,
    fetch: (path, init = {}) => request(`${url}${path}`, init),
    mail: (number) => mails.wait(number),
    signIn: async (user) => {
      const { token, cookie, ...session } = await running.signIn(user)
      await givePassword(database, session.user.id)
      return { id: session.user.id, token, cookie }
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      if (options.database === undefined) await database.drop()
    },
  }
}

/** Makes the apps of a test hash passwords with as much work as in production, until the test ends. */
export function hashAsInProduction(): void {
  vi.spyOn(testPasswords, "hash").mockImplementation(hashPassword)
  vi.spyOn(testPasswords, "verify").mockImplementation(verifyPassword)
}

async function givePassword(database: TestDatabase, userId: string): Promise<void> {
  await database.query(
    `insert into _kit_accounts (id, "userId", "accountId", "providerId", password, "createdAt", "updatedAt")
     values (gen_random_uuid(), $1::uuid, $1::uuid::text, 'credential', $2, now(), now())`,
    [userId, await testPasswords.hash(PASSWORD)],
  )
}

export async function signIn(send: IdentityApp["fetch"], email: string, password = PASSWORD) {
  const { status, body, headers } = await send("/auth/sign-in/email", { method: "POST", body: { email, password } })
  if (status !== 200) throw new Error(`Signing in failed: ${JSON.stringify(body)}`)
  return { token: String(body.token), cookie: cookieOf(headers) }
}

/** Returns the `Cookie` header that a browser would send back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0] ?? "")
    .join("; ")
}

async function request(url: string, { method = "GET", body, headers = {} }: Init): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers }
}

class MailBox {
  readonly sent: Mail[] = []
  readonly #waiting: (() => void)[] = []

  send(mail: Mail): Promise<void> {
    this.sent.push(mail)
    for (const wake of this.#waiting.splice(0)) wake()
    return Promise.resolve()
  }

  async wait(number: number): Promise<Mail> {
    for (;;) {
      const mail = this.sent[number - 1]
      if (mail) return mail
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}
