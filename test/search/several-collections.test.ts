// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const anyone = { read: true, create: true, update: true, delete: true } as const

const articles = collection("articles")
  .fields(({ f }) => ({ headline: f.text().required(), body: f.textarea(), views: f.number().bigint() }))
  .title("headline")
  .searchable({ fields: ["body"] })
  .access(anyone)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), views: f.text(), born: f.datetime() }))
  .title("name")
  .searchable({})
  .access(anyone)

const shouts: string[] = []
const places = collection("places")
  .fields(({ f }) => ({ name: f.text().required(), length: f.computed(({ row }) => String(row["name"]).length) }))
  .title("name")
  .searchable({})
  .hooks({
    beforeRead: [({ operation }) => void shouts.push(`before ${operation}`)],
    afterRead: [({ row }) => ({ ...row, shout: String(row.name).toUpperCase() })],
  })
  .access(anyone)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [articles, people, places] })
  for (let index = 0; index < 4; index++) {
    await createNext("articles", { headline: `River ${index}`, body: "water", views: BigInt(index) })
    await createNext("people", { name: `River Phoenix ${index}`, views: "many", born: "1970-08-23T00:00:00Z" })
    await createNext("places", { name: `River Town ${index}` })
  }
})

let created = 0

// Records that are created in the same millisecond have no order by their time, so each gets a second of its own.
async function createNext(name: string, data: Record<string, unknown>): Promise<void> {
  const { id } = (await app.app.system.collections[name]?.create(data)) ?? {}
  created++
  const time = "timestamptz '2026-01-01' + $2 * interval '1 second'"
  await app.database.query(`update ${name} set "createdAt" = ${time} where id = $1`, [id, created])
}

afterAll(() => app[Symbol.asyncDispose]())

const names = (docs: any[]) => docs.map((doc) => doc.headline ?? doc.name)

describe("an empty query", () => {
  test("returns the newest records of all collections in one order", async () => {
    const { docs, total } = await app.client().search.search({ query: "", limit: 5 })

    expect(total).toBe(12)
    expect(names(docs)).toEqual(["River Town 3", "River Phoenix 3", "River 3", "River Town 2", "River Phoenix 2"])
    expect(docs.map((doc: any) => doc._collection)).toEqual(["places", "people", "articles", "places", "people"])
  })

  test("can be paged through without a gap or a repetition", async () => {
    const client = app.client()
    const pages = await Promise.all(
      [0, 5, 10, 15].map((offset) => client.search.search({ query: "", limit: 5, offset })),
    )
    const ids = pages.flatMap(({ docs }) => docs.map((doc: any) => doc.id))

    expect(pages.map(({ total }) => total)).toEqual([12, 12, 12, 12])
    expect(new Set(ids).size).toBe(12)
    expect(ids.length).toBe(12)
  })
})

describe("the records of a page", () => {
  test("are those of find, with the types of each collection", async () => {
    const client = app.client()
    const { docs } = await client.search.search({ query: "", limit: 3 })

    for (const { _collection, _search, ...doc } of docs) {
      expect(doc).toEqual(await client.collections[_collection]?.findOne({ where: { id: doc.id } }))
      expect(_search).toEqual({ score: expect.any(Number), highlights: {}, indexedTitle: doc.headline ?? doc.name })
    }
    expect(docs[0]).toMatchObject({ length: 12, shout: "RIVER TOWN 3" })
  })

  test("keep their types where fields of the same name have different ones", async () => {
    const { docs } = await app.client().search.search({ query: "", collections: ["articles", "people"], limit: 2 })

    expect(docs[0]).toMatchObject({ views: "many", born: new Date("1970-08-23T00:00:00Z") })
    expect(docs[1]).toMatchObject({ views: 3n })
    expect(docs[1].createdAt).toBeInstanceOf(Date)
  })

  test("have run the hook before a read once for each searched collection", async () => {
    shouts.length = 0

    await app.client().search.search({ query: "", limit: 1 })

    expect(shouts).toEqual(["before find"])
  })

  test("are limited to the named collections and their filters", async () => {
    const { docs, total } = await app.client().search.search({
      query: "",
      collections: ["people", "articles"],
      where: { people: { name: { endsWith: "2" } }, articles: { views: { gte: 3 } } },
    })

    expect(names(docs)).toEqual(["River 3", "River Phoenix 2"])
    expect(total).toBe(2)
  })
})

describe("in process", () => {
  test("a search has the rights and the types of the caller", async () => {
    const { docs, total } = await app.app.as(null).search.search({ query: "", collections: ["articles"], limit: 1 })

    expect(total).toBe(4)
    expect(docs[0]).toMatchObject({ headline: "River 3", views: 3n, _collection: "articles" })
  })

  test("system code searches, too", async () => {
    expect((await app.app.system.search.search({ query: "" })).total).toBe(12)
  })
})
