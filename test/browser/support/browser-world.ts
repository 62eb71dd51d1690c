import { type AppMode, type KitConfig, type Route, startNodeServer } from "kit"
import { type TestApp, type TestAppOptions, testApp } from "kit/testing"
import type { BrowserContext, JSHandle, Page } from "playwright-core"
import { freePort } from "../../support/processes/free-port.ts"
import { createTestDatabase, type TestDatabase } from "../../support/test-database.ts"
import type { PageKit } from "../page/main.ts"
import { type Chromium, startChromium } from "./chromium.ts"
import { bundlers, type PageServer, type Site, servePages } from "./page-server.ts"

export const PASSWORD = "correct horse"

/** A page that has loaded our client. */
export interface OpenPage {
  readonly page: Page
  readonly kit: JSHandle<PageKit>
  /** The uncaught errors of the page. */
  readonly failures: readonly string[]
}

interface OpenOptions {
  readonly context?: BrowserContext
  /** The origin of the API; the page's own unless set. */
  readonly origin?: string
  /** True if the test controls the clock of the page. */
  readonly hasClock?: boolean
}

/** An app, a page on an allowed origin, a page on an origin that is not allowed, and a browser. */
export interface BrowserWorld extends AsyncDisposable {
  readonly app: TestApp
  readonly api: string
  readonly database: TestDatabase
  readonly chromium: Chromium
  /** The origin that is in `cors.origins`. */
  readonly invited: PageServer
  /** A page on the same site, so that browsers send it the same cookies. Its origin is not in `cors.origins`. */
  readonly neighbour: PageServer
  open(options?: OpenOptions): Promise<OpenPage>
  stopApi(): Promise<void>
  /** Starts the API on the same port as before. */
  startApi(): Promise<void>
}

interface WorldOptions {
  readonly collections?: TestAppOptions["collections"]
  readonly routes?: Readonly<Record<string, Route>>
  readonly config?: KitConfig
  readonly mode?: AppMode
  readonly site?: Site
}

export async function browserWorld({ site, ...declared }: WorldOptions = {}): Promise<BrowserWorld> {
  const pages = site ?? (await bundlers.rolldown())
  const [chromium, invited, neighbour, database, port] = await Promise.all([
    startChromium(),
    servePages(pages),
    servePages(pages),
    createTestDatabase(),
    freePort(),
  ])
  const api = new Api({ ...declared, collections: declared.collections ?? [] }, { database, port, invited })
  await api.start()
  return {
    get app() {
      return api.app
    },
    api: `http://127.0.0.1:${port}`,
    database,
    chromium,
    invited,
    neighbour,
    open: (options = {}) => openPage(options, { chromium, invited, port }),
    stopApi: () => api.stop(),
    startApi: () => api.start(),
    [Symbol.asyncDispose]: async () => {
      await chromium[Symbol.asyncDispose]()
      await api.stop()
      await Promise.all([invited[Symbol.asyncDispose](), neighbour[Symbol.asyncDispose](), database.drop()])
    },
  }
}

interface Place {
  readonly database: TestDatabase
  readonly port: number
  readonly invited: PageServer
}

/** The app on a port that stays the same across restarts. */
class Api {
  readonly #declared: TestAppOptions
  readonly #place: Place
  #running: { readonly app: TestApp; stop(): Promise<void> } | undefined

  constructor(declared: TestAppOptions, place: Place) {
    this.#declared = declared
    this.#place = place
  }

  get app(): TestApp {
    if (!this.#running) throw new Error("The API is not running.")
    return this.#running.app
  }

  async start(): Promise<void> {
    const { database, port, invited } = this.#place
    const config = {
      db: { url: database.url },
      cors: { origins: [invited.origin] },
      auth: { signUp: true },
      limits: { rate: false as const },
      ...this.#declared.config,
    }
    const app = await testApp({ ...this.#declared, config })
    const server = await startNodeServer(app.app.handle, { port, host: "127.0.0.1" })
    this.#running = {
      app,
      stop: async () => {
        await Promise.all([server.stop(), app.stop()])
      },
    }
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop()
  }
}

interface Surroundings {
  readonly chromium: Chromium
  readonly invited: PageServer
  readonly port: number
}

async function openPage(
  { context, origin, hasClock }: OpenOptions,
  { chromium, invited, port }: Surroundings,
): Promise<OpenPage> {
  const page = await (context ?? (await chromium.browser.newContext())).newPage()
  const failures: string[] = []
  page.on("pageerror", (error) => failures.push(String(error)))
  if (hasClock) await page.clock.install()
  await page.goto(`${origin ?? invited.origin}/?api=http://127.0.0.1:${port}`)
  return { page, kit: await kitIn(page), failures }
}

/** Returns the object that the page's script has set. */
export async function kitIn(page: Page): Promise<JSHandle<PageKit>> {
  // The script sets nothing more under this name.
  return (await page.evaluateHandle("kit")) as JSHandle<PageKit>
}

/** Signs in as a page does: the browser stores the cookie, and no script can read it. */
export async function signInByPage(kit: OpenPage["kit"], email: string): Promise<void> {
  const credentials = { email, password: PASSWORD }
  await kit.evaluate(async ({ client }, sent) => {
    await client.routes.auth.signIn.email(sent)
  }, credentials)
}
