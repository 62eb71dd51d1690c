// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ROWS = 5_000

const everyone = { read: true, create: true, update: true, delete: true } as const

const visits = collection("visits")
  .fields(({ f }) => ({
    number: f.number().integer().required(),
    kind: f.select(["even", "odd"]).index(),
    note: f.text().access({ read: () => ({ kind: "even" }) }),
    place: f.relation("places"),
    parity: f.virtual(f.number().integer(), '"number" % 2'),
  }))
  .access(everyone)
const places = collection("places")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: () => ({ name: "open" }) })
const owned = collection("owned")
  .fields(({ f }) => ({ number: f.number().integer().required() }))
  .access({ ...everyone, read: () => ({ number: { lte: 3_000 } }) })
const kept = collection("kept")
  .fields(({ f }) => ({ number: f.number().integer().required() }))
  .options({ softDelete: true })
  .access(everyone)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [visits, places, owned, kept] })
  const own = `lpad(to_hex(n), 32, '0')::uuid, n, now(), now() from generate_series(1, ${ROWS}) n`
  for (const table of ["visits", "owned", "kept"]) {
    await app.database.query(`insert into ${table} (id, number, "createdAt", "updatedAt") select ${own}`)
  }
  await app.database.query(`update visits set note = 'a', kind = case when number % 2 = 0 then 'even' else 'odd' end`)
  await app.database.query("analyze")
})

afterAll(() => app[Symbol.asyncDispose]())

const position = async (path: string) => {
  const { docs, ...rest } = (await app.fetch(path)).body
  return { ...rest, docs: docs.length }
}

describe("a total of at most a number", () => {
  test.each([
    ["limit=10&total[max]=100", { docs: 10, totalDocs: 100, totalIs: "atLeast", totalPages: 10, hasNextPage: true }],
    ["limit=10&total[max]=4999", { totalDocs: 4_999, totalIs: "atLeast", totalPages: 500, hasNextPage: true }],
    ["limit=10&total[max]=5000", { totalDocs: 5_000, totalIs: "exact", totalPages: 500, hasNextPage: true }],
    ["limit=10&offset=200&total[max]=100", { totalDocs: 211, totalIs: "atLeast", page: 21, nextPage: 22 }],
    ["limit=10&offset=4990&total[max]=100", { totalDocs: 5_000, totalIs: "exact", hasNextPage: false, nextPage: null }],
    ["limit=10&offset=4995&total[max]=100", { docs: 5, totalDocs: 5_000, totalIs: "exact", hasNextPage: false }],
    ["limit=10&offset=9000&total[max]=100", { docs: 0, totalDocs: 100, totalIs: "atLeast", hasNextPage: false }],
    ["limit=10&offset=9000&total[max]=6000", { docs: 0, totalDocs: 5_000, totalIs: "exact", hasNextPage: false }],
    ["where[number]=0&total[max]=100", { docs: 0, totalDocs: 0, totalIs: "exact", totalPages: 1 }],
    ["where[number][lte]=30&limit=10&total[max]=100", { docs: 10, totalDocs: 30, totalIs: "exact", totalPages: 3 }],
  ])("of %s", async (query, expected) => {
    expect(await position(`/visits?${query}`)).toMatchObject(expected)
  })

  test("counts only what the caller may read", async () => {
    expect(await position("/owned?limit=10&total[max]=3500")).toMatchObject({ totalDocs: 3_000, totalIs: "exact" })
  })

  test("is also asked for in a body", async () => {
    const { body } = await app.fetch("/visits/query", {
      method: "POST",
      body: JSON.stringify({ limit: 1, total: { max: 5 } }),
    })

    expect(body).toMatchObject({ totalDocs: 5, totalIs: "atLeast" })
  })
})

describe("an estimated total", () => {
  test.each(["", "where[kind]=odd&", "where[NOT][kind]=odd&"])(
    "of %s many records comes from the planner",
    async (where) => {
      const exact = await position(`/visits?${where}limit=10`)

      const estimated = await position(`/visits?${where}limit=10&total=estimate`)

      expect(estimated).toMatchObject({ totalIs: "estimate", hasNextPage: true })
      expect(estimated.totalDocs).toBeGreaterThan(exact.totalDocs * 0.8)
      expect(estimated.totalDocs).toBeLessThan(exact.totalDocs * 1.2)
      expect(estimated.totalPages).toBe(Math.ceil(estimated.totalDocs / 10))
    },
  )

  test("has two digits, and no fewer records than those that are there", async () => {
    await app.database.query("update pg_class set reltuples = 1234567 where relname = 'kept'")
    const many = await position("/kept?limit=10&total=estimate")
    await app.database.query("update pg_class set reltuples = 1, relpages = 100 where relname = 'kept'")
    const few = await position("/kept?limit=10&offset=2000&total=estimate")
    await app.database.query("analyze kept")

    expect(many.totalDocs).toBe(Number(many.totalDocs.toPrecision(2)))
    expect(few).toMatchObject({ totalDocs: 2_011, totalIs: "estimate", hasNextPage: true })
  })

  test("is exact for up to 1,000 records, and at the end of the list", async () => {
    expect(await position("/visits?where[number][lte]=1000&limit=10&total=estimate")).toMatchObject({
      totalDocs: 1_000,
      totalIs: "exact",
    })
    expect(await position("/visits?limit=10&offset=4995&total=estimate")).toMatchObject({
      totalDocs: 5_000,
      totalIs: "exact",
    })
    const past = await position("/visits?limit=10&offset=5010&total=estimate")
    expect(past).toMatchObject({ docs: 0, totalIs: "estimate", hasNextPage: false })
    expect(past.totalDocs).toBeLessThanOrEqual(5_010)
  })

  // Postgres' statistics cover all rows of a table, and all values.
  test.each([
    ["a row rule", "/owned?limit=10&total=estimate", 3_000],
    ["a field that is hidden in some rows", "/visits?where[note]=a&limit=10&total=estimate", 2_500],
    ["a virtual field", "/visits?where[parity]=1&limit=10&total=estimate", 2_500],
    ["a filter on related records", "/visits?where[NOT][place][is][name]=x&limit=10&total=estimate", 5_000],
    ["a filter where deleted records are hidden", "/kept?where[number][gt]=0&limit=10&total=estimate", 5_000],
  ])("is counted to 10,000 with %s", async (_, path, totalDocs) => {
    expect(await position(path)).toMatchObject({ totalDocs, totalIs: "exact" })
  })

  test("is estimated for system code whatever the rules say", async () => {
    const page = await app.app.system.collections["owned"]?.find({ limit: 10, total: "estimate" })

    expect(page).toMatchObject({ totalDocs: 5_000, totalIs: "estimate" })
  })
})

describe("the option total", () => {
  test.each([
    ["/visits?total=maybe", "total"],
    ["/visits?total=", "total"],
    ["/visits?total[min]=3", "total"],
    ["/visits?total[max]=3&total[min]=1", "total"],
    ["/visits?total[max]=0", "total.max"],
    ["/visits?total[max]=1000001", "total.max"],
    ["/visits?total[max]=many", "total.max"],
    ["/visits/count?max=0", "max"],
    ["/visits?max=3", "max"],
  ])("%s is refused", async (path, name) => {
    expect(await app.fetch(path)).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: name }] } } })
  })

  test("adds totalIs only where the total may be another than the exact one", async () => {
    for (const query of ["", "?total=true", "?total=false"]) {
      expect(await position(`/visits${query}`)).not.toHaveProperty("totalIs")
    }
  })
})

describe("a count", () => {
  test("ends at max", async () => {
    const { collections } = app.client()

    expect(await collections["visits"]?.count({ max: 100 })).toBe(100)
    expect(await collections["visits"]?.count({ max: 9_000, where: { kind: "odd" } })).toBe(2_500)
    expect(await collections["visits"]?.count({ max: 7, where: { number: { in: longList() } } })).toBe(7)
    expect(await app.app.system.collections["visits"]?.count({ max: 100 })).toBe(100)
  })
})

// Too long for a URL, so that the client counts by a list.
function longList(): readonly number[] {
  return Array.from({ length: 3_000 }, (_, index) => index + 1)
}
