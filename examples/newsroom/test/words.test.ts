import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { richText } from "../src/_rich-text.ts"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

test("an article has the number of words of its English text, which counts as soon as it is published", async () => {
  await using app = await testApp<AppConfig>({ root })
  const { teams, articles } = app.system.collections
  const { id: team } = await teams.create({ name: "Sport", slug: "sport" })
  const author = (await app.signIn({ name: "Eva" })).user.id
  const strong = { type: "text", text: "way", marks: [{ type: "strong" }] }
  const paragraph = { type: "paragraph", content: [{ type: "text", text: "Half" }, strong] }
  const body = { type: "doc" as const, content: [paragraph, ...(richText("up the  hill.").content ?? [])] }
  const { id } = await articles.create({ title: "Hill", slug: "hill", body, team, author })
  const words = async () => (await articles.findOne({ where: { id } }))?.words
  const published = async () => (await app.anonymous.collections.articles.aggregate({ sum: { words: true } })).sum.words

  expect(await words()).toBe(4)
  await articles.updateById({ id, data: { title: "The hill" } })
  await articles.updateById({ id, data: { body: richText("Do polovice kopca a späť.") } }, { locale: "sk" })
  expect(await words()).toBe(4)
  await articles.transitionStage({ id, stage: "review" })
  await articles.transitionStage({ id, stage: "published" })
  expect(await published()).toBe(4)
  await articles.updateById({ id, data: { body: richText("Up.") } })
  expect([await words(), await published()]).toEqual([1, 4])
  await articles.updateById({ id, data: { body: null } })
  expect(await words()).toBe(0)
  await articles.revertToVersion({ id, version: 1 })
  expect(await words()).toBe(4)
})
