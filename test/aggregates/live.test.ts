import { collection, type Session } from "kit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ANN: Session = { user: { id: "ann" } }
const BOB: Session = { user: { id: "bob" } }

const buyers = collection("buyers")
  .fields(({ f }) => ({ name: f.text().required(), city: f.text() }))
  .access({ read: true, update: true })

const orders = collection("orders")
  .fields(({ f }) => ({
    owner: f.text().required(),
    status: f.select(["open", "paid"]).default("open"),
    total: f.number().decimal(8, 2),
    points: f.number().bigint(),
    at: f.datetime(),
    margin: f.number().access({ read: ({ session }) => session !== null && { owner: session.user.id } }),
    buyer: f.relation("buyers").onDelete("setNull"),
  }))
  .options({ timestamps: false })
  .access({ read: ({ session }) => session !== null && { owner: session.user.id } })

const WAIT = { timeout: 60_000 }

let app: TestApp
let client: ReturnType<TestApp["client"]>
let records: Record<string, any>

beforeAll(async () => {
  app = await testApp({ resources: [buyers, orders] })
  records = app.app.system.collections
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query("truncate buyers, orders cascade")
  client = app.client(ANN)
})

afterEach(() => client.realtime.destroy())

/** Follows an aggregate, and waits until it shows a result. */
function follow(options: object) {
  const shown: unknown[] = []
  const errors: Error[] = []
  client.collections["orders"].aggregates.watch(options, (result: unknown) => shown.push(result), {
    onError: (error: Error) => errors.push(error),
  })
  return {
    shown,
    errors,
    shows: (result: unknown) => vi.waitFor(() => expect(shown.at(-1)).toEqual(result), WAIT),
  }
}

const order = (data: object = {}) => records["orders"].create({ owner: "ann", total: "1.00", ...data })

describe("a watched aggregate", () => {
  test("shows records that come, change and go", async () => {
    const sums = follow({ count: true, sum: { total: true } })
    await sums.shows({ count: 0, sum: { total: null } })

    const { id } = await order()
    await sums.shows({ count: 1, sum: { total: "1.00" } })
    await records["orders"].updateById({ id, data: { total: "2.50" } })
    await sums.shows({ count: 1, sum: { total: "2.50" } })
    await records["orders"].deleteById({ id })
    await sums.shows({ count: 0, sum: { total: null } })
  })

  test("shows a record that moves to another group", async () => {
    const { id } = await order({ at: "2026-01-31T23:30:00Z", points: 2n ** 62n })
    const months = follow({
      groupBy: { field: "at", by: "month", timeZone: "Europe/Berlin" },
      count: true,
      sum: { points: true },
    })
    const group = (at: string | null) => ({ key: { at }, count: 1, sum: { points: 2n ** 62n } })
    await months.shows({ groups: [group("2026-02-01")], hasMore: false })

    await records["orders"].updateById({ id, data: { at: null } })

    await months.shows({ groups: [group(null)], hasMore: false })
  })

  test("follows the filter, the conditions, the order and the limit", async () => {
    const groups = follow({
      where: { total: { gt: "0.50" } },
      groupBy: "status",
      count: true,
      having: { count: { gte: 2 } },
      orderBy: { count: "desc" },
      limit: 1,
    })
    await groups.shows({ groups: [], hasMore: false })

    for (const total of ["1.00", "2.00", "0.10"]) await order({ total })
    await groups.shows({ groups: [{ key: { status: "open" }, count: 2 }], hasMore: false })
    for (let more = 0; more < 3; more++) await order({ status: "paid" })
    await groups.shows({ groups: [{ key: { status: "paid" }, count: 3 }], hasMore: true })
  })

  test("follows related records that its filter names", async () => {
    const buyer = await records["buyers"].create({ name: "Eva", city: "Graz" })
    await order({ buyer: buyer.id })
    const inGraz = follow({ where: { buyer: { city: "Graz" } }, count: true })
    await inGraz.shows({ count: 1 })

    await records["buyers"].updateById({ id: buyer.id, data: { city: "Linz" } })

    await inGraz.shows({ count: 0 })
  })

  test("is not sent again for records that the caller may not read, nor for those that the filter leaves out", async () => {
    const sums = follow({ count: true, sum: { total: true }, where: { status: "open" } })
    await sums.shows({ count: 0, sum: { total: null } })

    const { id } = await order({ owner: "bob", total: "100.00" })
    await records["orders"].updateById({ id, data: { total: "200.00" } })
    await order({ status: "paid" })
    await order()
    await sums.shows({ count: 1, sum: { total: "1.00" } })

    expect(sums.shown).toEqual([
      { count: 0, sum: { total: null } },
      { count: 1, sum: { total: "1.00" } },
    ])
  })

  test("has only what its own caller may read, although another one follows the same options", async () => {
    const bob = app.client(BOB)
    const shownToBob: unknown[] = []
    bob.collections["orders"].aggregates.watch({ count: true }, (result: unknown) => shownToBob.push(result))
    const shownToAnn = follow({ count: true })
    await shownToAnn.shows({ count: 0 })

    await order()
    await shownToAnn.shows({ count: 1 })
    await order({ owner: "bob" })
    await vi.waitFor(() => expect(shownToBob.at(-1)).toEqual({ count: 1 }), WAIT)
    bob.realtime.destroy()

    expect(shownToAnn.shown).toEqual([{ count: 0 }, { count: 1 }])
    expect(shownToBob).toEqual([{ count: 0 }, { count: 1 }])
  })

  test("has the values that it requests, although the same statement answers others", async () => {
    await order()
    const options = { groupBy: "status", having: { count: { gte: 1 } }, orderBy: { count: "asc" } }
    const keys = follow(options)
    const counts = follow({ ...options, count: true })

    await keys.shows({ groups: [{ key: { status: "open" } }], hasMore: false })
    await counts.shows({ groups: [{ key: { status: "open" }, count: 1 }], hasMore: false })
  })

  test.each<[string, object, string]>([
    ["a field that a rule shows in some rows", { sum: { margin: true } }, "sum.margin"],
    ["a misspelt option", { cuont: true }, "cuont"],
    ["a page", { count: true, page: 2 }, "page"],
    ["an offset", { count: true, groupBy: "status", offset: 2 }, "offset"],
  ])("with %s ends with the error", async (_name, options, path) => {
    const { errors, shown } = follow(options)

    await vi.waitFor(() => expect(errors.map(({ message }) => message.split(":")[0])).toEqual([path]), WAIT)
    expect(shown).toEqual([])
  })
})

test("a topic names the operation and its options in `read`", async () => {
  await records["buyers"].create({ name: "Eva", city: "Graz" })
  const topic = { resourceType: "collection", resource: "buyers" }
  const read = { operation: "aggregate", groupBy: "city", count: true }
  await using stream = await openEvents({
    url: app.url,
    topics: [
      { ...topic, id: "groups", orderBy: { count: "desc" }, limit: 5, read },
      { ...topic, id: "unknown", read: { operation: "agregate", count: true } },
    ],
  })

  expect(await stream.next("error")).toMatchObject({ topicId: "unknown", code: "VALIDATION_ERROR" })
  expect(await stream.next("snapshot")).toMatchObject({
    topicId: "groups",
    data: { groups: [{ key: { city: "Graz" }, count: 1 }], hasMore: false },
  })
})
