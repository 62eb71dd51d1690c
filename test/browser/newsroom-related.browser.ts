import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { close, EVA, JONAS, newArticle, WAIT } from "./support/desk-pages.ts"
import { findingsIn, type NewsroomSite, startNewsroomSite } from "./support/newsroom-site.ts"

let site: NewsroomSite

beforeAll(async () => {
  site = await startNewsroomSite()
})
afterAll(() => site[Symbol.asyncDispose]())

const chosen = (page: Page) => page.getByRole("list", { name: "Read next" }).locator(".chosen-title")

/** Returns an article with these articles to read next. */
async function articleWith(related: readonly string[], stage: "draft" | "published" = "draft") {
  const article = await newArticle(site, "Chooses", stage)
  const { articles } = (await site.clientOf(EVA)).collections
  await articles.updateById({ id: article.id, data: { related } })
  const stored = async () => {
    const found = await articles.findOne({ where: { id: article.id }, stage: "draft", with: { related: true } })
    return found.related.map(({ title }: { title: string }) => title)
  }
  return { ...article, stored }
}

test("articles are chosen, moved and removed by the keyboard alone, and a colleague sees it", async () => {
  const [one, two] = [await newArticle(site, "Apples"), await newArticle(site, "Berries")]
  const article = await articleWith([one.id, two.id])
  const { page, complaints } = await site.open(`/desk/${article.id}`, { as: EVA })
  const { page: jonas } = await site.open(`/desk/${article.id}`, { as: JONAS })
  await expect.poll(() => chosen(jonas).count(), WAIT).toBe(2)

  await page.getByRole("combobox", { name: "Add an article" }).fill("first snow")
  await page.getByRole("option", { name: "The first snow" }).waitFor()
  await page.keyboard.press("Enter")
  const snow = "The first snow closes the upper course"
  await expect.poll(article.stored, WAIT).toEqual([one.title, two.title, snow])
  await page.getByRole("button", { name: `Move up: ${snow}` }).focus()
  await page.keyboard.press("Enter")
  await page.keyboard.press("Enter")
  // It is the first one already.
  await page.keyboard.press("Enter")

  await page.getByRole("status").getByText(`${snow}: place 1 of 3.`).waitFor()
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(`Move up: ${snow}`)
  await expect.poll(article.stored, WAIT).toEqual([snow, one.title, two.title])
  await page.getByRole("button", { name: `Move down: ${one.title}` }).focus()
  await page.keyboard.press("Enter")
  await expect.poll(article.stored, WAIT).toEqual([snow, two.title, one.title])
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(`Move down: ${one.title}`)
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(`Remove: ${two.title}`)
  await expect.poll(article.stored, WAIT).toEqual([snow, two.title])
  await expect.poll(() => chosen(jonas).allTextContents(), WAIT).toEqual([snow, `${two.title}Draft`])
  expect([await findingsIn(page), complaints]).toEqual([[], []])
  await close(page, jonas)
})

test("two people move articles of one list at the same time, and both moves count", async () => {
  const [one, two, three] = [await newArticle(site, "A"), await newArticle(site, "B"), await newArticle(site, "C")]
  const article = await articleWith([one.id, two.id, three.id])
  const { page } = await site.open(`/desk/${article.id}`, { as: EVA })
  await expect.poll(() => chosen(page).count(), WAIT).toBe(3)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/articles/${article.id}*`, async (route) => {
    if (route.request().method() === "PATCH") await held
    await route.continue()
  })

  await page.getByRole("button", { name: `Move up: ${two.title}` }).click()
  // The page shows the move before the server has made it.
  await expect.poll(() => chosen(page).first().textContent(), WAIT).toContain(two.title)
  const { articles } = (await site.clientOf(JONAS)).collections
  await articles.updateById({ id: article.id, data: { related: { move: { id: three.id, to: "start" } } } })
  release()

  await expect.poll(article.stored, WAIT).toEqual([three.title, two.title, one.title])
  await expect.poll(() => chosen(page).first().textContent(), WAIT).toContain(three.title)
  await close(page)
})

test("a writer sees the order of a published article, and cannot change it", async () => {
  const one = await newArticle(site, "Apples")
  const article = await articleWith([one.id], "published")
  const { page } = await site.open(`/desk/${article.id}`, { as: JONAS })

  await expect.poll(() => chosen(page).count(), WAIT).toBe(1)
  expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(0)
  expect(await page.getByRole("combobox", { name: "Add an article" }).count()).toBe(0)
  await close(page)
})
