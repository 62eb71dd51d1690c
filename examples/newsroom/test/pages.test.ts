import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { richText } from "../src/_rich-text.ts"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Returns an app with an editor, a writer and a person who has only signed up. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const [editor, writer] = [await app.signIn({ name: "Eva" }), await app.signIn({ name: "Jonas" })]
  const outsider = await app.signIn({ name: "Stranger" })
  const { id: team } = await app.system.collections.teams.create({ name: "Sport", slug: "sport" })
  const { memberships } = app.system.collections
  await memberships.create({ team, user: editor.user.id, role: "editor" })
  await memberships.create({ team, user: writer.user.id, role: "writer" })
  return { app, editor, writer, outsider, [Symbol.asyncDispose]: app.stop }
}

const BODY = [
  { type: "hero", heading: "A paper for a town" },
  {
    type: "box",
    heading: "Write to us",
    body: [
      { type: "text", text: richText("Letters reach the lighthouse.") },
      { type: "links", heading: "Where to", links: [{ label: "The desk", address: "mailto:desk@example.com" }] },
    ],
  },
] as const

test("an editor builds a page of blocks, and readers see it when it is published", async () => {
  await using news = await newsroom()
  const { pages } = news.app.as(news.editor).collections
  const { id } = await pages.create({ title: "About us", slug: "about", body: BODY })
  const shown = async (locale: "en" | "sk") =>
    (await news.app.anonymous.collections.pages.findOne({ where: { slug: "about" }, locale }))?.body

  expect(await shown("en")).toBeUndefined()
  await pages.updateById({ id, data: { body: [{ type: "quote", text: "Ahoj." }] } }, { locale: "sk" })
  await pages.transitionStage({ id, stage: "published" })

  expect(await shown("en")).toMatchObject(BODY)
  expect(await shown("sk")).toMatchObject([{ type: "quote", text: "Ahoj.", by: null }])
})

test("drafts of pages are for members, and only editors write them", async () => {
  await using news = await newsroom()
  const { app, editor, writer, outsider } = news
  const { id } = await app.as(editor).collections.pages.create({ title: "Write for us", slug: "join" })
  const titles = async (caller: typeof app.anonymous) =>
    (await caller.collections.pages.find({ stage: "draft" })).docs.map(({ title }) => title)

  expect(await titles(app.as(writer))).toEqual(["Write for us"])
  expect(await titles(app.as(outsider)).catch(({ status }) => status)).toBe(403)
  for (const caller of [app.as(writer), app.as(outsider)]) {
    const { pages } = caller.collections
    await expect(pages.create({ title: "Mine", slug: "mine" })).rejects.toMatchObject({ status: 403 })
    await expect(pages.transitionStage({ id, stage: "published" })).rejects.toMatchObject({ status: 403 })
  }
})

test("a link of a page leads to an address that no browser runs as a script", async () => {
  await using news = await newsroom()
  const { pages } = news.app.as(news.editor).collections
  const save = (address: string) =>
    pages.create({
      title: "Links",
      slug: "links",
      body: [{ type: "links", heading: "Bad", links: [{ label: "Click", address }] }],
    })

  for (const address of ["javascript:alert(1)", "//evil.example", "data:text/html,x"]) {
    await expect(save(address)).rejects.toMatchObject({ fieldErrors: [{ path: "body.0.links.0.address" }] })
  }
  await expect(save("/articles/seven-rivers")).resolves.toMatchObject({ slug: "links" })
})

test("pages are found by the words of their blocks, also of those in a box", async () => {
  await using news = await newsroom()
  const { pages } = news.app.as(news.editor).collections
  const { id } = await pages.create({ title: "About us", slug: "about", body: BODY })
  await pages.transitionStage({ id, stage: "published" })

  const { docs } = await news.app.anonymous.search.search({ query: "lighthouse" })

  expect(docs.map(({ _collection, id: found }) => [_collection, found])).toEqual([["pages", id]])
})
