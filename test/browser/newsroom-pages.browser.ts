import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { close, EVA, newArticle, WAIT } from "./support/desk-pages.ts"
import { type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

const ADMIN = "admin@example.com"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true })
const blocks = (page: Page) => page.getByRole("article").locator("> *")

/** Returns the page "About us", with a function that publishes other blocks and one that publishes the first ones again. */
async function aboutPage() {
  const { pages } = (await site.clientOf(EVA)).collections
  const { id, body } = await pages.findOne({ where: { slug: "about" } })
  const publish = async (changed: readonly object[]) => {
    await pages.updateById({ id, data: { body: changed } })
    await pages.transitionStage({ id, stage: "published" })
  }
  return { body, publish, restore: () => publish(body) }
}

test("a page is shown block by block, in each language, and changes while it is read", async () => {
  const { page, complaints } = await site.open("/")
  await page.getByRole("contentinfo").getByRole("link", { name: "About us" }).click()
  await heading(page, "A paper for a town on a river").and(page.locator("h1")).waitFor()
  const box = page.getByRole("complementary", { name: "Write to us" })

  expect(await blocks(page).count()).toBe(7)
  expect(await box.getByRole("link", { name: "The desk" }).getAttribute("href")).toBe("mailto:desk@example.com")
  const about = await aboutPage()
  await about.publish([...about.body.slice(0, 2), { type: "quote", text: "Just now." }])
  await page.getByText("Just now.").waitFor(WAIT)
  expect(await blocks(page).count()).toBe(3)
  await page.getByRole("radio", { name: "SK" }).check()
  await heading(page, "Noviny pre mesto na rieke").waitFor()
  expect(await page.getByText("Just now.").count()).toBe(0)

  await about.restore()
  expect(complaints).toEqual([])
  await close(page)
})

test("the picture of a page has its text and its place before it has arrived", async () => {
  const { page, complaints } = await site.open("/")
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route("**/api/media/files/**", async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole("contentinfo").getByRole("link", { name: "About us" }).click()
  const picture = page.getByRole("img", { name: "The valley above the weir" })
  await picture.waitFor()
  const text = page.getByText("The Newsroom was founded in a flood.")
  const placeBefore = await text.boundingBox()
  const width = () => page.evaluate("document.querySelector('.hero img').naturalWidth")

  expect(await width()).toBe(0)
  release()
  await expect.poll(width, WAIT).toBe(960)

  expect(await text.boundingBox()).toEqual(placeBefore)
  expect([await picture.getAttribute("width"), await picture.getAttribute("height")]).toEqual(["960", "600"])
  await page.getByRole("radio", { name: "SK" }).check()
  await page.getByRole("img", { name: "Údolie nad haťou" }).waitFor()
  expect(complaints).toEqual([])
  await close(page)
})

test("a page shows its articles as they are now, without those that are not published or deleted", async () => {
  const { page, complaints } = await site.open("/pages/about")
  const chosen = page.getByRole("region", { name: "A good place to start" }).getByRole("link")
  const article = await newArticle(site, "Stairs", "published")
  const about = await aboutPage()
  const { articles } = (await site.clientOf(EVA)).collections
  // The third one is in review.
  await about.publish(
    about.body.map((block: { readonly type: string; readonly articles: readonly string[] }) =>
      block.type === "stories" ? { ...block, articles: [article.id, ...block.articles.slice(0, 3)] } : block,
    ),
  )
  await expect.poll(() => chosen.allTextContents(), WAIT).toEqual([article.title, "Seven rivers", "The night shift"])

  await articles.updateById({ id: article.id, data: { title: "Stairs to the water" } })
  await articles.transitionStage({ id: article.id, stage: "published" })
  const renamed = ["Stairs to the water", "Seven rivers", "The night shift"]
  await expect.poll(() => chosen.allTextContents(), WAIT).toEqual(renamed)
  await (await site.clientOf(ADMIN)).collections["articles"].deleteById({ id: article.id })
  await expect.poll(() => chosen.allTextContents(), WAIT).toEqual(["Seven rivers", "The night shift"])
  await chosen.first().click()

  await heading(page, "Seven rivers").and(page.locator("h1")).waitFor()
  expect(complaints).toEqual([])
  await about.restore()
  await close(page)
})

test("a list whose articles are all withdrawn leaves nothing on the page", async () => {
  const article = await newArticle(site, "Gone soon", "published")
  const { articles, pages } = (await site.clientOf(EVA)).collections
  const stories = { type: "stories", heading: "Only one", articles: [article.id] }
  const body = [{ type: "hero", heading: "A short page" }, stories]
  const { id } = await pages.create({ title: "Short", slug: "short", body })
  await pages.transitionStage({ id, stage: "published" })
  const { page, complaints } = await site.open("/pages/short")
  await page.getByRole("region", { name: "Only one" }).getByRole("link", { name: article.title }).waitFor()

  await articles.transitionStage({ id: article.id, stage: "draft" })
  await heading(page, "Only one").waitFor({ ...WAIT, state: "detached" })

  expect(await blocks(page).count()).toBe(1)
  expect(complaints).toEqual([])
  await close(page)
})
