// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    section: f.select(["news", "sport", "culture"]),
    topic: f.text().localized(),
    tags: f.array(f.text()),
    moods: f.select(["calm", "wild"]).multiple(),
    open: f.boolean(),
    price: f.number(),
    amount: f.number().decimal(8, 2),
    sold: f.number().bigint(),
    day: f.date(),
    at: f.datetime(),
    owner: f.text(),
    costs: f.number().access({ read: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    editor: f.relation("people"),
  }))
  .title("title")
  .searchable({
    facets: ["section", "topic", "tags", "moods", "open", "price", "amount", "sold", "day", "at", "costs", "editor"],
  })
  .access({ read: ({ session }) => (session ? true : { open: true }) })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), section: f.text(), age: f.number().integer() }))
  .title("name")
  .searchable({ facets: ["section", "age"] })
  .access({ read: true })

const eva: Session = { user: { id: "eva" } }

let app: TestApp
let person: string

beforeAll(async () => {
  app = await testApp({ resources: [posts, people], config: { locales: { default: "en", all: ["en", "sk"] } } })
  const { collections } = app.app.system
  person = (await collections["people"]?.create({ name: "Ann", section: "news", age: 30 }))?.["id"] as string
  await collections["people"]?.create({ name: "Bob", section: "sport", age: 40 })
  await collections["people"]?.create({ name: "Cid", section: "zoo", age: null })
  const rows = [
    { section: "news", topic: "rain", tags: ["a", "b", "b"], moods: ["calm"], open: true, price: 1, owner: "eva" },
    { section: "news", topic: "sun", tags: ["b"], moods: ["calm", "wild"], open: true, price: 5, owner: "bob" },
    { section: "sport", topic: null, tags: [], moods: [], open: true, price: 10, owner: "eva" },
    { section: null, topic: "rain", tags: null, moods: ["wild"], open: false, price: null, owner: "eva" },
  ]
  for (const [index, row] of rows.entries()) {
    await collections["posts"]?.create({
      ...row,
      title: `Post ${index}`,
      amount: `${index}.50`,
      sold: BigInt(index) + 9_007_199_254_740_993n,
      day: `2026-0${index + 1}-15`,
      at: `2026-05-04T1${index}:00:00.000Z`,
      costs: index,
      editor: index < 2 ? person : null,
    })
  }
  const found = await collections["posts"]?.find({ where: { topic: "rain" } })
  for (const { id } of found?.docs ?? []) {
    await collections["posts"]?.updateById({ id: String(id), data: { topic: "dážď" } }, { locale: "sk" })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

async function facet(options: object, { session = eva as Session | undefined, ...search }: any = {}) {
  const { status, body } = await app.fetch("/search", {
    method: "POST",
    body: JSON.stringify({ query: "", collections: ["posts"], facets: [options], ...search }),
    ...(session && { session }),
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return Object.values(body.facets)[0]
}

describe("values", () => {
  test("are counted, the most frequent first, without null", async () => {
    expect(await facet({ field: "section" })).toEqual([
      { value: "news", count: 2 },
      { value: "sport", count: 1 },
    ])
  })

  test("are sorted by value if requested, and limited", async () => {
    const bySize = await facet({ field: "price", sortBy: "value", limit: 2 })

    expect(bySize).toEqual([
      { value: 1, count: 1 },
      { value: 5, count: 1 },
    ])
    expect(await facet({ field: "section", limit: 1 })).toEqual([{ value: "news", count: 2 }])
  })

  test("of a list count each record once", async () => {
    expect(await facet({ field: "tags" })).toEqual([
      { value: "b", count: 2 },
      { value: "a", count: 1 },
    ])
    expect(await facet({ field: "moods" })).toEqual([
      { value: "calm", count: 2 },
      { value: "wild", count: 2 },
    ])
  })

  test("have the types of plain JSON", async () => {
    expect(await facet({ field: "open" })).toEqual([
      { value: true, count: 3 },
      { value: false, count: 1 },
    ])
    expect(await facet({ field: "amount", sortBy: "value", limit: 1 })).toEqual([{ value: "0.50", count: 1 }])
    expect(await facet({ field: "sold", sortBy: "value", limit: 1 })).toEqual([{ value: "9007199254740993", count: 1 }])
    expect(await facet({ field: "day", sortBy: "value", limit: 1 })).toEqual([{ value: "2026-01-15", count: 1 }])
    expect(await facet({ field: "at", sortBy: "value", limit: 1 })).toEqual([
      { value: "2026-05-04T10:00:00.000Z", count: 1 },
    ])
    expect(await facet({ field: "editor" })).toEqual([{ value: person, count: 2 }])
  })

  test("of a localized field are those of the read locale", async () => {
    expect(await facet({ field: "topic" })).toEqual([
      { value: "rain", count: 2 },
      { value: "sun", count: 1 },
    ])
    expect(await facet({ field: "topic" }, { locale: "sk" })).toEqual([
      { value: "dážď", count: 2 },
      { value: "sun", count: 1 },
    ])
    expect(await facet({ field: "topic" }, { locale: "sk", localeFallback: false })).toEqual([
      { value: "dážď", count: 2 },
    ])
  })
})

describe("rights", () => {
  test("leave out the rows that the caller may not read", async () => {
    expect(await facet({ field: "open" }, { session: null })).toEqual([{ value: true, count: 3 }])
  })

  test("leave out the values of a field in rows that hide it", async () => {
    expect(await facet({ field: "costs", sortBy: "value" })).toEqual([
      { value: 0, count: 1 },
      { value: 2, count: 1 },
      { value: 3, count: 1 },
    ])
    expect(await facet({ field: "costs", ranges: [{ from: 0 }] })).toEqual([{ from: 0, count: 3 }])
  })

  test("and filters apply together", async () => {
    expect(await facet({ field: "section" }, { where: { posts: { open: true, price: { gte: 5 } } } })).toEqual([
      { value: "news", count: 1 },
      { value: "sport", count: 1 },
    ])
  })
})

describe("ranges", () => {
  test("include their lower bound, not their upper one, and may be open", async () => {
    const ranges = [{ to: 5 }, { from: 5, to: 10 }, { from: 10 }, { from: 1_000 }]

    expect(await facet({ field: "price", ranges })).toEqual([
      { to: 5, count: 1 },
      { from: 5, to: 10, count: 1 },
      { from: 10, count: 1 },
      { from: 1_000, count: 0 },
    ])
  })

  test("of exact numbers, days and times are compared as such", async () => {
    expect(await facet({ field: "amount", ranges: [{ from: "1.5", to: "10" }] })).toEqual([
      { from: "1.5", to: "10", count: 3 },
    ])
    expect(await facet({ field: "sold", ranges: [{ from: "9007199254740994" }] })).toEqual([
      { from: "9007199254740994", count: 3 },
    ])
    expect(await facet({ field: "day", ranges: [{ from: "2026-02-15", to: "2026-04-15" }] })).toEqual([
      { from: "2026-02-15", to: "2026-04-15", count: 2 },
    ])
    expect(await facet({ field: "at", ranges: [{ from: "2026-05-04T11:00:00Z" }] })).toEqual([
      { from: "2026-05-04T11:00:00Z", count: 3 },
    ])
  })

  test("take dates from a client", async () => {
    const from = new Date("2026-05-04T12:00:00Z")
    const found = await app.client(eva).search.search({
      query: "",
      collections: ["posts"],
      facets: [{ field: "at", ranges: [{ from }] }],
    })

    expect(found.facets).toEqual({ at: [{ from: "2026-05-04T12:00:00.000Z", count: 2 }] })
  })
})

describe("several collections", () => {
  test("add up their counts", async () => {
    expect(await facet({ field: "section" }, { collections: undefined })).toEqual([
      { value: "news", count: 3 },
      { value: "sport", count: 2 },
      { value: "zoo", count: 1 },
    ])
    expect(await facet({ field: "section", sortBy: "value", limit: 2 }, { collections: undefined })).toEqual([
      { value: "news", count: 3 },
      { value: "sport", count: 2 },
    ])
  })

  test("need not all have the facet", async () => {
    expect(await facet({ field: "age", ranges: [{ from: 35 }] }, { collections: undefined })).toEqual([
      { from: 35, count: 1 },
    ])
  })
})
