// @module-tag not-about-connections

import { afterAll, beforeAll, describe, expect } from "vitest"
import { type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld
let search: (options: object) => Promise<any>

beforeAll(async () => {
  world = await interfaceWorld()
  search = world.client.search.search
  const { articles, authors } = world.client.collections
  await articles.create({ title: "A river in flood", rating: 4, status: "done" })
  await articles.create({ title: "River & bank", rating: 2 })
  await articles.create({ title: "The desert", rating: 2 })
  await authors.create({ name: "River Jones" })
})

afterAll(() => world[Symbol.asyncDispose]())

describe("search", () => {
  prove("9.1", async () => {
    const { docs, total } = await search({ query: "river", limit: 2 })

    expect(docs.length).toBe(2)
    expect(total).toBe(3)
  })

  prove("9.2", async () => {
    const { docs } = await search({ query: "flood" })
    const [{ _collection, _search, ...record }] = docs

    expect(record).toEqual(await world.client.collections["articles"].findOne({ where: { id: record.id } }))
    expect(_collection).toBe("articles")
    expect(_search).toEqual({ score: expect.any(Number), highlights: {}, indexedTitle: "A river in flood" })
  })

  prove("9.3", async () => {
    const { docs, total } = await search({
      query: "river bank",
      collections: ["articles"],
      mode: "lexical",
      limit: 1,
      highlights: true,
    })

    expect(total).toBe(1)
    expect(docs[0]._search.highlights).toEqual({ title: ["<mark>River</mark> &amp; <mark>bank</mark>"] })
  })

  prove("9.5", async () => {
    expect(await world.client.search.reindex("articles", { wait: true })).toEqual({
      success: true,
      collection: "articles",
    })
  })

  prove("9.4", async () => {
    const { facets } = await search({
      query: "river",
      facets: [
        { field: "status", limit: 2, sortBy: "count" },
        { field: "rating", ranges: [{ from: 3 }] },
      ],
    })

    expect(facets).toEqual({
      status: [
        { value: "done", count: 1 },
        { value: "idea", count: 1 },
      ],
      rating: [{ from: 3, count: 1 }],
    })
  })
})
