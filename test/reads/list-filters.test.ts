// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text().required(),
    colours: f.select(["red", "green", "blue"]).multiple(),
    tags: f.array(f.text()).index(),
    sizes: f.array(f.number()),
    prices: f.array(f.number().decimal(6, 2)),
    moments: f.array(f.datetime()),
    parts: f.array(f.object({ sku: f.text().required(), count: f.number().integer() })).index(),
    address: f.object({ street: f.text(), floor: f.number().integer() }),
    sale: f.object({ at: f.datetime(), code: f.number().bigint(), price: f.number().decimal(6, 2) }),
    sales: f.array(f.object({ at: f.datetime(), code: f.number().bigint() })),
    grid: f.array(f.array(f.number().bigint())),
    day: f.date(),
    opens: f.time(),
    letters: f.virtual(f.array(f.text()), `string_to_array("name", null)`),
  }))
  .access({ read: true, create: true })

const ROWS = [
  {
    name: "full",
    colours: ["red", "green"],
    tags: ["a", "%", "b,c"],
    sizes: [1, 2.5],
    prices: ["1.50"],
    moments: [new Date(0)],
    parts: [
      { sku: "x", count: 1 },
      { sku: "y", count: 2 },
    ],
    address: { street: "Main", floor: 3 },
    sale: { at: new Date(0), code: 2n ** 60n, price: 2 },
    sales: [{ at: new Date(0), code: 2n ** 60n }, { code: 1n }],
    grid: [[1n, 2n ** 60n], []],
    day: "2026-01-31",
    opens: "08:00",
  },
  { name: "one", colours: ["green"], tags: ["a"], sizes: [2.5], parts: [{ sku: "x", count: 2 }], day: "2026-02-01" },
  { name: "empty", colours: [], tags: [], sizes: [], parts: [], opens: "20:15:30" },
  { name: "null" },
]

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [things] })
  for (const row of ROWS) await app.app.system.collections["things"]?.create(row)
})
afterAll(() => app[Symbol.asyncDispose]())

// Longer than a URL can be: the client sends the filter as a body.
const MANY_NAMES = Array.from({ length: 900 }, (_, index) => `nobody ${index}`)

type Find = (options: object) => Promise<{ docs: readonly object[] }> | undefined

async function namesOf(find: Find, where: object) {
  const page = await find({ where, orderBy: { createdAt: "asc" } })
  return page?.docs.map((record) => ("name" in record ? record.name : ""))
}

test.each<[object, string[]]>([
  [{ tags: { contains: "a" } }, ["full", "one"]],
  [{ tags: { contains: "A" } }, []],
  [{ tags: { contains: "%" } }, ["full"]],
  [{ tags: { contains: "b,c" } }, ["full"]],
  [{ tags: { containsAll: ["a", "b,c"] } }, ["full"]],
  [{ tags: { containsAll: [] } }, ["full", "one", "empty"]],
  [{ tags: { containsAny: ["b,c", "z"] } }, ["full"]],
  [{ tags: { containsAny: [] } }, []],
  [{ tags: { isEmpty: true } }, ["empty", "null"]],
  [{ tags: { isEmpty: false } }, ["full", "one"]],
  [{ tags: { isNotEmpty: true } }, ["full", "one"]],
  [{ tags: { isNotEmpty: false } }, ["empty", "null"]],
  [{ tags: { length: 1 } }, ["one"]],
  [{ tags: { length: 0 } }, ["empty"]],
  [{ tags: { isNull: true } }, ["null"]],
  [{ tags: { isNotNull: true, isEmpty: true } }, ["empty"]],
  [{ tags: null }, ["null"]],
  [{ NOT: { tags: { contains: "a" } } }, ["empty", "null"]],
  [{ colours: { contains: "green" } }, ["full", "one"]],
  [{ colours: { containsAll: ["green", "red"] } }, ["full"]],
  [{ colours: { containsAny: ["blue", "red"] } }, ["full"]],
  [{ sizes: { contains: 2.5 } }, ["full", "one"]],
  [{ sizes: { containsAny: [1, 7] } }, ["full"]],
  [{ prices: { contains: "1.5" } }, ["full"]],
  [{ moments: { contains: new Date(0) } }, ["full"]],
  [{ parts: { contains: { sku: "x" } } }, ["full", "one"]],
  [{ parts: { contains: { sku: "x", count: 2 } } }, ["one"]],
  [{ parts: { containsAll: [{ sku: "x" }, { sku: "y" }] } }, ["full"]],
  [{ parts: { containsAny: [{ sku: "y" }, { count: 7 }] } }, ["full"]],
  [{ parts: { containsAny: [] } }, []],
  [{ parts: { isEmpty: true } }, ["empty", "null"]],
  [{ parts: { isNotEmpty: true } }, ["full", "one"]],
  [{ parts: { length: 2 } }, ["full"]],
  [{ parts: null }, ["null"]],
  [{ address: { contains: { street: "Main" } } }, ["full"]],
  [{ address: { eq: { street: "Main", floor: 3 } } }, ["full"]],
  [{ address: { hasKey: "floor" } }, ["full"]],
  [{ address: { path: { at: "floor", gte: 3 } } }, ["full"]],
  [{ address: null }, ["one", "empty", "null"]],
  [{ day: "2026-01-31" }, ["full"]],
  [{ day: { gt: "2026-01-31" } }, ["one"]],
  [{ day: { between: ["2026-01-01", "2026-02-01"] } }, ["full", "one"]],
  [{ day: { notIn: ["2026-01-31"] } }, ["one", "empty", "null"]],
  [{ opens: "08:00" }, ["full"]],
  [{ opens: { gte: "08:00:01" } }, ["empty"]],
  [{ opens: { in: ["20:15:30"] } }, ["empty"]],
  [{ letters: { contains: "u" } }, ["full", "null"]],
  [{ letters: { length: 3 } }, ["one"]],
])("%j finds the same over HTTP and in process", async (where, names) => {
  const overHttp = await namesOf((options) => app.client().collections["things"].find(options), where)
  const inProcess = await namesOf((options) => app.app.as(null).collections["things"]?.find(options), where)

  expect(overHttp).toEqual(names)
  expect(inProcess).toEqual(names)
})

test.each<[string, object, string[]]>([
  ["a part of an object", { sale: { contains: { at: new Date(0) } } }, ["full"]],
  ["a big integer and a decimal", { sale: { contains: { code: 2n ** 60n, price: "2.00" } } }, ["full"]],
  ["a whole object", { sale: { eq: { at: new Date(0), code: 2n ** 60n, price: "2.00" } } }, ["full"]],
  ["a date by its path", { sale: { path: { at: "at", eq: new Date(0) } } }, ["full"]],
  ["a big integer by its path", { sale: { path: { at: "code", eq: 1n } } }, []],
  ["a part of an item", { sales: { contains: { code: 2n ** 60n } } }, ["full"]],
  ["parts of several items", { sales: { containsAll: [{ code: 1n }, { at: new Date(0) }] } }, ["full"]],
  ["no part of any item", { sales: { containsAny: [{ code: 5n }] } }, []],
  ["a list in a list", { grid: { contains: [2n ** 60n] } }, ["full"]],
  ["one of several lists", { grid: { containsAny: [[5n], [1n]] } }, ["full"]],
  ["not all of several lists", { grid: { containsAll: [[5n], [1n]] } }, []],
])("%s is asked for with the values that records show, over HTTP and in process", async (_what, where, names) => {
  const overHttp = await namesOf((options) => app.client().collections["things"].find(options), where)
  const long = { AND: [where, { name: { notIn: MANY_NAMES } }] }
  const inBody = await namesOf((options) => app.client().collections["things"].find(options), long)
  const inProcess = await namesOf((options) => app.app.as(null).collections["things"]?.find(options), where)

  expect([overHttp, inBody, inProcess]).toEqual([names, names, names])
})

describe("refused", () => {
  test.each([
    ["where[tags]=a", "where.tags"],
    ["where[tags][eq]=a", "where.tags.eq"],
    ["where[tags][in][0]=a", "where.tags.in"],
    ["where[tags][startsWith]=a", "where.tags.startsWith"],
    ["where[tags][contains][0]=a", "where.tags.contains"],
    ["where[tags][containsAll]=a", "where.tags.containsAll"],
    ["where[tags][length]=-1", "where.tags.length"],
    ["where[tags][length]=a", "where.tags.length"],
    ["where[tags][length]=9999999999", "where.tags.length"],
    ["where[tags][isEmpty]=yes", "where.tags.isEmpty"],
    ["where[colours][contains]=black", "where.colours.contains"],
    ["where[colours][containsAny][0]=black", "where.colours.containsAny.0"],
    ["where[sizes][contains]=a", "where.sizes.contains"],
    ["where[parts][contains]=a", "where.parts.contains"],
    ["where[parts][containsAll][0]=%7B", "where.parts.containsAll.0"],
    ["where[day]=2026-02-30", "where.day"],
    ["where[day][contains]=2026", "where.day.contains"],
    ["where[opens][gt]=25:00", "where.opens.gt"],
    ["orderBy[tags]=asc", "orderBy.tags"],
    ["orderBy[colours]=asc", "orderBy.colours"],
    ["orderBy[parts]=asc", "orderBy.parts"],
    ["orderBy[address]=asc", "orderBy.address"],
  ])("%s", async (query, path) => {
    const { status, body } = await app.fetch(`/things?${query}`)

    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual([{ path, message: expect.any(String) }])
  })
})

test("an index on a list is one that looks into it", async () => {
  const indexes = await app.database.query(
    "select indexdef from pg_indexes where tablename = 'things' and indexdef like '%gin%' order by 1",
  )

  expect(indexes.map(({ indexdef }) => String(indexdef).replace(/^.* USING/, "USING"))).toEqual([
    "USING gin (parts)",
    "USING gin (tags)",
  ])
})
