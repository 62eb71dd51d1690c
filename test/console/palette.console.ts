import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { HOSTILE_STRINGS } from "./support/hostile-strings.ts"
import { lookAt } from "./support/look-at.ts"
import { emailOf, PASSWORD, ROLES } from "./support/people.ts"
import { fillSignIn, useConsole, WAIT } from "./support/use-console.ts"

const browser = useConsole()

const palette = (page: Page) => page.getByRole("combobox", { name: "Search or jump" })
const options = (page: Page) => page.getByRole("option")

async function openPalette(page: Page): Promise<void> {
  await page.getByRole("row").nth(1).waitFor(WAIT)
  await page.keyboard.press("Control+k")
  await palette(page).waitFor(WAIT)
}

/** Returns the name of the option on which the combobox is. */
async function activeOption(page: Page): Promise<string | null> {
  const id = await palette(page).getAttribute("aria-activedescendant")
  return id === null ? null : await page.locator(`[id="${id}"]`).textContent()
}

describe("the palette", () => {
  test("each key is one request, and the next key aborts it", async () => {
    const page = await browser.open("/collections/stories", { as: "editor" })
    const asked: string[] = []
    const aborted: string[] = []
    const queryOf = (data: string | null) => String(JSON.parse(data ?? "{}").json?.query)
    // The first answers never come: whatever asks for them has to give up.
    await page.route("**/_kit/find-by-title", async (route) => {
      const query = queryOf(route.request().postData())
      asked.push(query)
      if (query === "lake") await route.continue()
    })
    page.on("requestfailed", (request) => {
      if (request.url().endsWith("/_kit/find-by-title")) aborted.push(queryOf(request.postData()))
    })
    await openPalette(page)

    for (const query of ["l", "la", "lak", "lake"]) {
      await page.keyboard.press(query.slice(-1))
      await expect.poll(() => asked.at(-1)).toBe(query)
    }
    expect(asked).toEqual(["l", "la", "lak", "lake"])
    await expect.poll(() => aborted).toEqual(["l", "la", "lak"])
  })

  test("finds, opens and goes everywhere by keys alone", async () => {
    const { stories } = (await browser.clientOf("admin")).collections
    const { id } = await stories.create({ title: "Pelican by night", slug: "pelican-by-night" })
    const page = await browser.open("/collections/readings", { as: "editor" })
    await openPalette(page)

    await page.keyboard.type("night pel")
    await page.getByRole("option", { name: "Pelican by night" }).waitFor(WAIT)
    expect(await activeOption(page)).toBe("Pelican by night")
    await page.keyboard.press("ArrowDown")
    expect(await activeOption(page)).toContain("Search Readings for")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/collections/stories/${id}`)
    await page.getByRole("textbox", { name: "Address" }).waitFor(WAIT)

    // What was open is first now, on another screen.
    await page.keyboard.press("Control+k")
    await page.keyboard.type("shel")
    await page.getByRole("option", { name: "Shelves", exact: true }).waitFor(WAIT)
    await page.keyboard.press("Enter")
    await page.waitForURL("**/collections/shelves")
    await page.keyboard.press("Control+k")
    await expect.poll(() => options(page).first().textContent()).toContain("Pelican by night")
    await page.keyboard.press("Escape")
    await palette(page).waitFor({ state: "detached", ...WAIT })
  })

  test("changes the theme, and says when nothing is found", async () => {
    const page = await browser.open("/collections/stories", { as: "viewer" })
    await openPalette(page)

    await page.keyboard.type("dark")
    await page.getByRole("option", { name: "Switch to dark" }).waitFor(WAIT)
    await page.keyboard.press("Enter")
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("qwrtz")

    await page.getByText("Nothing is called “qwrtz”").waitFor(WAIT)
  })

  test("an error is said in the words of the API, and the search can be tried again", async () => {
    const page = await browser.open("/collections/stories", { as: "editor", expected: /find-by-title|503/ })
    let isBroken = true
    await page.route("**/_kit/find-by-title", (route) =>
      isBroken
        ? route.fulfill({
            status: 503,
            contentType: "application/json",
            body: JSON.stringify({ error: { code: "SERVICE_UNAVAILABLE", message: "Come back later." } }),
          })
        : route.continue(),
    )
    await openPalette(page)
    await page.keyboard.type("pelican by n")
    await page.getByRole("alert").getByText("Come back later.").waitFor(WAIT)

    isBroken = false
    await page.getByRole("button", { name: "Try again" }).click()

    await page.getByRole("option", { name: "Pelican by night" }).waitFor(WAIT)
  })

  test("signing out forgets what was open", async () => {
    // A session of its own: it ends.
    const page = await browser.open("/collections/stories")
    await fillSignIn(page, { email: emailOf("author"), password: PASSWORD })
    await page.getByRole("row").nth(1).waitFor(WAIT)
    await page.getByRole("grid").focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/collections\/stories\/[^?]+/)
    const kept = () =>
      page.evaluate<number>(
        "Object.keys(localStorage).filter((name) => name.startsWith('kit-console-recent')).flatMap((name) => JSON.parse(localStorage[name])).length",
      )
    await expect.poll(kept).toBe(1)

    await page.keyboard.press("Control+k")
    await palette(page).waitFor(WAIT)
    await page.keyboard.type("sign out")
    await page.getByRole("option", { name: "Sign out", exact: true }).waitFor(WAIT)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)

    expect(await kept()).toBe(0)
  })

  test.each(ROLES)("offers what the role %s may do, and asks for nothing else", async (role) => {
    const page = await browser.open("/collections/stories", { as: role })
    const refused: string[] = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await openPalette(page)
    await page.getByRole("option", { name: "Sign out" }).waitFor(WAIT)

    const all = await options(page).allTextContents()

    expect(all.includes("New story")).toBe(role !== "viewer")
    // The collection of the users has this name, too.
    expect(all.filter((name) => name === "People")).toHaveLength(role === "admin" ? 2 : 1)
    expect(all.includes("Switch to dark")).toBe(true)
    expect(refused).toEqual([])
  })

  test("looks as it should, in both themes and at both sizes", async () => {
    const page = await browser.open("/collections/stories", { as: "editor" })
    await openPalette(page)
    await page.getByRole("option", { name: "Sign out" }).waitFor(WAIT)
    const empty = await lookAt(page, { app: "fixture", name: "palette-empty" })
    await page.keyboard.type("n")
    await page.getByRole("option", { name: "Pelican by night" }).waitFor(WAIT)
    const found = await lookAt(page, { app: "fixture", name: "palette-found" })
    await page.keyboard.type("qwrtz")
    await page.getByText("Nothing is called").waitFor(WAIT)
    const nothing = await lookAt(page, { app: "fixture", name: "palette-nothing" })

    expect([...empty, ...found, ...nothing]).toEqual([])
  })
})

describe("keys", () => {
  test("every screen tells its keys, which can be turned off", async () => {
    const page = await browser.open("/collections/stories", { as: "admin" })
    const help = page.getByRole("dialog", { name: "Keys" })
    await page.getByRole("row").nth(1).waitFor(WAIT)
    await page.getByRole("grid").focus()
    await page.keyboard.press("?")
    await help.getByText("Select the row").waitFor(WAIT)
    const findings = await lookAt(page, { app: "fixture", name: "keys-list" })
    await page.keyboard.press("Escape")
    await help.waitFor({ state: "detached", ...WAIT })

    await page.keyboard.press("Enter")
    await page.waitForURL(/collections\/stories\/[^?]+/)
    await page.getByRole("textbox", { name: "Address" }).waitFor(WAIT)
    await page.keyboard.press("?")
    await help.getByText("Next record of the list").waitFor(WAIT)
    await help.getByText("Save and go back").waitFor(WAIT)
    const ofRecord = await lookAt(page, { app: "fixture", name: "keys-record" })
    await help.getByText("Single letters are keys").click()
    await page.keyboard.press("Escape")
    await help.waitFor({ state: "detached", ...WAIT })
    await page.keyboard.press("?")
    await page.keyboard.press("g")
    await page.keyboard.press("r")
    await page.keyboard.press("Control+k")
    await palette(page).waitFor(WAIT)

    expect(await help.count()).toBe(0)
    expect(page.url()).toMatch(/collections\/stories\/[^?]+/)
    expect([...findings, ...ofRecord]).toEqual([])
  })

  test("g and a letter lead to a place, and a letter that is typed does not", async () => {
    const page = await browser.open("/collections/stories", { as: "editor" })
    await page.getByRole("row").nth(1).waitFor(WAIT)
    await page.getByRole("grid").focus()
    await page.keyboard.press("/")
    await page.keyboard.type("gr?")
    expect(await page.getByRole("textbox", { name: "Search stories" }).inputValue()).toBe("gr?")
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Delete")
    await page.getByRole("row").nth(1).waitFor(WAIT)
    await page.getByRole("grid").focus()

    await page.keyboard.press("g")
    await page.keyboard.press("r")

    await page.waitForURL("**/collections/readings")
  })

  test("keys of a record open its moves and the records beside it", async () => {
    const page = await browser.open("/collections/stories", { as: "admin" })
    await page.getByRole("row").nth(2).waitFor(WAIT)
    await page.getByRole("grid").focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    await page.waitForURL(/collections\/stories\/[^?]+/)
    await page.getByRole("textbox", { name: "Address" }).waitFor(WAIT)
    const first = page.url()

    await page.keyboard.press("Control+.")
    await page.getByRole("menu").waitFor(WAIT)
    await page.keyboard.press("Escape")
    await page.getByRole("menu").waitFor({ state: "detached", ...WAIT })
    await page.getByRole("button", { name: "Next record" }).focus()
    await page.keyboard.press("Alt+ArrowDown")
    await expect.poll(() => page.url()).not.toBe(first)
    await page.getByRole("textbox", { name: "Address" }).waitFor(WAIT)
    await page.keyboard.press("Alt+ArrowUp")

    await expect.poll(() => page.url()).toBe(first)
  })
})

describe("hostile titles", () => {
  let app: TestApp
  let person: { origin: string; cookie: string }

  beforeAll(async () => {
    const notes = collection("notes")
      .fields(({ f }) => ({ title: f.text() }))
      .title("title")
      .access({ read: true, create: true })
    app = await testApp({ collections: [notes] })
    const ada = await app.signIn({ role: "admin", name: "Ada" })
    person = { origin: new URL(app.url).origin, cookie: ada.cookie }
    // The types of an app that a test declares know none of its collections.
    const system: Record<string, any> = app.system.collections
    for (const text of HOSTILE_STRINGS) await system["notes"].create({ title: `Zebra ${text}` })
  })
  afterAll(() => app.stop())

  test("are shown as they are, and are typed without harm", async () => {
    const page = await browser.open("/collections/notes", { app: person })
    await openPalette(page)
    await page.keyboard.type("zebra")
    await page
      .getByRole("option", { name: /^Zebra/ })
      .nth(5)
      .waitFor(WAIT)
    for (const text of HOSTILE_STRINGS) {
      await palette(page).fill(text.slice(0, 200))
      await page
        .getByRole("status")
        .filter({ hasText: "Searching" })
        .waitFor({ state: "detached", ...WAIT })
      expect(await page.evaluate("window.attacked")).toBeUndefined()
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    }
  })
})
