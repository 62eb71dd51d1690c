// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// More than a search for titles reads completely.
const ROWS = 40_000
const ROW_CHARACTERS = 1_000

const eva: Session = { user: { id: "eva" } }
type Call = { readonly session: Session | null }
const ownOrAll = ({ session }: Call) => session !== null || { isOpen: true }

const logs = collection("logs")
  .fields(({ f }) => ({ title: f.text(), filler: f.text(), isOpen: f.boolean() }))
  .title("title")
  .access({ read: ownOrAll })

const books = collection("books")
  .fields(({ f }) => ({ title: f.text().index("contains"), filler: f.text(), isOpen: f.boolean() }))
  .title("title")
  .access({ read: ownOrAll })

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().access({ read: ({ session }) => session !== null || { isOpen: true } }),
    filler: f.text(),
    isOpen: f.boolean(),
  }))
  .title("title")
  .searchable({})
  .access({ read: true })

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text() }))
  .title("title")
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [logs, books, articles, notes] })
  for (const table of ["logs", "books", "articles"]) {
    await app.database.query(
      `insert into "${table}" ("id", "createdAt", "updatedAt", "title", "filler", "isOpen")
        select gen_random_uuid(), now(), now(), 'Číslo ' || n || case when n % 10000 = 0 then ' o pštrosoch' else '' end, repeat('x', ${ROW_CHARACTERS}), n % 20000 = 0
        from generate_series(1, ${ROWS}) n`,
    )
  }
  await app.app.system.collections["notes"]?.create({ title: "O pštrosoch" })
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

async function find(query: string, session?: Session) {
  const { docs, notSearched } = await app.client(session).search.findByTitle({ query, limit: 50 })
  const found: Record<string, number> = {}
  for (const { collection: name } of docs) found[name] = (found[name] ?? 0) + 1
  return { found, notSearched }
}

test("large collections without an index are left out and named", async () => {
  expect(await find("pštros", eva)).toEqual({
    found: { notes: 1, books: 4, articles: 4 },
    notSearched: ["logs"],
  })
})

test("a search index finds titles without their accents, an index of trigrams with them", async () => {
  expect(await find("pstros", eva)).toEqual({ found: { notes: 1, articles: 4 }, notSearched: ["logs"] })
  expect(await find("10000 cislo", eva)).toEqual({ found: { articles: 1 }, notSearched: ["logs"] })
})

test("rules of rows and fields hold where an index finds the titles", async () => {
  expect(await find("pštros")).toEqual({ found: { notes: 1, books: 2, articles: 2 }, notSearched: ["logs"] })
})

test("a beginning that is too short for an index is searched in small collections only", async () => {
  expect(await find("pš", eva)).toEqual({ found: { notes: 1 }, notSearched: ["articles", "books", "logs"] })
})
