import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A picture of one pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** Returns an app with one team and its editor. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root, now: new Date("2026-03-01T12:00:00Z") })
  const editor = await app.signIn({ role: "editor", email: "eva@example.com", name: "Eva" })
  const team = await app.system.collections.teams.create({ name: "Sport", slug: "sport" })
  await app.system.collections.memberships.create({ team: team.id, user: editor.user.id, role: "editor" })
  return { app, editor, team: team.id, [Symbol.asyncDispose]: app.stop }
}

test("a reader never sees an article that is not published, nor what was changed in it since", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles } = app.as(editor).collections
  const { id } = await articles.create({ title: "Secret", slug: "secret", team, author: editor.user.id })

  const shown = async () => (await app.anonymous.collections.articles.find()).docs.map(({ title }) => title)

  expect(await shown()).toEqual([])
  await articles.transitionStage({ id, stage: "review" })
  expect(await shown()).toEqual([])
  await articles.transitionStage({ id, stage: "published" })
  await articles.updateById({ id, data: { title: "Better" } })
  expect(await shown()).toEqual(["Secret"])
  await articles.transitionStage({ id, stage: "published" })
  expect(await shown()).toEqual(["Better"])
  await articles.transitionStage({ id, stage: "draft" })
  expect(await shown()).toEqual([])
})

test("writers hand articles in, and editors publish them", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const writer = await app.signIn({ role: "writer", email: "jonas@example.com", name: "Jonas" })
  await app.system.collections.memberships.create({ team, user: writer.user.id, role: "writer" })
  const { articles } = app.as(writer).collections
  const { id } = await articles.create({ title: "Race", slug: "race", team, author: writer.user.id })

  await expect(articles.transitionStage({ id, stage: "published" })).rejects.toMatchObject({ status: 403 })
  await articles.transitionStage({ id, stage: "review" })
  await expect(articles.transitionStage({ id, stage: "published" })).rejects.toMatchObject({ status: 403 })
  await app.system.globals.settings.update({ siteName: "The Newsroom" })
  await app.as(editor).routes.articles.publish({ articles: [id], isFrontPage: true })

  // From here on only editors change it.
  await expect(articles.updateById({ id, data: { title: "Mine" } })).rejects.toMatchObject({ status: 403 })
  await expect(articles.transitionStage({ id, stage: "draft" })).rejects.toMatchObject({ status: 403 })
  expect(await app.anonymous.globals.settings.get({ with: { frontPageArticle: true } })).toMatchObject({
    frontPageArticle: { title: "Race" },
  })
})

test("a scheduled article appears on time, with the time of its publication", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles } = app.as(editor).collections
  const { id } = await articles.create({ title: "Later", slug: "later", team, author: editor.user.id })
  const scheduledAt = new Date("2026-03-01T18:00:00Z")
  await articles.transitionStage({ id, stage: "review" })

  await articles.transitionStage({ id, stage: "published", scheduledAt })

  expect(await articles.findTransition({ id })).toMatchObject({ stage: "published", scheduledAt })
  expect(await app.anonymous.collections.articles.count()).toBe(0)
  await app.clock.advanceTo(scheduledAt)
  expect((await app.anonymous.collections.articles.find()).docs).toMatchObject([
    { title: "Later", publishedAt: scheduledAt },
  ])
})

test("an article shows its cover to everybody once it is published", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles, media } = app.as(editor).collections
  const picture = new File([PIXEL], "finish.gif", { type: "image/gif" })

  const cover = await media.upload(picture, { data: { alt: "The finish" } })
  const race = { title: "Race", slug: "race", team, author: editor.user.id, cover: cover.id }
  const { id } = await articles.create(race)
  await articles.transitionStage({ id, stage: "review" })
  await app.as(editor).routes.articles.publish({ articles: [id] })

  const found = await app.anonymous.collections.articles.findOne({ where: { slug: "race" }, with: { cover: true } })
  const answer = await fetch(new URL(found?.cover?.url ?? "", app.url))
  expect(found).toMatchObject({ cover: { alt: "The finish", width: 1, height: 1 } })
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"])
})

test("a team hears of what it publishes at once, and again the next morning", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles } = app.as(editor).collections
  const { id } = await articles.create({ title: "Marathon", slug: "marathon", team, author: editor.user.id })

  await articles.transitionStage({ id, stage: "review" })
  await articles.transitionStage({ id, stage: "published" })
  await app.jobs.settle()

  expect(app.mails.sent).toMatchObject([{ to: ["eva@example.com"], subject: "Published: Marathon" }])
  expect(await app.jobs.list()).toMatchObject([{ name: "notify-team", payload: { article: id }, state: "done" }])
  // Six in the morning in Bratislava.
  await app.clock.advanceTo(new Date("2026-03-02T05:00:00Z"))
  expect(app.mails.sent.at(-1)).toMatchObject({ to: ["eva@example.com"], text: expect.stringContaining("Marathon") })
})

test("readers see the related articles in the order of the desk, as soon as the article is published again", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles } = app.as(editor).collections
  const create = async (slug: string, data: object = {}) =>
    (await articles.create({ title: slug, slug, team, author: editor.user.id, ...data })).id
  const publish = async (id: string) => {
    await articles.transitionStage({ id, stage: "review" })
    await articles.transitionStage({ id, stage: "published" })
  }
  const [lake, bridge, snow] = [await create("lake"), await create("bridge"), await create("snow")]
  const id = await create("rivers", { related: [lake, snow, bridge] })
  for (const each of [lake, bridge, id]) await publish(each)
  const shown = async () => {
    const where = { slug: "rivers" }
    const found = await app.anonymous.collections.articles.findOne({ where, with: { related: true } })
    return found?.related.map(({ slug }) => slug)
  }
  const changed = async () => (await articles.findOne({ where: { id }, stage: "draft" }))?.changedSincePublished

  // Nobody publishes the third one, so readers do not see it.
  expect([await shown(), await changed()]).toEqual([["lake", "bridge"], false])
  await articles.updateById({ id, data: { related: { move: { id: bridge, before: lake } } } })
  expect([await shown(), await changed()]).toEqual([["lake", "bridge"], true])
  await articles.transitionStage({ id, stage: "published" })
  expect([await shown(), await changed()]).toEqual([["bridge", "lake"], false])
})
