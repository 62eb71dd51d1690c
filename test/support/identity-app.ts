import { type App, type Collection, createApp, type Global, type KitConfig, type Mail, startNodeServer } from "kit"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

/** A running app with identity: people sign up, and mails can be waited for. */
export interface IdentityApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  readonly origin: string
  readonly database: TestDatabase
  readonly mails: readonly Mail[]
  /** A plain request: what curl would send. */
  fetch(path: string, init?: Init): Promise<Answer>
  /** The mail with this number, as soon as it is sent. */
  mail(number: number): Promise<Mail>
  /** Makes a user and signs in. */
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
  readonly resources?: readonly (Collection<any, any> | Global<any, any>)[]
  readonly config?: KitConfig
  /** Another instance on the same database. */
  readonly database?: TestDatabase
  now?(): Date
}

export const PASSWORD = "correct horse"
export const IDENTITY_SECRET = "a secret of 32 characters or more"

export async function identityApp({ resources = [], config, database, now }: IdentityAppOptions = {}) {
  const own = database ?? (await createTestDatabase())
  const mails = new MailBox()
  const quiet = () => {}
  const app = await createApp({
    resources: resources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    config: {
      secret: IDENTITY_SECRET,
      ...(config?.sessions ? {} : { auth: { signUp: true } }),
      email: { transport: mails },
      logger: { info: quiet, warn: quiet, error: quiet },
      limits: { rate: false },
      ...config,
      db: { url: own.url, ...poolOfThisRun(), ...config?.db },
    },
    root: "/nowhere",
    ...(now && { now }),
  })
  const server = await startNodeServer(app.handle, { port: 0, host: "127.0.0.1" })
  const origin = `http://127.0.0.1:${server.port}`
  const url = `${origin}${app.basePath}`
  const send = (path: string, init: Init = {}) => request(`${url}${path}`, init)
  const made: IdentityApp = {
    app,
    url,
    origin,
    database: own,
    mails: mails.sent,
    fetch: send,
    mail: (number) => mails.wait(number),
    signIn: async ({ email, role }) => {
      const { id } = await app.users.create({ email, name: email.split("@")[0] ?? "", password: PASSWORD, role })
      return { id, ...(await signIn(send, email)) }
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await app.stop()
      if (database === undefined) await own.drop()
    },
  }
  return made
}

export async function signIn(send: IdentityApp["fetch"], email: string, password = PASSWORD) {
  const { status, body, headers } = await send("/auth/sign-in/email", { method: "POST", body: { email, password } })
  if (status !== 200) throw new Error(`Signing in failed: ${JSON.stringify(body)}`)
  return { token: String(body.token), cookie: cookieOf(headers) }
}

/** What a browser would send back. */
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

// `npm run test:paths` runs the same tests once with a single connection.
function poolOfThisRun(): { maxConnections?: number } {
  const size = process.env["KIT_TEST_POOL"]
  return size === undefined ? {} : { maxConnections: Number(size) }
}
