// @module-tag installed-postgres
// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const buyers = collection("buyers")
  .fields(({ f }) => ({ name: f.text().required(), city: f.text() }))
  .title("name")
  .access({ read: true })

const orders = collection("orders")
  .fields(({ f }) => ({
    name: f.text().required(),
    status: f.select(["open", "paid", "lost"]),
    items: f.number().integer(),
    total: f.number().decimal(10, 2),
    points: f.number().bigint(),
    weight: f.number(),
    day: f.date(),
    opens: f.time(),
    at: f.datetime(),
    isGift: f.boolean(),
    tags: f.array(f.text()),
    data: f.json(),
    half: f.virtual(f.number(), '"items" / 2.0'),
    shout: f.computed<string>(({ row }) => String(row["name"]).toUpperCase()),
    buyer: f.relation("buyers"),
    friends: f.relation("buyers").manyToMany(),
  }))
  .title("name")
  .access({ read: true })

const AT = new Date("2026-05-04T10:30:00.123Z")

let app: TestApp
let ann: string

beforeAll(async () => {
  app = await testApp({ resources: [orders, buyers] })
  const { collections } = app.app.system
  ann = String((await collections["buyers"]?.create({ name: "Ann", city: "Graz" }))?.["id"])
  const rows = [
    { status: "open", items: 1, total: "0.10", points: 2n ** 62n, weight: 0.1, day: "2026-01-01", at: AT, buyer: ann },
    { status: "open", items: 2, total: "0.20", points: 2n ** 62n, weight: 0.2, day: "2026-01-31", buyer: ann },
    { status: "paid", items: 4, total: "10.00", points: 1n, weight: null, day: "2026-02-01", opens: "10:30" },
    { status: "paid", items: null, total: null, points: null, weight: 2, day: "2025-12-28", isGift: true },
    { status: null, items: 8, total: "-3.05", points: -5n, weight: 1, day: null, isGift: false },
  ]
  for (const [index, row] of rows.entries()) {
    await collections["orders"]?.create({ name: `order ${index}`, ...row })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

const get = async (query: string) => (await app.fetch(`/_kit/aggregate/orders?${query}`)).body
const post = async (body: object) => {
  const answer = await app.fetch("/_kit/aggregate/orders", { method: "POST", body: JSON.stringify(body) })
  return answer.body
}

describe("without groupBy", () => {
  test("there is one result of all records", async () => {
    const query = "count=true&sum[total]=true&avg[items]=true&min[day]=true&max[name]=true"

    expect(await get(query)).toEqual({
      count: 5,
      sum: { total: "7.25" },
      avg: { items: 3.75 },
      min: { day: "2025-12-28" },
      max: { name: "order 4" },
    })
  })

  test("only what was requested is in the result", async () => {
    expect(await post({ max: { items: true } })).toEqual({ max: { items: 8 } })
    expect(await post({ count: true })).toEqual({ count: 5 })
  })

  test("exact numbers stay exact, and doubles are added as Postgres adds them", async () => {
    const numbers = { items: true, total: true, points: true, weight: true }

    expect(await post({ sum: numbers, avg: numbers })).toEqual({
      sum: { items: 15, total: "7.25", points: String(2n ** 63n - 4n), weight: 0.1 + 0.2 + 2 + 1 },
      avg: {
        items: 3.75,
        total: "1.8125000000000000",
        points: "2305843009213693951",
        weight: expect.closeTo(0.825),
      },
    })
  })

  test("the sum, the average and the extremes of nothing are null, and their number is 0", async () => {
    const fields = { items: true, total: true, points: true, weight: true }
    const nothing = { items: null, total: null, points: null, weight: null }
    const where = { name: "nobody" }

    expect(await post({ where, count: true, sum: fields, avg: fields, min: fields, max: fields })).toEqual({
      ...{ count: 0, sum: nothing, avg: nothing, min: nothing, max: nothing },
    })
    expect(await post({ where: { status: "paid", items: null }, sum: { points: true } })).toEqual({
      sum: { points: null },
    })
  })

  test("there are extremes of dates, times, texts and options", async () => {
    const fields = { day: true, opens: true, at: true, name: true, status: true, createdAt: true }
    const { min, max } = await app.client().collections["orders"].aggregate({ min: fields, max: fields })

    expect(min).toMatchObject({ day: "2025-12-28", opens: "10:30:00", at: AT, name: "order 0", status: "open" })
    expect(max).toMatchObject({ day: "2026-02-01", opens: "10:30:00", at: AT, name: "order 4", status: "paid" })
    expect(max.createdAt).toBeInstanceOf(Date)
  })

  test("fields that SQL computes have aggregates, too", async () => {
    expect(await post({ sum: { half: true }, where: { half: { gt: 0.5 } } })).toEqual({ sum: { half: 7 } })
  })

  test("bigints and dates arrive as such in a client and in the process", async () => {
    const options = { groupBy: "at", sum: { points: true }, min: { at: true } } as const
    const groups = [
      { key: { at: AT }, sum: { points: 2n ** 62n }, min: { at: AT } },
      { key: { at: null }, sum: { points: 2n ** 62n - 4n }, min: { at: null } },
    ]

    expect(await app.client().collections["orders"].aggregate(options)).toEqual({ groups, hasMore: false })
    expect(await app.app.system.collections["orders"]?.aggregate(options)).toEqual({ groups, hasMore: false })
  })

  test("a sum of integers may be larger than an integer", async () => {
    const items = 2 ** 31 - 1
    const where = { name: { startsWith: "large" } }
    const large = app.app.system.collections["orders"]
    for (const name of ["large 1", "large 2", "large 3"]) await large?.create({ name, items })

    const sums = await post({ where, sum: { items: true } })
    await large?.deleteMany({ where })

    expect(sums).toEqual({ sum: { items: 3 * items } })
  })
})

describe("the filter", () => {
  test.each<[string, object, number]>([
    ["a value", { where: { status: "open" } }, 2],
    ["operators", { where: { total: { gt: "0.15" } } }, 2],
    ["a related record", { where: { buyer: { city: "Graz" } } }, 2],
    ["null", { where: { status: null } }, 1],
    ["a search", { search: "ORDER 3" }, 1],
    ["both", { where: { status: "paid" }, search: "order 2" }, 1],
  ])("%s chooses the same records as in a list", async (_name, options, number) => {
    const listed = await app.fetch("/orders/query", { method: "POST", body: JSON.stringify(options) })

    expect(await post({ ...options, count: true })).toEqual({ count: number })
    expect(listed.body.totalDocs).toBe(number)
  })

  test("the query string and the body say the same", async () => {
    const query = "where[total][gt]=0.15&groupBy=status&count=true&sum[total]=true&having[sum][total][gt]=5&limit=3"
    const body = {
      where: { total: { gt: "0.15" } },
      groupBy: "status",
      count: true,
      sum: { total: true },
      having: { sum: { total: { gt: 5 } } },
      limit: 3,
    }

    expect(await get(query)).toEqual(await post(body))
    expect(await get(query)).toEqual({
      groups: [{ key: { status: "paid" }, count: 1, sum: { total: "10.00" } }],
      hasMore: false,
    })
  })

  test("a condition that is undefined is refused by the client, and not left out", async () => {
    const { aggregate } = app.client().collections["orders"]

    await expect(aggregate({ count: true, where: { status: undefined } })).rejects.toThrow("undefined")
    const having = { sum: { total: { gt: undefined } } }
    await expect(aggregate({ groupBy: "status", count: true, having })).rejects.toThrow("undefined")
  })
})

describe("groups", () => {
  const keysOf = (body: { groups: { key: object }[] }) => body.groups.map(({ key }) => Object.values(key))

  test("there is one for each value, in the order of the values, the records without a value last", async () => {
    expect(await post({ groupBy: "status", count: true, sum: { items: true, points: true } })).toEqual({
      groups: [
        { key: { status: "open" }, count: 2, sum: { items: 3, points: String(2n ** 63n) } },
        { key: { status: "paid" }, count: 2, sum: { items: 4, points: "1" } },
        { key: { status: null }, count: 1, sum: { items: 8, points: "-5" } },
      ],
      hasMore: false,
    })
  })

  test.each<[string, unknown[]]>([
    ["isGift", [false, true, null]],
    ["items", [1, 2, 4, 8, null]],
    ["total", ["-3.05", "0.10", "0.20", "10.00", null]],
    ["points", ["-5", "1", String(2n ** 62n), null]],
    ["weight", [0.1, 0.2, 1, 2, null]],
    ["day", ["2025-12-28", "2026-01-01", "2026-01-31", "2026-02-01", null]],
    ["opens", ["10:30:00", null]],
    ["at", [AT.toISOString(), null]],
    ["half", [0.5, 1, 2, 4, null]],
  ])("the keys of %s have its values", async (groupBy, keys) => {
    expect(keysOf(await post({ groupBy }))).toEqual(keys.map((key) => [key]))
  })

  test("the key of a relation is the id", async () => {
    expect(await post({ groupBy: "buyer", count: true })).toEqual({
      groups: [
        { key: { buyer: ann }, count: 2 },
        { key: { buyer: null }, count: 3 },
      ],
      hasMore: false,
    })
  })

  test("several fields make a key of several values", async () => {
    const { groups } = await post({ groupBy: ["status", "isGift"], count: true })

    expect(groups).toEqual([
      { key: { status: "open", isGift: null }, count: 2 },
      { key: { status: "paid", isGift: true }, count: 1 },
      { key: { status: "paid", isGift: null }, count: 1 },
      { key: { status: null, isGift: false }, count: 1 },
    ])
  })

  test("without records, there are no groups", async () => {
    expect(await post({ groupBy: "status", count: true, where: { name: "nobody" } })).toEqual({
      groups: [],
      hasMore: false,
    })
  })

  test.each<[string, unknown, unknown[]]>([
    ["keys", { status: "desc" }, ["paid", "open", null]],
    ["numbers of records, ties by their keys", { count: "desc" }, ["open", "paid", null]],
    ["a sum", { sum: { items: "desc" } }, [null, "paid", "open"]],
    ["a value that is not in the answer", { max: { total: "asc" } }, [null, "open", "paid"]],
    ["several values", [{ count: "asc" }, { avg: { weight: "desc" } }], [null, "paid", "open"]],
    ["a value and a key in one map", { count: "desc", status: "desc" }, ["paid", "open", null]],
  ])("are sorted by %s", async (_name, orderBy, keys) => {
    expect(keysOf(await post({ groupBy: "status", count: true, orderBy })).flat()).toEqual(keys)
  })

  test("a group without a value to sort by comes last in either direction", async () => {
    const sorted = async (direction: string) =>
      keysOf(await post({ groupBy: "items", orderBy: { min: { total: direction } } })).flat()

    expect(await sorted("asc")).toEqual([8, 1, 2, 4, null])
    expect(await sorted("desc")).toEqual([4, 2, 1, 8, null])
  })

  test.each<[string, object, unknown[]]>([
    ["the number of records", { count: { gte: 2 } }, ["open", "paid"]],
    ["a sum of decimals", { sum: { total: { lt: "0.31" } } }, ["open", null]],
    ["a sum of bigints, beyond 64 bits", { sum: { points: { gte: String(2n ** 63n) } } }, ["open"]],
    ["an average", { avg: { items: { between: [3, 5] } } }, ["paid"]],
    ["a least date", { min: { day: { gt: "2025-12-31" } } }, ["open"]],
    ["a greatest text", { max: { name: { endsWith: "3" } } }, ["paid"]],
    ["null", { max: { day: null } }, [null]],
    ["a list", { count: { in: [1, 7] } }, [null]],
    ["several values", { count: 2, sum: { items: 3 } }, ["open"]],
  ])("having: %s", async (_name, having, keys) => {
    expect(keysOf(await post({ groupBy: "status", having })).flat()).toEqual(keys)
  })

  test("are at most as many as the limit, which says whether there are more", async () => {
    const groups = async (limit: number) => {
      const body = await post({ groupBy: "items", limit, orderBy: { items: "desc" } })
      return [keysOf(body).flat(), body.hasMore]
    }

    expect(await groups(1)).toEqual([[8], true])
    expect(await groups(4)).toEqual([[8, 4, 2, 1], true])
    expect(await groups(5)).toEqual([[8, 4, 2, 1, null], false])
    expect(await groups(1000)).toEqual([[8, 4, 2, 1, null], false])
  })
})
