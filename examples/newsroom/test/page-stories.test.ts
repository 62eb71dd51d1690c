import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A picture of one pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** Returns an app with an editor, and with functions that write articles and read the page as a reader. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const editor = await app.signIn({ name: "Eva" })
  const admin = await app.signIn({ name: "Root", role: "admin" })
  const { id: team } = await app.system.collections.teams.create({ name: "Sport", slug: "sport" })
  await app.system.collections.memberships.create({ team, user: editor.user.id, role: "editor" })
  const { articles, pages } = app.as(editor).collections
  return {
    app,
    editor,
    admin,
    write: async (title: string) => {
      const { id } = await articles.create({ title, slug: title.toLowerCase(), team, author: editor.user.id })
      return id
    },
    publish: async (id: string) => {
      await articles.transitionStage({ id, stage: "review" })
      await articles.transitionStage({ id, stage: "published" })
    },
    publishPage: async (body: NonNullable<Parameters<typeof pages.create>[0]["body"]>) => {
      const { id } = await pages.create({ title: "About us", slug: "about", body })
      await pages.transitionStage({ id, stage: "published" })
    },
    [Symbol.asyncDispose]: app.stop,
  }
}

const SHOWN = {
  where: { slug: "about" },
  with: {
    body: { hero: { image: { columns: { alt: true } } }, stories: { articles: { columns: { title: true } } } },
  },
} as const

/** Resolves to the titles of the articles that the caller sees on the page. */
async function titles({ pages }: Awaited<ReturnType<typeof newsroom>>["app"]["anonymous"]["collections"]) {
  const page = await pages.findOne(SHOWN)
  return page?.body?.flatMap((block) => (block.type === "stories" ? block.articles.map(({ title }) => title) : []))
}

test("a page shows its articles in order and with their titles of today, and readers know of no drafts", async () => {
  await using news = await newsroom()
  const { app, editor, write, publish } = news
  const ids = [await write("First"), await write("Second"), await write("Third")] as const
  await publish(ids[0])
  await publish(ids[2])
  await news.publishPage([{ type: "stories", heading: "Start here", articles: [ids[2], ids[1], ids[0]] }])
  const { articles } = app.as(editor).collections

  expect(await titles(app.anonymous.collections)).toEqual(["Third", "First"])
  await articles.updateById({ id: ids[0], data: { title: "Renamed" } })
  expect(await titles(app.anonymous.collections)).toEqual(["Third", "First"])
  await articles.transitionStage({ id: ids[0], stage: "published" })
  await publish(ids[1])
  expect(await titles(app.anonymous.collections)).toEqual(["Third", "Second", "Renamed"])
})

test("an article that is deleted leaves the page, until nothing is left of the list", async () => {
  await using news = await newsroom()
  const { app, admin, write, publish } = news
  const ids = [await write("First"), await write("Second")] as const
  for (const id of ids) await publish(id)
  await news.publishPage([{ type: "stories", heading: "Start here", articles: ids }])
  const { articles } = app.as(admin).collections

  await articles.deleteById({ id: ids[0] })
  expect(await titles(app.anonymous.collections)).toEqual(["Second"])
  await articles.deleteById({ id: ids[1] })
  expect(await titles(app.anonymous.collections)).toEqual([])
})

test("a page names one to six articles that its editor can read", async () => {
  await using news = await newsroom()
  const { pages } = news.app.as(news.editor).collections
  const id = await news.write("First")
  const other = "019a0000-0000-7000-8000-000000000000"
  const save = (articles: readonly string[]) =>
    pages.create({ title: "Page", slug: "page", body: [{ type: "stories", heading: "Start here", articles }] })

  await expect(save([])).rejects.toMatchObject({ fieldErrors: [{ path: "body.0.articles" }] })
  await expect(save(Array(7).fill(id))).rejects.toMatchObject({ fieldErrors: [{ path: "body.0.articles" }] })
  await expect(save([id, other])).rejects.toMatchObject({ fieldErrors: [{ path: "body.0.articles.1" }] })
  await expect(save([id])).resolves.toMatchObject({ slug: "page" })
})

test("the opening of a page has an image, until somebody deletes it", async () => {
  await using news = await newsroom()
  const { app, editor, admin } = news
  const file = new File([PIXEL], "weir.gif", { type: "image/gif" })
  const { id } = await app.as(editor).collections.media.upload(file, { data: { alt: "The weir" } })
  await news.publishPage([{ type: "hero", heading: "A paper for a town", image: id }])
  const shown = async () => (await app.anonymous.collections.pages.findOne(SHOWN))?.body

  expect(await shown()).toMatchObject([{ heading: "A paper for a town", image: { id, alt: "The weir" } }])
  await app.as(admin).collections.media.deleteById({ id })
  expect(await shown()).toMatchObject([{ heading: "A paper for a town", image: null }])
})
