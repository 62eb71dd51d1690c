import {
  type App,
  type AppMode,
  type Channel,
  type Collection,
  type EmailTemplate,
  type Global,
  type Job,
  type KitConfig,
  type Route,
  type Session,
  signedCookieSessions,
} from "kit"
import { type Client, createClient, type QuestpieClientConfig } from "kit/client"
import type { UntypedApp } from "kit/generated"
import type { Service } from "kit/services"
import { testApp as startTestApp } from "kit/testing"
import { openTestDatabase, type TestDatabase } from "../test-database.ts"

const SECRET = "a secret for tests only"
export const sessions = signedCookieSessions({ secret: SECRET })

export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  readonly database: TestDatabase
  readonly logged: readonly { message: string; fields: unknown }[]
  /** Returns a real client for the real server. */
  client(session?: Session, config?: Partial<QuestpieClientConfig>): LooseClient
  /** Sends a plain request, as curl would. */
  fetch(
    path: string,
    init?: RequestInit & { session?: Session },
  ): Promise<{ status: number; body: any; headers: Headers }>
}

/** The client without types, because the types have their own tests. */
interface LooseClient extends Omit<Client<UntypedApp>, "collections" | "globals" | "routes" | "channels" | "search"> {
  readonly collections: Record<string, any>
  readonly globals: Record<string, any>
  readonly routes: any
  readonly channels: Record<string, any>
  readonly search: any
}

interface TestAppOptions {
  readonly resources?: readonly (Collection | Global)[]
  /** The routes, by path below `routes/`, without the extension. */
  readonly routes?: Readonly<Record<string, Route>>
  /** The services, by name. */
  readonly services?: Readonly<Record<string, Service>>
  /** The email templates, by name. */
  readonly emails?: Readonly<Record<string, EmailTemplate>>
  /** The jobs, by key in `queue`; with jobs, the app has a worker. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** The channels, by file name. */
  readonly channels?: Readonly<Record<string, Pick<Channel, "definition">>>
  readonly config?: KitConfig
  readonly mode?: AppMode
  now?(): Date
}

// `npm run test:paths` runs the same tests once with a single connection.
export function poolOfThisRun(): { maxConnections?: number } {
  const size = process.env["KIT_TEST_POOL"]
  return size === undefined ? {} : { maxConnections: Number(size) }
}

/** Starts an app whose sessions are in its cookies, so that a test can act as any user. */
export async function testApp({ resources = [], config, ...options }: TestAppOptions): Promise<TestApp> {
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields: unknown) => void logged.push({ message, fields })
  const logger = { info: log, warn: log, error: log }
  const running = await startTestApp({
    ...options,
    collections: resources,
    config: { sessions, logger, ...config, db: { ...poolOfThisRun(), ...config?.db } },
  })
  const { app, url } = running
  if (options.jobs) await app.startWorker()
  const database = openTestDatabase(running.databaseUrl)
  const baseURL = new URL(url).origin
  return {
    app,
    url,
    database,
    logged,
    client: (session, more) =>
      createClient({
        baseURL,
        basePath: app.basePath,
        ...(session && { headers: { cookie: sessions.sign(session) } }),
        ...more,
      }),
    fetch: async (path, { session, ...init } = {}) => {
      const headers = new Headers(init.headers)
      if (session) headers.set("cookie", sessions.sign(session))
      const isJson = init.body !== undefined && !(init.body instanceof FormData)
      if (isJson && !headers.has("content-type")) headers.set("content-type", "application/json")
      const response = await running.fetch(path, { ...init, headers })
      const text = await response.text()
      return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers }
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await database.drop()
    },
  }
}
