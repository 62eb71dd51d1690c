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

test("a reader never sees an article that is not done", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles } = app.as(editor).collections
  const { id } = await articles.create({ title: "Secret", slug: "secret", team, author: editor.user.id })

  expect(await app.anonymous.collections.articles.count()).toBe(0)
  await app.as(editor).routes.articles.publish({ articles: [id] })
  expect(await app.anonymous.collections.articles.find()).toMatchObject({ docs: [{ title: "Secret", status: "done" }] })
})

test("an article shows its cover to everybody once it is done", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const { articles, media } = app.as(editor).collections
  const picture = new File([PIXEL], "finish.gif", { type: "image/gif" })

  const cover = await media.upload(picture, { data: { alt: "The finish" } })
  await articles.create({ title: "Race", slug: "race", status: "done", team, author: editor.user.id, cover: cover.id })

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

  await app.as(editor).routes.articles.publish({ articles: [id] })
  await app.jobs.settle()

  expect(app.mails.sent).toMatchObject([{ to: ["eva@example.com"], subject: "Published: Marathon" }])
  expect(await app.jobs.list()).toMatchObject([{ name: "notify-team", payload: { article: id }, state: "done" }])
  // Six in the morning in Bratislava.
  await app.clock.advanceTo(new Date("2026-03-02T05:00:00Z"))
  expect(app.mails.sent.at(-1)).toMatchObject({ to: ["eva@example.com"], text: expect.stringContaining("Marathon") })
})
