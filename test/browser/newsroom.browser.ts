import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { createClient } from "kit/client"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { type Chromium, startChromium } from "./support/chromium.ts"

const cwd = resolve("examples/newsroom")
const WAIT = { timeout: 60_000 }
const EDITOR = { email: "editor@example.com", password: "newsroom" }

let database: TestDatabase
let server: KitProcess
let origin: string
let chromium: Chromium
let axe: string

// The newsroom as it runs in production: from `kit start`, with the pages that Vite has built.
beforeAll(async () => {
  database = await createTestDatabase()
  const secret = "c0RrZ0J5b1J1d3lHc2hVb2hWZ0p3bXQ0eTd2Q2Jt"
  const env = { DATABASE_URL: database.url, KIT_SECRET: secret, NODE_ENV: "production", KIT_LOG_LEVEL: "warn" }
  const seeding = new KitProcess(["seed"], { cwd, env })
  expect(await seeding.exit(), seeding.output).toBe(0)
  server = new KitProcess(["start", "--port", "0"], { cwd, env })
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
  /** The errors and warnings in the page's console, its uncaught errors, and its requests to other servers. */
  readonly errors: readonly string[]
}

async function openWindow(path: string, options: BrowserContextOptions = {}): Promise<Window> {
  return openTab(await chromium.browser.newContext({ locale: "en", ...options }), path)
}

async function openTab(context: BrowserContext, path: string): Promise<Window> {
  const page = await context.newPage()
  const errors: string[] = []
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()))
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("request", (request) => request.url().startsWith(origin) || errors.push(request.url()))
  await page.goto(`${origin}${path}`)
  return { page, errors }
}

/** Resolves to the findings of axe, each with the elements that it is about. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  // The script that was just evaluated defines this function, and documents its result.
  const result = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: { html: string }[] }[] }
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, exact: true })

/** Returns the client of an editor. The types of the example belong to a separate program. */
async function editorClient(): Promise<{ readonly collections: Record<string, any> }> {
  const token = (await createClient({ baseURL: origin, basePath: "/api" }).auth.signIn(EDITOR)).token
  return createClient({ baseURL: origin, basePath: "/api", headers: { authorization: `Bearer ${token}` } })
}

/** Publishes an article, and returns its id and a function that publishes a correction. */
async function publish(article: { readonly title: string; readonly slug: string; readonly body?: object }) {
  const { articles, teams, users } = (await editorClient()).collections
  const team = (await teams.find({ where: { slug: "culture" } })).docs[0].id
  const author = (await users.find({ where: { name: "Eva Novak" } })).docs[0].id
  const { id } = await articles.create({ ...article, team, author, summary: "It has just happened." })
  await articles.transitionStage({ id, stage: "review" })
  await articles.transitionStage({ id, stage: "published" })
  const correct = async (data: object) => {
    await articles.updateById({ id, data })
    await articles.transitionStage({ id, stage: "published" })
  }
  return { correct, remove: () => articles.transitionStage({ id, stage: "draft" }) }
}

const PAGES = [
  { path: "/", shows: "Seven rivers" },
  { path: "/sections/culture", shows: "The night shift" },
  { path: "/articles/seven-rivers", shows: "Seven rivers" },
  { path: "/pages/about", shows: "A paper for a town on a river" },
  { path: "/search?q=river", shows: "Seven rivers" },
  { path: "/account", shows: "Sign in" },
  { path: "/nowhere", shows: "Nothing here" },
  { path: "/sections/nowhere", shows: "Nothing here" },
  // A draft.
  { path: "/pages/join", shows: "Nothing here" },
]

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])("no page has an error, a finding or a horizontal scroll at %i px", async (width) => {
    const { page, errors } = await openWindow("/", { colorScheme, viewport: { width, height: 900 } })
    for (const { path, shows } of PAGES) {
      await page.goto(`${origin}${path}`)
      await heading(page, shows).waitFor()
      const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")

      expect({ path, isTooWide, findings: await findings(page) }).toEqual({ path, isTooWide: false, findings: [] })
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
})

test("an article that is published appears on an open front page, and so does its correction", async () => {
  const [reader, other] = await Promise.all([openWindow("/"), openWindow("/articles/just-now")])
  await heading(reader.page, "Seven rivers").waitFor()
  await other.page.getByText("is not published").waitFor()

  const article = await publish({ title: "Just now", slug: "just-now" })
  await heading(reader.page, "Just now").waitFor(WAIT)
  await heading(other.page, "Just now").waitFor(WAIT)
  expect(await reader.page.getByRole("article").filter({ hasText: "Just now" }).textContent()).toContain("Just in")
  await article.correct({ title: "A moment ago" })
  await heading(reader.page, "A moment ago").waitFor(WAIT)
  await heading(other.page, "A moment ago").waitFor(WAIT)
  await article.remove()
  await heading(reader.page, "A moment ago").waitFor({ ...WAIT, state: "detached" })

  expect([reader.errors, other.errors]).toEqual([[], []])
  await Promise.all([reader.page.context().close(), other.page.context().close()])
})

test("an article leads to those that the desk has chosen, in its order", async () => {
  const { page, errors } = await openWindow("/articles/seven-rivers")
  const chosen = page.getByRole("navigation", { name: "Read next" }).getByRole("link")
  await chosen.first().waitFor()

  // The third one is not published, and readers do not know of it.
  expect(await chosen.allTextContents()).toEqual([
    "An old bridge gets its voice back",
    "The harbour in numbers",
    "A quiet record",
  ])
  await chosen.first().click()

  await heading(page, "An old bridge gets its voice back").and(page.locator("h1")).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

test("a text cannot bring a script into the page", async () => {
  const link = (href: string) => ({ type: "link", attrs: { href } })
  const content = [
    { type: "text", text: "<img src=x onerror=alert(1)> " },
    { type: "text", text: "bad link ", marks: [link("javascript:alert(1)")] },
    { type: "text", text: "good link", marks: [link("https://example.com/")] },
  ]
  const body = { type: "doc", content: [{ type: "paragraph", content }] }
  const article = await publish({ title: "Scripted", slug: "scripted", body })
  const { page, errors } = await openWindow("/articles/scripted")

  await page.getByText("<img src=x onerror=alert(1)> bad link good link").waitFor()
  expect(await page.getByRole("link", { name: "good link" }).getAttribute("href")).toBe("https://example.com/")
  expect(await page.getByRole("link", { name: "bad link" }).count()).toBe(0)
  expect(errors).toEqual([])
  await article.remove()
  await page.context().close()
})

test("a search answers as you type, forgives errors, and can be narrowed and shared", async () => {
  const { page, errors } = await openWindow("/")
  await page.getByRole("link", { name: "Search" }).click()
  await page.getByRole("searchbox").pressSequentially("nihgt shift")
  await heading(page, "The night shift").waitFor()
  await expect.poll(() => page.locator("mark").allTextContents(), WAIT).toContain("night")

  await page.getByRole("searchbox").fill("river")
  await page.getByRole("status").getByText("5 articles").waitFor()
  await page.getByRole("checkbox", { name: /Science/ }).check()
  await page.getByRole("status").getByText("2 articles").waitFor()
  await page.reload()
  await page.getByRole("status").getByText("2 articles").waitFor()
  expect(await page.getByRole("searchbox").inputValue()).toBe("river")

  await page.getByRole("searchbox").fill("zzzzzz")
  await page.getByText("Nothing found for “zzzzzz”.").waitFor()
  await page.getByRole("button", { name: "Clear" }).click()
  expect(await page.getByRole("checkbox").count()).toBe(0)
  expect(errors).toEqual([])
  await page.context().close()
})

test("the other language has its own texts, words and search, and is remembered", async () => {
  const { page, errors } = await openWindow("/")
  await heading(page, "Seven rivers").waitFor()
  await page.evaluate(`new MutationObserver(() => {
    window.hasFlashed ||= document.querySelector("main .skeleton") !== null
  }).observe(document.body, { childList: true, subtree: true })`)

  await page.getByRole("radio", { name: "SK" }).check()
  await heading(page, "Sedem riek").waitFor()
  expect(await page.evaluate("window.hasFlashed")).toBeFalsy()
  await page.reload()
  await heading(page, "Sedem riek").waitFor()
  expect(await page.locator("html").getAttribute("lang")).toBe("sk")
  await page.getByRole("link", { name: "Kultúra" }).waitFor()
  await page.getByRole("link", { name: "Hľadať" }).click()
  await page.getByRole("searchbox").fill("sedem riek")
  // Before the answer, the page shows the newest articles, and this is one of them.
  await expect
    .poll(() => page.locator("mark").allTextContents(), WAIT)
    .toEqual(expect.arrayContaining(["Sedem", "riek"]))

  expect(await findings(page)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

test("a reader chooses the theme, and the browser's own is only the first choice", async () => {
  const { page } = await openWindow("/", { colorScheme: "light" })
  const paper = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
  const light = await paper()

  await page.getByRole("button", { name: "Switch to the dark theme" }).click()
  const dark = await paper()
  await page.reload()

  expect(dark).not.toBe(light)
  expect(await paper()).toBe(dark)
  await page.getByRole("button", { name: "Switch to the light theme" }).waitFor()
  await page.context().close()
})

test("everything can be reached by the keyboard", async () => {
  const { page } = await openWindow("/")
  await heading(page, "Seven rivers").waitFor()

  await page.keyboard.press("Tab")
  const first = await page.evaluate("document.activeElement.textContent")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Tab")
  const second = await page.evaluate("document.activeElement.textContent")
  const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
  await page.keyboard.press("Enter")
  await page.getByText("Seven rivers", { exact: true }).and(page.locator("h1")).waitFor()

  expect([first, second, outline]).toEqual(["Skip to the content", "Seven rivers", "solid"])
  expect(await page.evaluate("document.activeElement.id")).toBe("content")
  expect(await page.title()).toBe("Seven rivers · The Newsroom")
  await page.goBack()
  await heading(page, "Latest").waitFor()
  await page.context().close()
})

test("a step back returns to where the reader was", async () => {
  const { page } = await openWindow("/", { viewport: { width: 1280, height: 700 } })
  await heading(page, "The harbour in numbers").waitFor()
  const link = page.getByRole("link", { name: "The harbour in numbers" })
  await link.hover()
  const scrollY = await page.evaluate("scrollY")
  await link.click()
  await heading(page, "The harbour in numbers").and(page.locator("h1")).waitFor()
  expect(await page.evaluate("scrollY")).toBe(0)

  await page.goBack()

  await expect.poll(() => page.evaluate("scrollY"), WAIT).toBe(scrollY)
  expect(scrollY).not.toBe(0)
  await page.context().close()
})

test("a page whose script cannot be loaded says so, and the other pages go on", async () => {
  const { page } = await openWindow("/")
  await heading(page, "Seven rivers").waitFor()
  await page.route("**/assets/desk-page-*", (route) => route.abort())
  await page.evaluate("history.pushState(null, '', '/desk'); dispatchEvent(new PopStateEvent('popstate'))")

  await page.getByRole("alert").getByText("could not be loaded").waitFor()
  await page.getByRole("link", { name: "Front page" }).click()
  await heading(page, "Seven rivers").waitFor()
  await page.context().close()
})

test("who signs in or out in one tab has done so in the others", async () => {
  const context = await chromium.browser.newContext({ locale: "en" })
  const [one, two] = [await openTab(context, "/account"), await openTab(context, "/")]
  await one.page.getByLabel("Email").fill(EDITOR.email)
  await one.page.getByLabel("Password").fill("not the password")
  await one.page.getByRole("button", { name: "Sign in" }).click()
  await one.page.getByRole("alert").getByText("The email or the password is wrong.").waitFor()

  await one.page.getByLabel("Password").fill(EDITOR.password)
  await one.page.getByRole("button", { name: "Sign in" }).click()
  await one.page.getByRole("link", { name: "Eva Novak" }).waitFor()
  await two.page.getByRole("link", { name: "Eva Novak" }).waitFor(WAIT)
  await two.page.getByRole("link", { name: "Desk" }).waitFor()
  await two.page.getByRole("link", { name: "Eva Novak" }).click()
  await two.page.getByRole("button", { name: "Sign out" }).click()
  await one.page.getByRole("link", { name: "Sign in" }).waitFor(WAIT)

  // The refused attempt to sign in is an error of the console by itself.
  expect(one.errors.filter((text) => !text.includes("401"))).toEqual([])
  expect(two.errors).toEqual([])
  await context.close()
})
