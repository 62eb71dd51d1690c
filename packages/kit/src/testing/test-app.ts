import type { App } from "../app/app.ts"
import { type OpenedApp, openApp } from "../app/create-app.ts"
import type { SystemApi } from "../app/definition/app-api.ts"
import { createClient } from "../client/create-client.ts"
import type { Client } from "../client/typed-client.ts"
import { type NodeServer, startNodeServer } from "../drivers/node/server.ts"
import type { LogFields, Logger } from "../ports/logger.ts"
import type { Session } from "../ports/session-provider.ts"
import type {
  RegisteredChannels,
  RegisteredCollections,
  RegisteredGlobals,
  RegisteredQueue,
} from "../schema/context/register.ts"
import type { AppTypes } from "../wire/typed/app-config.ts"
import type { UntypedRoute } from "../wire/typed/typed-routes.ts"
import { checkOptions } from "./check-options.ts"
import { runOnClock, wrapWithClock } from "./clocked-date.ts"
import { loadAppDefinition, type TestAppOptions } from "./declared-app.ts"
import { type DueJobs, dueJobs } from "./due-jobs.ts"
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts"
import { GuestSessions } from "./guest-sessions.ts"
import { listTestJobs, type TestJob, type TestJobFilter } from "./job-journal.ts"
import { Mailbox, type TestMails } from "./mailbox.ts"
import { type SignedIn, signIn, type TestUser } from "./sign-in.ts"
import { TestClock } from "./test-clock.ts"
import { testConfig } from "./test-config.ts"
import { type TestFiles, testFiles } from "./test-files.ts"
import { testPasswords } from "./test-passwords.ts"
import { testServer } from "./test-server.ts"

/** The HTTP client with the types from the app's generated code. With `testApp<AppConfig>()`, routes are typed too. */
export interface RegisteredClient {
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  readonly routes: UntypedRoute
}

export interface TestLog {
  readonly level: keyof Logger
  readonly message: string
  readonly fields: LogFields
}

type ClientOf<Config extends AppTypes> = [Config] extends [never] ? RegisteredClient : Client<Config>

/** An app that runs for a test, with a real HTTP server and its own database. */
export interface TestApp<Api = RegisteredClient> extends AsyncDisposable {
  readonly app: App
  /** The base URL of the app's API. */
  readonly url: string
  readonly databaseUrl: string
  /** Creates a user and signs the user in. */
  signIn(user?: TestUser): Promise<SignedIn>
  /** Returns an HTTP client whose requests have this session: a signed-in user's, or one that the test makes up. */
  as(session: Session): Api
  /** An HTTP client whose requests have no session. */
  readonly anonymous: Api
  /** The app's operations, called without HTTP. No rule is evaluated. */
  readonly system: SystemApi
  /** Publishes jobs of the app. */
  readonly queue: RegisteredQueue
  /** Publishes events to the app's channels. */
  readonly channels: RegisteredChannels
  /** The app's clock, which the test can advance. */
  readonly clock: Pick<TestClock, "now" | "in" | "advance" | "advanceTo">
  readonly mails: TestMails
  readonly jobs: TestJobs
  readonly logs: readonly TestLog[]
  /** Sends an HTTP request to a URL path below the API's base URL, with the session in `as` if it is set. */
  fetch(path: string, init?: RequestInit & { readonly as?: Session }): Promise<Response>
  /** Runs an SQL statement in the app's database, and resolves to its rows. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Stops the app and drops its database. `await using` calls it at the end of the block. */
  stop(): Promise<void>
}

export interface TestJobs {
  /** Returns the app's published jobs, including jobs that have ended, the oldest first. */
  list(filter?: TestJobFilter): Promise<readonly TestJob[]>
  /**
   * Resolves when every due job has run, including due jobs that other jobs have published meanwhile. Before, the values
   * of shared documents are written to their records.
   */
  settle(): Promise<void>
}

/**
 * Starts an app for a test: the app of the working directory, or one that the test declares.
 *
 * await using app = await testApp()
 */
export async function testApp<Config extends AppTypes = never>(
  options: TestAppOptions = {},
): Promise<TestApp<ClientOf<Config>>> {
  checkOptions(options)
  const mails = new Mailbox()
  const logs: TestLog[] = []
  const guests = new GuestSessions()
  const jobs = dueJobs()
  const clock = new TestClock(jobs, options.now)
  const databases: FreshDatabase[] = []
  const files = testFiles()
  const dropDatabases = () => {
    for (const database of databases.splice(0)) database.drop()
  }
  try {
    const opened = await openTestApp(options, {
      mails,
      logger: collectingLogger(logs),
      guests,
      clock,
      databases,
      files,
    })
    const server = await serve(opened, { jobs, clock })
    return toTestApp<ClientOf<Config>>({ opened, server, mails, logs, guests, jobs, clock, files, dropDatabases })
  } catch (error) {
    dropDatabases()
    throw error
  }
}

interface TestAppDependencies {
  readonly mails: Mailbox
  readonly logger: Logger
  readonly guests: GuestSessions
  readonly clock: TestClock
  /** Collects the databases that are dropped when the test app stops. */
  readonly databases: FreshDatabase[]
  readonly files: TestFiles
}

async function openTestApp(options: TestAppOptions, surroundings: TestAppDependencies): Promise<OpenedApp> {
  const { mails, logger, guests, clock, databases, files } = surroundings
  const declared = await loadAppDefinition(options)
  const testSettings = options.config ?? {}
  const config = testConfig({ appSettings: declared.config, testSettings, mails, logger, folder: files.folder })
  const now = () => clock.now()
  const { root, migrations = [] } = declared
  const definition = { ...declared, config, now, mode: options.mode ?? "local" }
  return runOnClock(now, () =>
    openApp(definition, {
      wrapSessions: (own) => guests.wrap(own),
      callHandler: (call) => runOnClock(now, call),
      passwords: testPasswords,
      // If the test sets a database URL, that database is used. Otherwise a fresh database is created.
      ...(testSettings.db?.url === undefined && {
        prepareDatabase: async (schema) => {
          const fresh = await freshDatabase(await testServer(root), { schema, migrations })
          databases.push(fresh)
          // app.stop() keeps the database, because a test may still query it. The test app's stop() drops it.
          const release = () => Promise.resolve()
          return { url: fresh.url, databaseNote: "a database of the test", isEmbedded: false, release }
        },
      }),
    }),
  )
}

interface ServeDependencies {
  readonly jobs: DueJobs
  readonly clock: TestClock
}

async function serve(opened: OpenedApp, { jobs, clock }: ServeDependencies): Promise<NodeServer> {
  const { app } = opened
  const now = () => clock.now()
  const handle: App["handle"] = (call) => runOnClock(now, () => app.handle(call))
  try {
    const [server] = await Promise.all([
      startNodeServer(handle, { port: 0, host: "127.0.0.1" }),
      jobs.startWorkerFor(opened),
    ])
    return server
  } catch (error) {
    await app.stop()
    throw error
  }
}

interface RunningTestApp extends Omit<TestAppDependencies, "logger" | "databases"> {
  readonly opened: OpenedApp
  readonly server: NodeServer
  readonly logs: readonly TestLog[]
  readonly jobs: DueJobs
  dropDatabases(): void
}

function toTestApp<Api>(running: RunningTestApp): TestApp<Api> {
  const { opened, server, mails, logs, guests, jobs, clock, files, dropDatabases } = running
  const { app, database } = opened
  const baseURL = `http://127.0.0.1:${server.port}`
  const url = baseURL + app.basePath
  const headersOf = (session: Session) => (isSignedIn(session) ? session.headers : guests.headersOf(session))
  const clientWith = (headers: Readonly<Record<string, string>>) =>
    // The cast is safe: the generated types describe the app that was loaded.
    createClient({ baseURL, basePath: app.basePath, headers }) as unknown as Api
  const stop = once(async () => {
    await server.stop()
    await app.stop()
    await files.remove()
    dropDatabases()
  })
  return {
    ...{ app, url, databaseUrl: opened.databaseUrl, mails, logs, clock, stop },
    signIn: (user = {}) =>
      runOnClock(
        () => clock.now(),
        () => signIn(opened, user),
      ),
    as: (session) => clientWith(headersOf(session)),
    anonymous: clientWith({}),
    system: wrapWithClock(() => clock.now(), app.system),
    queue: app.queue,
    channels: app.channels,
    jobs: { list: (filter) => listTestJobs(database, filter), settle: () => jobs.settle() },
    fetch: (path, { as, ...init } = {}) => {
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(as ? headersOf(as) : {})) headers.set(name, value)
      return fetch(url + path, { ...init, headers })
    },
    query: async (text, values = []) => {
      const { rows, columns } = await database.query({ text, values })
      return rows.map((row) => Object.fromEntries(columns.map((column, place) => [column, row[place]])))
    },
    [Symbol.asyncDispose]: stop,
  }
}

function isSignedIn(session: Session): session is SignedIn {
  return "token" in session && "headers" in session
}

function collectingLogger(logs: TestLog[]): Logger {
  const at =
    (level: TestLog["level"]) =>
    (message: string, fields: LogFields = {}) =>
      void logs.push({ level, message, fields })
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
