import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A picture of one pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** Returns an app with a published article and a draft, each with a comment, and a person who has only signed up. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const editor = await app.signIn({ email: "eva@example.com", name: "Eva" })
  const outsider = await app.signIn({ email: "stranger@example.com", name: "Stranger" })
  const { teams, memberships, articles, comments } = app.system.collections
  const { id: team } = await teams.create({ name: "Sport", slug: "sport" })
  await memberships.create({ team, user: editor.user.id, role: "editor" })
  const both = { team, author: editor.user.id, notes: "Ask the ferryman." }
  const published = await articles.create({ ...both, title: "Rivers", slug: "rivers" })
  await articles.transitionStage({ id: published.id, stage: "review" })
  await articles.transitionStage({ id: published.id, stage: "published" })
  const draft = await articles.create({ ...both, title: "Secret", slug: "secret" })
  for (const { id, title } of [published, draft]) {
    await comments.create({ article: id, author: editor.user.id, text: `On ${title}` })
  }
  return { app, editor, outsider, published: published.id, draft: draft.id, [Symbol.asyncDispose]: app.stop }
}

test("a person who has only signed up reads no notes", async () => {
  await using news = await newsroom()
  const { app, editor, outsider } = news
  const notes = async (caller: typeof app.anonymous) =>
    (await caller.collections.articles.find({ where: { slug: "rivers" }, stage: "published" })).docs.map(
      (article) => article.notes,
    )
  const found = async (caller: typeof app.anonymous, stage?: "draft") =>
    (await caller.search.search({ query: "ferryman", stage })).total

  expect(await notes(app.as(editor))).toEqual(["Ask the ferryman."])
  expect(await notes(app.as(outsider))).toEqual([undefined])
  expect([await found(app.as(editor)), await found(app.as(editor), "draft")]).toEqual([1, 2])
  expect([await found(app.as(outsider)), await found(app.as(outsider), "draft")]).toEqual([0, 0])
})

test("a person who has only signed up reads no addresses of others", async () => {
  await using news = await newsroom()
  const { app, editor, outsider } = news
  const emails = async (caller: typeof app.anonymous) =>
    (await caller.collections.users.find({ where: { name: "Eva" } })).docs.map(({ email }) => email)

  expect(await emails(app.as(editor))).toEqual(["eva@example.com"])
  expect(await emails(app.as(outsider))).toEqual([undefined])
})

test("a person who has only signed up sees no comment on an unpublished article, and writes none", async () => {
  await using news = await newsroom()
  const { app, editor, outsider, draft } = news
  const texts = async (caller: typeof app.anonymous) =>
    (await caller.collections.comments.find({ orderBy: { text: "asc" } })).docs.map(({ text }) => text)
  const { comments } = app.as(outsider).collections

  expect(await texts(app.as(editor))).toEqual(["On Rivers", "On Secret"])
  expect(await texts(app.as(outsider))).toEqual(["On Rivers"])
  expect(await texts(app.anonymous)).toEqual(["On Rivers"])
  await expect(
    comments.create({ article: draft, author: outsider.user.id, text: "I know of it." }),
  ).rejects.toMatchObject({ status: 400 })
})

test("a person who has only signed up makes no tags and changes no pictures; members do", async () => {
  await using news = await newsroom()
  const { app, editor, outsider, published } = news
  const stranger = app.as(outsider).collections
  const member = app.as(editor).collections
  const { id } = await member.media.upload(new File([PIXEL], "lake.gif"))

  await expect(stranger.tags.create({ name: "boring" })).rejects.toMatchObject({ status: 403 })
  await expect(stranger.media.upload(new File([PIXEL], "x.gif"))).rejects.toMatchObject({ status: 403 })
  await expect(stranger.media.updateById({ id, data: { alt: "Mine" } })).rejects.toMatchObject({ status: 403 })
  const tags = { connectOrCreate: { where: { name: "lakes" }, create: { name: "lakes" } } }
  await member.articles.updateById({ id: published, data: { tags } })

  const article = await member.articles.findOne({ where: { id: published }, stage: "draft", with: { tags: true } })
  expect(article?.tags.map(({ name }) => name)).toEqual(["lakes"])
})

test("an article is tagged only by those who may change it", async () => {
  await using news = await newsroom()
  const { app, editor, outsider, published } = news
  const { teams, memberships } = app.system.collections
  const { id: team } = await teams.create({ name: "Culture", slug: "culture" })
  await memberships.create({ team, user: outsider.user.id, role: "editor" })
  const { tags } = app.as(outsider).collections

  await expect(tags.create({ name: "boring", articles: [published] })).rejects.toMatchObject({ status: 403 })
  const { articles } = app.as(editor).collections
  const article = await articles.findOne({ where: { id: published }, stage: "draft", with: { tags: true } })
  expect(article?.tags).toEqual([])
})
