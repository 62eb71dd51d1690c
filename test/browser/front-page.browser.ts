import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { collection, route } from "kit"
import { type TestApp, testApp } from "kit/testing"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DevApp } from "../support/processes/dev-app.ts"
import { type Chromium, startChromium } from "./support/chromium.ts"

const EDITOR = { email: "editor@example.com", password: "newsroom" }
const STRANGER = { email: "stranger@example.com", password: "newsroom" }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true })
const notes = collection("notes_of_everyone_who_works_here_with_a_long_name")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null })

let app: TestApp
let chromium: Chromium
let axe: string

beforeAll(async () => {
  app = await testApp({
    collections: [posts, notes],
    routes: {
      stats: route()
        .get()
        .handler(() => "fine"),
    },
    mode: "development",
    config: { app: { name: "newsroom" }, dev: { signIns: [EDITOR, STRANGER] } },
  })
  await app.app.users.create({ name: "Eva", ...EDITOR })
  chromium = await startChromium()
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

interface OpenedPage {
  readonly page: Page
  /** The errors in the page's console, and the uncaught errors of its script. */
  readonly errors: readonly string[]
}

async function open(address: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const page = await (await chromium.browser.newContext(options)).newPage()
  const errors: string[] = []
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
  page.on("pageerror", (error) => errors.push(String(error)))
  await page.goto(address)
  return { page, errors }
}

const frontPage = () => new URL(app.url).origin.replace("127.0.0.1", "localhost")

/** Runs axe in the page; resolves to its findings, each with the elements that it is about. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  // The script that was just evaluated defines this function, and documents its result.
  const result = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: { html: string }[] }[] }
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

const signedInAs = (page: Page, email: string) => page.locator("header", { hasText: `Signed in as ${email}` })

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])("the page has no error, no finding and no horizontal scroll at %i px", async (width) => {
    const { page, errors } = await open(frontPage(), { colorScheme, viewport: { width, height: 800 } })

    const anonymous = await findings(page)
    await page.getByRole("button", { name: EDITOR.email }).click()
    await signedInAs(page, EDITOR.email).waitFor()
    const signedIn = await findings(page)
    // The panel of a mistake has its own colours.
    await page.evaluate("document.querySelector('#mistake').removeAttribute('hidden')")
    const withMistake = await findings(page)

    expect([anonymous, signedIn, withMistake]).toEqual([[], [], []])
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    expect(errors).toEqual([])
    await page.context().close()
  })
})

test("every link answers, before and after signing in", async () => {
  const { page } = await open(frontPage())
  const linked = () => page.evaluate<string[]>("Array.from(document.links, (link) => link.getAttribute('href') ?? '')")

  const before = await linked()
  await page.getByRole("button", { name: EDITOR.email }).click()
  await signedInAs(page, EDITOR.email).waitFor()
  const after = await linked()

  expect(after.filter((path) => !before.includes(path))).toEqual([
    expect.stringContaining("/notes_of_everyone_who_works_here_with_a_long_name?limit=5"),
    expect.stringContaining("/users?limit=5"),
  ])
  for (const path of after) {
    const status = await page.evaluate(async (address) => (await fetch(address)).status, path)
    expect({ path, status }).toEqual({ path, status: 200 })
  }
  await page.context().close()
})

test("signing out ends the session, and a sign-in that fails says why", async () => {
  const { page } = await open(frontPage())
  await page.getByRole("button", { name: EDITOR.email }).click()
  await signedInAs(page, EDITOR.email).waitFor()

  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByText("You are not signed in").waitFor()
  await page.getByRole("button", { name: STRANGER.email }).click()

  await expect.poll(() => page.getByRole("status").textContent()).toMatch(/email or password/i)
  await page.context().close()
})

test("the code of the client can be copied", async () => {
  const { page } = await open(frontPage(), { permissions: ["clipboard-read", "clipboard-write"] })

  await page.getByRole("button", { name: "Copy" }).click()
  await page.getByRole("button", { name: "Copied" }).waitFor()

  const copied = await page.evaluate("navigator.clipboard.readText()")
  expect(copied).toContain(`createClient<AppConfig>({ baseURL: "${frontPage()}"`)
  await page.context().close()
})

test("an open page shows a mistake, drops it when it is fixed, and follows the app", async () => {
  const config = (name: string) => `export default { app: { name: "${name}" } }`
  await using developed = await DevApp.start({
    "kit.config.ts": config("first"),
    "src/routes/stats.ts": 'import { route } from "kit"\nexport default route().get().handler(() => 1)',
  })
  const { page } = await open(developed.origin)

  await developed.folder.write("kit.config.ts", `${config("second")} and`)
  await page.getByRole("alert").waitFor()
  const shown = await page.getByRole("alert").textContent()
  await developed.folder.write("kit.config.ts", config("second"))
  await page.getByRole("heading", { name: "second" }).waitFor()

  expect(shown).toContain("kit.config.ts:1:")
  expect(await page.getByRole("alert").count()).toBe(0)
  await page.context().close()
})
