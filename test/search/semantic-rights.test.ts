// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { offlineEmbedder } from "kit/embedders"
import { expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { conceptEmbedder } from "./concept-embedder.ts"

const WORDS = ["car", "vehicle", "automobile", "dog", "puppy", "hound", "ballot", "elections", "fire", "boat", "town"]
const QUERIES = ["car", "puppy fire", "the automobile in town", "vote -boat", '"dog boat"', "elections car hound"]

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    section: f.select(["news", "sport"]),
    isOpen: f.boolean().default(true),
  }))
  .title("title")
  .searchable({ facets: ["section"] })
  .access({ read: ({ session }) => (session ? true : { isOpen: true }), create: true })

const eva: Session = { user: { id: "eva" } }

test("hidden records change no result, order, score, total or facet of a search by meaning", async () => {
  await using app = await testApp({ resources: [posts], config: { search: { embedder: conceptEmbedder() } } })
  await app.app.startWorker()
  await createAll(app, { count: 40, isOpen: true })
  const before = await answers(app)

  // More hidden records than one portion of texts that the index in memory looks up, all similar to the queries.
  await createAll(app, { count: 1_100, isOpen: false })
  const after = await answers(app)

  expect(after).toEqual(before)
  expect(before.some(({ total }) => total > 5)).toBe(true)
  expect((await search(app, { query: "car", mode: "semantic" }, eva)).total).toBeGreaterThan(200)
})

test("whether a record is embedded yet does not depend on an equal text of a hidden record", async () => {
  await using app = await testApp({ resources: [posts], config: { search: { embedder: conceptEmbedder() } } })
  await app.app.startWorker()
  const all: any = app.app.system.collections["posts"]
  await all.create({ title: "a secret puppy", isOpen: false })
  await embeddedAll(app)
  await app.app.stopWorker()

  await all.create({ title: "a secret puppy" })
  await all.create({ title: "a secret hound" })
  const found = async () => (await search(app, { query: "dog", mode: "semantic" })).total
  const before = await found()
  await app.app.startWorker()
  await embeddedAll(app)

  expect([before, await found()]).toEqual([0, 2])
})

test("without fallback locales, no record is found by the meaning of a text in another locale", async () => {
  const pages = collection("pages")
    .fields(({ f }) => ({
      title: f.text().localized(),
      keywords: f.text().localized().hidden(),
      memo: f.text().access({ read: ({ session }) => session !== null }),
    }))
    .title("title")
    .searchable({ fields: ["keywords", "memo"] })
    .access({ read: true })
  const config = { locales: { default: "en", all: ["en", "de"] }, search: { embedder: conceptEmbedder() } }
  await using app = await testApp({ resources: [pages], config })
  await app.app.startWorker()
  const { id } = (await app.app.system.collections["pages"]?.create({ title: "Puppy", keywords: "boat" })) ?? {}
  await embeddedAll(app)
  const found = async (body: object) => (await search(app, { query: "hound", mode: "semantic", ...body })).total
  const before = [await found({ locale: "de" }), await found({ locale: "de", localeFallback: false })]
  await app.app.system.collections["pages"]?.updateById(
    { id: String(id), data: { title: "Hund", keywords: "Boot" } },
    { locale: "de" },
  )
  await embeddedAll(app)

  expect(before).toEqual([1, 0])
  expect(await found({ locale: "de", localeFallback: false })).toBe(1)
  expect(await found({ locale: "en", localeFallback: false })).toBe(1)
})

test("the offline embedder finds English texts by their meaning", async () => {
  const embedder = offlineEmbedder()
  await using app = await testApp({ resources: [posts], config: { search: { embedder } } })
  await app.app.startWorker()
  for (const title of [
    "The council approves cheaper bus tickets",
    "Heavy rain floods the harbour",
    "Our team wins the cup",
  ]) {
    await app.client(eva).collections["posts"].create({ title })
  }
  await embeddedAll(app)

  for (const mode of ["semantic", "hybrid"]) {
    const { docs } = await search(app, { query: "public transport gets less expensive", mode })
    expect(docs[0].title).toBe("The council approves cheaper bus tickets")
  }
})

async function createAll(app: TestApp, { count, isOpen }: { count: number; isOpen: boolean }): Promise<void> {
  const rows = Array.from({ length: count }, (_, place) => {
    const words = [0, 3, 7].map((step) => WORDS[(place * (step + 1) + step) % WORDS.length])
    // Some texts are equal to those of other records.
    return { title: `${words.join(" ")} ${place % 900}`, section: place % 2 ? "news" : "sport", place }
  })
  await app.database.query(
    `insert into posts (id, title, section, "isOpen", "createdAt", "updatedAt")
      select gen_random_uuid(), title, section, $2, now() - place * interval '1 second', now()
      from jsonb_to_recordset($1::jsonb) as r(title text, section text, place integer)`,
    [JSON.stringify(rows), isOpen],
  )
  await embeddedAll(app)
}

async function answers(app: TestApp) {
  const bodies = QUERIES.flatMap((query) => ["semantic", "hybrid"].map((mode) => ({ query, mode })))
  const found = []
  for (const body of bodies) {
    found.push(await search(app, { ...body, highlights: true, facets: [{ field: "section" }], limit: 100 }))
  }
  return found
}

async function search(app: TestApp, body: object, session?: Session): Promise<any> {
  const answer = await app.fetch("/search", { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
  expect(answer.body).not.toHaveProperty("error")
  return answer.body
}

/** Waits until no record is left to embed. */
async function embeddedAll(app: TestApp): Promise<void> {
  const isDone = async () => expect(await app.database.query("select id from _kit_search_queue limit 1")).toEqual([])
  await vi.waitFor(isDone, { timeout: 60_000 })
}
