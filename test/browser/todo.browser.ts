import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { build } from "vite"
import { afterAll, beforeAll, expect, test } from "vitest"
import { KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { type Chromium, startChromium } from "./support/chromium.ts"

const cwd = resolve("examples/todo")

let database: TestDatabase
let server: KitProcess
let origin: string
let chromium: Chromium
let axe: string

beforeAll(async () => {
  await build({ root: resolve(cwd, "web"), logLevel: "warn" })
  database = await createTestDatabase()
  server = new KitProcess(["dev", "--port", "0"], { cwd, env: { DATABASE_URL: database.url } })
  origin = (await server.printed(/http:\/\/localhost:\d+/))[0]
  chromium = await startChromium()
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await server.stop()
  await database.drop()
})

interface Window {
  readonly page: Page
  /** The errors and warnings in the page's console, and its uncaught errors. */
  readonly errors: readonly string[]
}

async function openWindow(options: BrowserContextOptions = {}): Promise<Window> {
  const page = await (await chromium.browser.newContext({ locale: "en", ...options })).newPage()
  const errors: string[] = []
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()))
  page.on("pageerror", (error) => errors.push(String(error)))
  await page.goto(origin)
  await page.getByText("Open this page in a second window").waitFor()
  return { page, errors }
}

async function add(page: Page, title: string): Promise<void> {
  await page.getByLabel("New todo").fill(title)
  await page.getByRole("button", { name: "Add" }).click()
}

test("what one window adds, ticks off or deletes is so in the other one", async () => {
  const [one, other] = await Promise.all([openWindow(), openWindow()])

  await add(one.page, "Water the plants")
  const there = other.page.getByRole("listitem").filter({ hasText: "Water the plants" })
  await there.waitFor()
  expect(await one.page.getByLabel("New todo").inputValue()).toBe("")
  expect(await one.page.getByRole("listitem").count()).toBe(3)
  await there.getByRole("checkbox").check()
  await one.page.locator("s", { hasText: "Water the plants" }).waitFor()
  await one.page.getByRole("button", { name: "Delete Water the plants" }).click()
  await there.waitFor({ state: "detached" })

  expect([one.errors, other.errors]).toEqual([[], []])
  await Promise.all([one, other].map(({ page }) => page.context().close()))
})

test("a change is shown before the server has answered, and undone if it cannot be reached", async () => {
  const { page } = await openWindow()
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => {
    void page.route("**/api/todos*", async (route) => {
      resolve()
      await new Promise<void>((proceed) => {
        answer = proceed
      })
      await route.abort()
    })
  })

  await add(page, "Lost on the way")
  await isAsked
  await page.getByRole("listitem").filter({ hasText: "Lost on the way" }).waitFor()
  expect(await page.getByRole("status").textContent()).toBe("")
  answer()

  await page.getByRole("listitem").filter({ hasText: "Lost on the way" }).waitFor({ state: "detached" })
  expect(await page.getByRole("status").textContent()).not.toBe("")
  await page.context().close()
})

test.each(["light", "dark"] as const)(
  "axe finds nothing in %s, and nothing is wider than 390 px",
  async (colorScheme) => {
    const { page, errors } = await openWindow({ colorScheme, viewport: { width: 390, height: 844 } })
    const long = "Donaudampfschifffahrtsgesellschaft".repeat(3)
    await add(page, long)
    await page.getByText(long).waitFor()

    await page.evaluate(axe)
    // The script that was just evaluated defines this function, and documents its result.
    const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: unknown[] }[] }
    expect(violations).toEqual([])
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390)
    expect(await page.evaluate("getComputedStyle(document.body).colorScheme")).toBe("light dark")
    expect(errors).toEqual([])
    await page.getByRole("button", { name: `Delete ${long}` }).click()
    await page.getByText(long).waitFor({ state: "detached" })
    await page.context().close()
  },
)
