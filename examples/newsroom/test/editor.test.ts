import { fileURLToPath } from "node:url"
import { createCrdtClient } from "kit/crdt"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { richText } from "../src/_rich-text.ts"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const WAIT = { timeout: 60_000 }

/** Returns an app with a published article, an editor of its team, and a writer, who may not change it any more. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const [editor, writer] = [await app.signIn({ name: "Eva" }), await app.signIn({ name: "Rita" })]
  const { teams, memberships, articles } = app.system.collections
  const { id: team } = await teams.create({ name: "Sport", slug: "sport" })
  await memberships.create({ team, user: editor.user.id, role: "editor" })
  await memberships.create({ team, user: writer.user.id, role: "writer" })
  const body = richText("It rains.", "It pours.")
  const { id } = await articles.create({ title: "Race", slug: "race", body, team, author: editor.user.id })
  await articles.transitionStage({ id, stage: "review" })
  await articles.transitionStage({ id, stage: "published" })
  return { app, editor, writer, id, [Symbol.asyncDispose]: app.stop }
}

test("colleagues see what an editor changes, and readers when it is published again", async () => {
  await using news = await newsroom()
  const { app, editor, writer, id } = news
  const [written, read] = [editor, writer].map((user) =>
    createCrdtClient(app.as(user)).collections.articles.document({ id }),
  )
  await Promise.all([written?.whenSynced(), read?.whenSynced()])

  written?.doc.getXmlFragment("body").delete(0)

  await expect.poll(() => read?.doc.getXmlFragment("body").toString(), WAIT).toBe("<paragraph>It pours.</paragraph>")
  const { articles } = app.as(editor).collections
  const draft = async () => (await articles.findOne({ where: { id }, stage: "draft" }))?.body
  const shownTo = async (caller: Pick<typeof app.anonymous, "collections">) =>
    (await caller.collections.articles.findOne({ where: { id } }))?.body
  await expect.poll(draft, WAIT).toEqual(richText("It pours."))
  for (const caller of [app.anonymous, app.as(editor)])
    expect(await shownTo(caller)).toEqual(richText("It rains.", "It pours."))
  await articles.transitionStage({ id, stage: "published" })
  expect(await shownTo(app.anonymous)).toEqual(richText("It pours."))
  expect([written?.canEdit, read?.canEdit]).toEqual([true, false])
})
