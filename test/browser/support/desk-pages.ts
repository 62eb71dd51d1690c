import type { Page } from "playwright-core"
import type { NewsroomSite } from "./newsroom-site.ts"

export const EVA = "editor@example.com"
export const JONAS = "jonas@example.com"
export const WAIT = { timeout: 60_000 }

export const lane = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name}`) })
export const card = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) })
export const textOf = (page: Page) => page.getByRole("textbox", { name: "Text" })

export async function openBoth(site: NewsroomSite, path: string): Promise<[Page, Page]> {
  const [eva, jonas] = await Promise.all([site.open(path, { as: EVA }), site.open(path, { as: JONAS })])
  return [eva.page, jonas.page]
}

export async function close(...pages: readonly Page[]): Promise<void> {
  await Promise.all(pages.map((page) => page.context().close()))
}

let articles = 0

/** Creates an article of the sports team. */
export async function newArticle(
  site: NewsroomSite,
  name: string,
  stage: "draft" | "review" | "published" = "draft",
): Promise<{ readonly id: string; readonly title: string }> {
  const { collections } = await site.clientOf(EVA)
  const team = (await collections["teams"].findOne({ where: { slug: "sport" } })).id
  const author = (await collections["users"].findOne({ where: { email: EVA } })).id
  const [title, slug] = [`${name} ${++articles}`, `test-${articles}`]
  const { id }: { id: string } = await collections["articles"].create({ title, slug, team, author })
  if (stage !== "draft") await collections["articles"].transitionStage({ id, stage: "review" })
  if (stage === "published") await collections["articles"].transitionStage({ id, stage })
  return { id, title }
}

/** Resolves to the number of values that the page has stored in IndexedDB. */
export function storedTexts(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const resultOf = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    let stored = 0
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        stored += await resultOf(database.transaction(store).objectStore(store).count())
      database.close()
    }
    return stored
  })()`)
}
