import { fileURLToPath } from "node:url"
import { createCrdtClient } from "kit/crdt"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { richText } from "../src/_rich-text.ts"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const WAIT = { timeout: 60_000 }

/** Returns an app with an article, an editor of its team, and a reader. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const [editor, reader] = [await app.signIn({ name: "Eva" }), await app.signIn({ name: "Rita" })]
  const { teams, memberships, articles } = app.system.collections
  const { id: team } = await teams.create({ name: "Sport", slug: "sport" })
  await memberships.create({ team, user: editor.user.id, role: "editor" })
  const body = richText("It rains.", "It pours.")
  const race = { title: "Race", slug: "race", status: "done", body, team, author: editor.user.id } as const
  const { id } = await articles.create(race)
  return { app, editor, reader, id, [Symbol.asyncDispose]: app.stop }
}

test("readers see what an editor changes, and so does the record", async () => {
  await using news = await newsroom()
  const { app, editor, reader, id } = news
  const [written, read] = [editor, reader].map((user) =>
    createCrdtClient(app.as(user)).collections.articles.document({ id }),
  )
  await Promise.all([written?.whenSynced(), read?.whenSynced()])

  written?.doc.getXmlFragment("body").delete(0)

  await expect.poll(() => read?.doc.getXmlFragment("body").toString(), WAIT).toBe("<paragraph>It pours.</paragraph>")
  const record = () => app.anonymous.collections.articles.findOne({ where: { id } })
  await expect.poll(async () => (await record())?.body, WAIT).toEqual(richText("It pours."))
  expect([written?.canEdit, read?.canEdit]).toEqual([true, false])
})

test("the page of the editor comes with its script", async () => {
  await using news = await newsroom()

  const answer = await news.app.fetch("/editor")

  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(await answer.text()).toMatch(/<script type="module">.{100000}/s)
})
