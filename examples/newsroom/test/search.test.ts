import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { richText } from "../src/_rich-text.ts"
import type { AppConfig } from "../src/generated/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Returns an app with a published article, in both languages, and one that only its team may read. */
async function newsroom() {
  const app = await testApp<AppConfig>({ root })
  const editor = await app.signIn({ role: "editor", email: "eva@example.com", name: "Eva" })
  const { teams, memberships, tags, articles } = app.system.collections
  const team = await teams.create({ name: "Sport", slug: "sport", about: "Rowing on the rivers" })
  await memberships.create({ team: team.id, user: editor.user.id, role: "editor" })
  const { id: tag } = await tags.create({ name: "portrait" })
  const both = { team: team.id, author: editor.user.id }
  const published = await articles.create({
    ...both,
    title: "Seven rivers",
    slug: "rivers",
    body: richText("A walk along the water & back."),
    notes: "Ask the ferryman.",
    tags: [tag],
  })
  const inSlovak = { title: "Sedem riek", body: richText("Cesta k prameňom.") }
  await articles.updateById({ id: published.id, data: inSlovak }, { locale: "sk" })
  await articles.transitionStage({ id: published.id, stage: "review" })
  await articles.transitionStage({ id: published.id, stage: "published" })
  await articles.create({ ...both, title: "A river in winter", slug: "winter" })
  return { app, editor, team: team.id, [Symbol.asyncDispose]: app.stop }
}

test("readers and editors find what they may read, with facets and highlights", async () => {
  await using news = await newsroom()
  const { app, editor, team } = news
  const search = {
    query: "river",
    collections: ["articles"] as const,
    facets: [{ field: "kind" }, { field: "team" }] as const,
    highlights: true,
  }

  const reader = await app.anonymous.search.search(search)
  const signedIn = await app.as(editor).search.search(search)
  const colleague = await app.as(editor).search.search({ ...search, stage: "draft" })

  expect(reader.docs.map(({ title, _search }) => [title, _search.highlights])).toEqual([
    ["Seven rivers", { title: ["Seven <mark>rivers</mark>"] }],
  ])
  expect(reader.facets).toEqual({ kind: [{ value: "news", count: 1 }], team: [{ value: team, count: 1 }] })
  expect(signedIn.total).toBe(1)
  expect(colleague.total).toBe(2)
  expect(colleague.facets?.["team"]).toEqual([{ value: team, count: 2 }])
})

test("articles are found in both languages, in spite of accents and a typing error", async () => {
  await using news = await newsroom()
  const { search } = news.app.anonymous
  const found = async (query: string, locale: "en" | "sk") =>
    (await search.search({ query, locale, collections: ["articles"] })).docs.map(({ title }) => title)

  expect(await found("water", "en")).toEqual(["Seven rivers"])
  expect(await found("pramenom", "sk")).toEqual(["Sedem riek"])
  expect(await found("prame", "sk")).toEqual(["Sedem riek"])
  expect(await found("water", "sk")).toEqual([])
})

test("articles are found by their tags, and by notes only for their team", async () => {
  await using news = await newsroom()
  const { app, editor } = news
  const count = async (caller: typeof app.anonymous, query: string) => (await caller.search.search({ query })).total

  expect(await count(app.anonymous, "portrait")).toBe(1)
  expect(await count(app.anonymous, "ferryman")).toBe(0)
  expect(await count(app.as(editor), "ferryman")).toBe(1)
})

test("teams and articles share one result", async () => {
  await using news = await newsroom()
  const { docs } = await news.app.anonymous.search.search({ query: "rivers" })

  expect(docs.map((doc) => (doc._collection === "teams" ? doc.name : doc.title)).sort()).toEqual([
    "Seven rivers",
    "Sport",
  ])
})
