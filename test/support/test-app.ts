import {
  type App,
  type AppMode,
  type Collection,
  createApp,
  type EmailTemplate,
  type Global,
  type Job,
  type KitConfig,
  type Route,
  type Session,
  signedCookieSessions,
  startNodeServer,
} from "kit"
import { createClient, type QuestpieClientConfig } from "kit/client"
import type { Service } from "kit/services"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

const SECRET = "a secret for tests only"
export const sessions = signedCookieSessions({ secret: SECRET })

export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  readonly database: TestDatabase
  readonly logged: readonly { message: string; fields: unknown }[]
  /** A real client on the real server. */
  client(session?: Session, config?: Partial<QuestpieClientConfig>): LooseClient
  /** A plain request: what curl would send. */
  fetch(
    path: string,
    init?: RequestInit & { session?: Session },
  ): Promise<{ status: number; body: any; headers: Headers }>
}

/** The client as JavaScript sees it: tests of types have a place of their own. */
interface LooseClient {
  readonly collections: Record<string, any>
  readonly globals: Record<string, any>
  readonly routes: any
}

interface TestAppOptions {
  readonly resources?: readonly (Collection | Global)[]
  /** By their paths below `routes/`, without the ending. */
  readonly routes?: Readonly<Record<string, Route>>
  /** By their names. */
  readonly services?: Readonly<Record<string, Service>>
  /** By their names. */
  readonly emails?: Readonly<Record<string, EmailTemplate>>
  /** By their keys in `queue`; the app has a worker where there are any. */
  readonly jobs?: Readonly<Record<string, Job>>
  readonly config?: KitConfig
  readonly mode?: AppMode
  now?(): Date
}

// `npm run test:paths` runs the same tests once with a single connection.
function poolOfThisRun(): { maxConnections?: number } {
  const size = process.env["KIT_TEST_POOL"]
  return size === undefined ? {} : { maxConnections: Number(size) }
}

/** A running app: real HTTP server, real Postgres, a database of its own. */
export async function testApp(options: TestAppOptions): Promise<TestApp> {
  const database = await createTestDatabase()
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields: unknown) => void logged.push({ message, fields })
  const app = await createApp({
    ...definitionsOf(options),
    config: {
      sessions,
      logger: { info: log, warn: log, error: log },
      ...options.config,
      db: { url: database.url, ...poolOfThisRun(), ...options.config?.db },
    },
    root: "/nowhere",
    ...(options.mode && { mode: options.mode }),
    ...(options.now && { now: options.now }),
  })
  if (options.jobs) await app.startWorker()
  const server = await startNodeServer(app.handle, { port: 0, host: "127.0.0.1" })
  const origin = `http://127.0.0.1:${server.port}`
  const url = `${origin}${app.basePath}`
  return {
    app,
    url,
    database,
    logged,
    client: (session, config) =>
      createClient({
        baseURL: origin,
        basePath: app.basePath,
        ...(session && { headers: { cookie: sessions.sign(session) } }),
        ...config,
      }),
    fetch: async (path, { session, ...init } = {}) => {
      const headers = new Headers(init.headers)
      if (session) headers.set("cookie", sessions.sign(session))
      if (init.body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json")
      const response = await fetch(`${url}${path}`, { ...init, headers })
      const text = await response.text()
      return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers }
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await app.stop()
      await database.drop()
    },
  }
}

function definitionsOf({ resources = [], routes = {}, services = {}, emails = {}, jobs = {} }: TestAppOptions) {
  return {
    resources: resources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    routes: Object.entries(routes).map(([path, { definition }]) => ({ file: `routes/${path}.ts`, path, definition })),
    services: Object.entries(services).map(([key, { definition }]) => ({
      file: `services/${key}.ts`,
      key,
      definition,
    })),
    jobs: Object.entries(jobs).map(([key, { definition }]) => ({ file: `jobs/${key}.ts`, key, definition })),
    emails: Object.entries(emails).map(([key, { definition }]) => ({ file: `emails/${key}.ts`, key, definition })),
  }
}
