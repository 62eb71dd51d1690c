import { createClient } from "kit/client"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest"
import { collectFaults } from "./page-faults.ts"
import { emailOf, PASSWORD, type Role } from "./people.ts"

export const WAIT = { timeout: 30_000 }

/** The sizes at which every screen is looked at: a desk and a phone. */
export const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

/** The operations of a client, without types: the generated ones belong to the program of the app. */
interface LooseClient {
  readonly collections: Record<string, any>
  readonly globals: Record<string, any>
}

interface OpenOptions extends Omit<BrowserContextOptions, "storageState"> {
  /** The role of the person who has signed in; nobody unless set. */
  readonly as?: Role
  /** The app of the test, and the cookie of its person; the app of all tests unless set. */
  readonly app?: { readonly origin: string; readonly cookie: string }
  /** A fault that the page cannot avoid, such as asking for what is not there. */
  readonly expected?: RegExp
  /** A time that stands still, for pictures. */
  readonly at?: Date
}

interface Console {
  /** The address of a page of the console. */
  urlOf(path: string): string
  /** Opens a page of the console, in a browser that shares nothing with others. Its faults fail the test. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Opens a page without an address, with whatever the person's browser has stored. Its faults are not looked at. */
  openEmpty(options?: OpenOptions): Promise<Page>
  /** A client with the rights of a person. */
  clientOf(role: Role): Promise<LooseClient>
}

type Stored = NonNullable<Exclude<BrowserContextOptions["storageState"], string>>

// Signing in takes a second, so each role signs in once and each page starts with what the browser has stored then.
const stored = new Map<Role, Promise<Stored>>()
const tokens = new Map<Role, Promise<string>>()

/** Opens the browser for the tests of a file. After each test, the pages are closed, and none may have had a fault. */
export function useConsole(): Console {
  const origin = inject("consoleOrigin")
  const faults: { readonly of: readonly string[]; readonly expected: RegExp | undefined }[] = []
  const contexts: BrowserContext[] = []
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.connectOverCDP(inject("chromiumAddress"), { noDefaults: true })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const found = faults.splice(0).flatMap(({ of, expected }) => of.filter((fault) => !expected?.test(fault)))
    expect(found).toEqual([])
  })
  afterAll(() => browser.close())

  const openContext = async ({ as, at, app, expected: _expected, ...options }: OpenOptions) => {
    const state = as === undefined ? undefined : await storedOf(as, browser)
    const context = await browser.newContext({
      locale: "en",
      viewport: SIZES.desk,
      reducedMotion: "reduce",
      ...options,
      ...(state && { storageState: state }),
    })
    contexts.push(context)
    if (at) await context.clock.setFixedTime(at)
    if (app) await context.addCookies(cookiesOf(app))
    return context
  }
  return {
    urlOf,
    open: async (path, options = {}) => {
      const page = await (await openContext(options)).newPage()
      const place = options.app?.origin ?? origin
      faults.push({ of: collectFaults(page, place), expected: options.expected })
      await page.goto(`${place}/admin${path}`)
      return page
    },
    openEmpty: async (options = {}) => (await openContext(options)).newPage(),
    clientOf: async (role) => {
      const token = tokens.get(role) ?? tokenOf(role)
      tokens.set(role, token)
      return createClient({
        baseURL: origin,
        basePath: "/api",
        headers: { authorization: `Bearer ${await token}` },
      })
    },
  }
}

function cookiesOf({ origin, cookie }: { readonly origin: string; readonly cookie: string }) {
  return cookie.split("; ").map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s)
    return { name, value, url: origin }
  })
}

function urlOf(path: string): string {
  return `${inject("consoleOrigin")}/admin${path}`
}

async function tokenOf(role: Role): Promise<string> {
  const client = createClient({ baseURL: inject("consoleOrigin"), basePath: "/api" })
  return (await client.auth.signIn({ email: emailOf(role), password: PASSWORD })).token
}

function storedOf(role: Role, browser: Browser): Promise<Stored> {
  const known = stored.get(role) ?? signInByPage(role, browser)
  stored.set(role, known)
  return known
}

async function signInByPage(role: Role, browser: Browser): Promise<Stored> {
  const context = await browser.newContext({ locale: "en" })
  const page = await context.newPage()
  await page.goto(urlOf("/"))
  await fillSignIn(page, { email: emailOf(role), password: PASSWORD })
  await page.getByRole("navigation").first().waitFor(WAIT)
  const state = await context.storageState()
  await context.close()
  return state
}

/** Signs in by the form of the page. */
export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}
