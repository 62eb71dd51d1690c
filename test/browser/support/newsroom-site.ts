import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createClient } from "kit/client"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { KitProcess } from "../../support/processes/kit-process.ts"
import { createTestDatabase } from "../../support/test-database.ts"
import { startChromium } from "./chromium.ts"

const cwd = resolve("examples/newsroom")

/** The operations of a client. The types of the example belong to a separate program. */
interface LooseClient {
  readonly collections: Record<string, any>
}

/** A page, and what it has complained about: errors and warnings in its console, and uncaught errors. */
export interface SiteWindow {
  readonly page: Page
  readonly complaints: readonly string[]
}

interface WindowOptions extends BrowserContextOptions {
  /** The mail address of the user who is signed in. */
  readonly as?: string
}

/** The newsroom with its pages and seed, as it runs in production, and a browser. */
export interface NewsroomSite extends AsyncDisposable {
  readonly origin: string
  /** Opens a page in a browser of its own, which shares nothing with others. */
  open(path: string, options?: WindowOptions): Promise<SiteWindow>
  clientOf(email: string): Promise<LooseClient>
}

export async function startNewsroomSite(): Promise<NewsroomSite> {
  const database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    KIT_SECRET: randomBytes(32).toString("base64"),
    NODE_ENV: "production",
  }
  const seeding = new KitProcess(["seed"], { cwd, env })
  if ((await seeding.exit()) !== 0) throw new Error(seeding.output)
  const server = new KitProcess(["start", "--port", "0"], { cwd, env })
  const [origin] = await server.printed(/http:\/\/localhost:\d+/)
  const chromium = await startChromium()
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = async (email: string) =>
    (await createClient({ baseURL: origin, basePath: "/api" }).auth.signIn({ email, password: "newsroom" })).token
  return {
    origin,
    open: async (path, { as, ...options } = {}) => {
      const context = await chromium.browser.newContext({
        locale: "en",
        viewport: { width: 1280, height: 900 },
        ...options,
      })
      if (as) await signInContext(context, origin, as)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()))
      page.on("pageerror", (error) => complaints.push(String(error)))
      await page.goto(`${origin}${path}`)
      return { page, complaints }
    },
    clientOf: async (email) => {
      const signedIn = tokens.get(email) ?? tokenOf(email)
      tokens.set(email, signedIn)
      const token = await signedIn
      return createClient({ baseURL: origin, basePath: "/api", headers: { authorization: `Bearer ${token}` } })
    },
    [Symbol.asyncDispose]: async () => {
      await chromium[Symbol.asyncDispose]()
      await server.stop()
      await database.drop()
    },
  }
}

/** Signs in, as often as the server's limit of sign-ins allows it. */
async function signInContext(context: BrowserContext, origin: string, email: string): Promise<void> {
  const data = { email, password: "newsroom" }
  const answer = await context.request.post(`${origin}/api/auth/sign-in/email`, { data, headers: { origin } })
  if (answer.ok()) return
  if (answer.status() !== 429) throw new Error(await answer.text())
  await setTimeout(Number(answer.headers()["retry-after"] ?? 1) * 1_000)
  await signInContext(context, origin, email)
}

/** Resolves to the findings of axe, each with the elements that it is about, and to whether the page scrolls sideways. */
export async function findingsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
  // The cast is safe: the script that was just evaluated documents this result.
  const result = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: { html: string }[] }[] }
  const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
  const findings = result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
  return isTooWide ? [...findings, "The page scrolls sideways."] : findings
}
