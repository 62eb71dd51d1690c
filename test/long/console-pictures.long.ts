import { rm } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Chromium, startChromium } from "../browser/support/chromium.ts"
import { type NewsroomSite, startNewsroomSite } from "../browser/support/newsroom-site.ts"
import { expectSaved } from "../console/support/form-fields.ts"
import { lookAt } from "../console/support/look-at.ts"
import { SIZES, WAIT } from "../console/support/use-console.ts"
import { DevApp } from "../support/processes/dev-app.ts"

// `npm run pictures` runs these, and test/console/screens.console.ts: all pictures, for a person to look at.

const rows = (page: Page) => page.getByRole("row").last().waitFor(WAIT)
const form = (page: Page) => page.getByRole("textbox").first().waitFor(WAIT)

describe("the newsroom", () => {
  let site: NewsroomSite
  beforeAll(async () => {
    await rm("test/console/pictures/newsroom", { recursive: true, force: true })
    site = await startNewsroomSite()
  })
  afterAll(() => site[Symbol.asyncDispose]())

  const recordOf = async (collection: string, where = {}) => {
    const { collections } = await site.clientOf("admin@example.com")
    const { id } = await collections[collection].findOne({ where, orderBy: { createdAt: "asc" } })
    return `/collections/${collection}/${id}`
  }

  test.each<[string, () => Promise<string> | string, (page: Page) => Promise<unknown>]>([
    ["articles", () => "/collections/articles", rows],
    ["article", () => recordOf("articles", { title: { startsWith: "The first snow" } }), form],
    ["media", () => "/collections/media", rows],
    ["picture", () => recordOf("media"), form],
    ["pages", () => "/collections/pages", rows],
    ["page", () => recordOf("pages"), form],
    ["comments", () => "/collections/comments", (page) => page.getByText(/^No comment/).waitFor(WAIT)],
    ["tags", () => "/collections/tags", rows],
    ["teams", () => "/collections/teams", rows],
    ["settings", () => "/globals/settings", (page) => page.getByRole("main").waitFor(WAIT)],
    ["people", () => "/people", (page) => page.getByText("Eva Novak").first().waitFor(WAIT)],
  ])("%s", async (name, path, shows) => {
    // Articles are open to the members of a team, and accounts to administrators.
    const as = name === "people" ? "admin@example.com" : "editor@example.com"
    const { page } = await site.open(`/admin${await path()}`, { as })
    await shows(page)

    expect(await lookAt(page, { app: "newsroom", name })).toEqual([])
    await page.context().close()
  })
})

describe("a fresh app without declarations", () => {
  let app: DevApp
  let chromium: Chromium
  beforeAll(async () => {
    await rm("test/console/pictures/fresh", { recursive: true, force: true })
    chromium = await startChromium()
    app = await DevApp.start({
      "kit.config.ts": 'export default { app: { name: "shop" } }',
      "src/collections/orders.ts": `import { collection, signedIn } from "kit"
        export default collection("orders")
          .fields(({ f }) => ({ number: f.text(20), customer: f.text(), total: f.number(), isPaid: f.boolean(), note: f.textarea() }))
          .access({ read: signedIn, create: signedIn, update: signedIn, delete: signedIn })`,
    })
  })
  afterAll(async () => {
    await chromium[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  test("from the first account to the first record", async () => {
    const [, link = ""] = await app.dev.printed(/(http\S+#setup=\S+)/)
    const page = await (await chromium.browser.newContext({ locale: "en", viewport: SIZES.desk })).newPage()
    const findings: (readonly string[])[] = []
    const look = async (name: string) => findings.push(await lookAt(page, { app: "fresh", name }))

    await page.goto(`${app.origin}/admin`)
    await page.getByRole("heading").first().waitFor(WAIT)
    await look("set-up-elsewhere")
    await page.goto("about:blank")
    await page.goto(link)
    await page.getByRole("textbox", { name: "Name" }).fill("Ada Root", WAIT)
    await look("set-up")
    await page.getByRole("textbox", { name: "E-mail" }).fill("ada@example.com")
    await page.getByLabel("Password").fill("correct horse")
    await page.getByRole("button", { name: "Create the account" }).click()
    await page.getByRole("heading", { name: "Orders", exact: true }).waitFor(WAIT)
    await look("first-list")
    await page.getByRole("link", { name: /^New/ }).first().click()
    await page.getByRole("textbox", { name: "Number" }).fill("2026-0001", WAIT)
    await look("first-record")
    await page.getByRole("button", { name: /^Save/ }).first().click()
    await expectSaved(page)
    await page.goto(`${app.origin}/admin/collections/orders`)
    await rows(page)
    await look("list-of-one")

    expect(findings.flat()).toEqual([])
    await page.context().close()
  })
})
