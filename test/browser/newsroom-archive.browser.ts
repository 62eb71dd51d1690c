import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { close, EVA, newArticle, WAIT } from "./support/desk-pages.ts"
import { holdRealtime } from "./support/hold-realtime.ts"
import { findingsIn, type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

const PAGE = 12
const END = "This is where the archive begins."

const titles = (page: Page) => page.locator("main h3")
const status = (page: Page) => page.getByRole("main").getByRole("status")
const more = (page: Page) => page.getByRole("button", { name: "Older articles" })

/** Resolves to the titles of all published articles, the newest first. */
async function published(): Promise<readonly string[]> {
  const { articles } = (await site.clientOf(EVA)).collections
  const found = await articles.find({ stage: "published", orderBy: { publishedAt: "desc" }, limit: 1_000 })
  return found.docs.map(({ title }: { title: string }) => title)
}

/** Resolves to the distance of a title from the top of the screen, in pixels. */
async function topOf(page: Page, title: string): Promise<number> {
  return (await page.getByRole("heading", { name: title, exact: true }).boundingBox())?.y ?? Number.NaN
}

/** Stands for someone who does not scroll: nothing ever comes near the screen. */
function keepStill(page: Page): Promise<unknown> {
  return page.addInitScript("window.IntersectionObserver = class { observe() {} disconnect() {} }")
}

/** Opens the archive of a reader who loads more by the button. */
async function openStill() {
  const { page, complaints } = await site.open("/account")
  await keepStill(page)
  await page.goto(`${site.origin}/archive`)
  await expect.poll(() => titles(page).count(), WAIT).toBe(PAGE)
  return { page, complaints }
}

/** Scrolls to the end of what is loaded until it is the end of the archive. */
async function walkToEnd(page: Page): Promise<void> {
  const end = page.getByRole("main").getByText(END).first()
  await expect
    .poll(async () => {
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
      return end.count()
    }, WAIT)
    .toBe(1)
}

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])(
    "the archive has no error, no finding of axe and no sideways scroll at %i px",
    async (width) => {
      const { page, complaints } = await site.open("/archive", { colorScheme, viewport: { width, height: 900 } })
      await titles(page).first().waitFor()
      const atTop = await findingsIn(page)

      await walkToEnd(page)

      expect([atTop, await findingsIn(page), complaints]).toEqual([[], [], []])
      await close(page)
    },
  )
})

test("the front page leads to the archive, which shows every article once, the newest first", async () => {
  const { page, complaints } = await site.open("/")
  await page.getByRole("link", { name: "All articles in the archive" }).click()
  await page.getByRole("heading", { name: "The archive" }).waitFor()

  await walkToEnd(page)

  const expected = await published()
  expect(expected.length).toBeGreaterThan(60)
  expect(await titles(page).allTextContents()).toEqual(expected)
  await status(page).getByText(`${expected.length} articles are shown. ${END}`).waitFor()
  expect(await more(page).count()).toBe(0)
  expect(complaints).toEqual([])
  await close(page)
})

test("an article that is published meanwhile appears at the top, and moves nothing that is being read", async () => {
  const { page, complaints } = await site.open("/archive")
  await expect.poll(() => titles(page).count(), WAIT).toBe(PAGE)
  const read = titles(page).nth(9)
  await read.scrollIntoViewIfNeeded()
  // More is loaded, as the end has come near.
  await expect.poll(() => titles(page).count(), WAIT).toBe(2 * PAGE)
  const text = (await read.textContent()) ?? ""
  const before = await topOf(page, text)

  const { id, title } = await newArticle(site, "Meanwhile", "published")
  await expect.poll(() => titles(page).first().textContent(), WAIT).toBe(title)

  expect(Math.abs((await topOf(page, text)) - before)).toBeLessThan(1)
  expect(await titles(page).count()).toBe(2 * PAGE + 1)
  await status(page)
    .getByText(`Added: 1 new. ${2 * PAGE + 1} articles are shown.`)
    .waitFor()
  expect(await page.getByRole("listitem").filter({ hasText: title }).textContent()).toContain("Just in")
  await (await site.clientOf(EVA)).collections["articles"].transitionStage({ id, stage: "draft" })
  await expect.poll(() => titles(page).count(), WAIT).toBe(2 * PAGE)
  expect(Math.abs((await topOf(page, text)) - before)).toBeLessThan(1)
  expect(complaints).toEqual([])
  await close(page)
})

test("the button loads more by the keyboard, and the focus goes on with the first article that it has brought", async () => {
  const { page, complaints } = await openStill()
  const expected = await published()
  const focused = () => page.evaluate("document.activeElement.textContent")

  await titles(page).last().getByRole("link").focus()
  await page.keyboard.press("Tab")
  expect(await focused()).toBe("Older articles")
  await page.keyboard.press("Enter")

  await status(page)
    .getByText(`Added: ${PAGE} older. ${2 * PAGE} articles are shown.`)
    .waitFor(WAIT)
  expect(await titles(page).allTextContents()).toEqual(expected.slice(0, 2 * PAGE))
  expect(await focused()).toBe(expected[PAGE])
  for (let shown = 2 * PAGE; shown < expected.length; shown += PAGE) {
    await more(page).focus()
    await page.keyboard.press("Space")
    await expect.poll(focused, WAIT).toBe(expected[shown])
  }
  await page.getByRole("main").getByText(END).first().waitFor()
  expect(complaints).toEqual([])
  await close(page)
})

test("the list says that it is busy while more is on its way, and a failure can be tried again", async () => {
  const { page } = await openStill()
  const busy = page.locator("main [aria-busy=true]")
  const requests = await holdRealtime(page)
  expect(await busy.count()).toBe(0)

  await more(page).focus()
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Loading older articles…" }).waitFor()
  expect(await busy.count()).toBe(1)
  requests.refuse()

  await page.getByRole("alert").getByText("The older articles could not be loaded. Not today.").waitFor()
  expect([await titles(page).count(), await busy.count(), await findingsIn(page)]).toEqual([PAGE, 0, []])
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Try again")
  await requests.stop()
  await page.keyboard.press("Enter")
  await expect.poll(() => titles(page).count(), WAIT).toBe(2 * PAGE)
  expect([await page.getByRole("alert").count(), await busy.count()]).toEqual([0, 0])
  await close(page)
})

test("the archive itself is awaited, and tried again if it could not be loaded", async () => {
  const { page } = await site.open("/")
  await page.getByText("Live", { exact: true }).waitFor()
  const requests = await holdRealtime(page)

  await page.getByRole("link", { name: "All articles in the archive" }).click()
  await page.getByRole("status", { name: "Loading…" }).waitFor()
  requests.refuse()
  await page.getByRole("alert").getByText("Not today.").waitFor()
  expect(await findingsIn(page)).toEqual([])
  await requests.stop()
  await page.getByRole("button", { name: "Try again" }).click()

  await expect.poll(() => titles(page).count(), WAIT).toBe(PAGE)
  expect(await page.getByRole("alert").count()).toBe(0)
  await close(page)
})

test("a step back returns to the article that was opened, however far below", async () => {
  const { page, complaints } = await site.open("/archive")
  await walkToEnd(page)
  const expected = await published()
  const title = expected[45] ?? ""
  const link = page.getByRole("link", { name: title, exact: true })
  await link.scrollIntoViewIfNeeded()
  const before = await topOf(page, title)

  await link.click()
  await page.locator("h1").getByText(title).waitFor()
  await page.goBack()

  await expect.poll(async () => Math.round((await topOf(page, title)) - before), WAIT).toBe(0)
  expect(complaints).toEqual([])
  await close(page)
})

test("an archive without articles says so, and shows the first one as soon as it is published", async () => {
  const { articles } = (await site.clientOf(EVA)).collections
  const { page, complaints } = await site.open("/archive")
  await expect.poll(() => titles(page).count(), WAIT).toBe(PAGE)

  const { docs } = await articles.find({ stage: "published", columns: { slug: true }, limit: 1_000 })
  const slugs = docs.map(({ slug }: { slug: string }) => slug)
  await articles.deleteMany({ where: { slug: { in: slugs } } }, { stage: "published" })
  await page.getByText("The presses are quiet").waitFor(WAIT)
  expect(await findingsIn(page)).toEqual([])
  const { title } = await newArticle(site, "The first", "published")

  await page.getByRole("heading", { name: title }).waitFor(WAIT)
  expect(complaints).toEqual([])
  await close(page)
})
