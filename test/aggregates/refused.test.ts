// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const orders = collection("orders")
  .fields(({ f }) => ({
    name: f.text().required(),
    status: f.select(["open", "paid"]),
    price: f.number().decimal(10, 2),
    items: f.number().integer(),
    day: f.date(),
    at: f.datetime(),
    opens: f.time(),
    isGift: f.boolean(),
    tags: f.array(f.text()),
    data: f.json(),
    shout: f.computed<string>(({ row }) => String(row["name"]).toUpperCase()),
    buyers: f.relation("orders").manyToMany(),
    secret: f.number().hidden(),
    weight: f.number(),
  }))
  .access({ read: true })

const members = collection("members")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: ({ session }) => session !== null })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [orders, members] })
  const { collections } = app.app.system
  for (const weight of [1e308, 1e308]) await collections["orders"]?.create({ name: "heavy", weight, secret: 7 })
})

afterAll(() => app[Symbol.asyncDispose]())

const send = (body: unknown, path = "orders") =>
  app.fetch(`/_kit/aggregate/${path}`, { method: "POST", body: JSON.stringify(body) })

const BY_STATUS = { groupBy: "status", count: true }
const BY_DAY = { field: "at", by: "day" }

test.each<[string, object, path: string, message: string]>([
  ["nothing to compute", {}, "", "Name what to compute"],
  ["an unknown option", { cuont: true }, "cuont", 'Did you mean "count"?'],
  ["an option of find", { count: true, columns: { name: true } }, "columns", "no option"],
  ["count: false", { count: false }, "count", "Expected true"],
  ["a list of names", { sum: ["price"] }, "sum", "such as { price: true }"],
  ["a name", { sum: "price" }, "sum", "such as { price: true }"],
  ["no field", { sum: {} }, "sum", "at least one field"],
  ["a field that is not true", { sum: { price: 1 } }, "sum.price", "Expected true"],
  ["an unknown field", { sum: { prise: true } }, "sum.prise", 'Did you mean "price"?'],
  ["a hidden field", { sum: { secret: true } }, "sum.secret", 'no field "secret"'],
  ["the sum of texts", { sum: { name: true } }, "sum.name", "has no sum"],
  ["the sum of dates", { sum: { day: true } }, "sum.day", "has no sum"],
  ["the average of options", { avg: { status: true } }, "avg.status", "has no average"],
  ["the least boolean", { min: { isGift: true } }, "min.isGift", "no least value"],
  ["the greatest id", { max: { id: true } }, "max.id", "no greatest value"],
  ["the greatest list", { max: { tags: true } }, "max.tags", "no greatest value"],
  ["the greatest JSON", { max: { data: true } }, "max.data", "no greatest value"],
  ["a computed field", { max: { shout: true } }, "max.shout", "no greatest value"],
  ["a relation to many records", { max: { buyers: true } }, "max.buyers", "buyers"],
  ["groups by nothing", { groupBy: null }, "groupBy", "Expected the name of a field"],
  ["groups by no field", { groupBy: [] }, "groupBy", "one to 5 fields"],
  ["groups by many fields", { groupBy: ["name", "status", "price", "items", "day", "at"] }, "groupBy", "one to 5"],
  ["groups by a field twice", { groupBy: ["at", BY_DAY] }, "groupBy.1", "twice"],
  ["groups by an unknown field", { groupBy: "stauts" }, "groupBy", 'Did you mean "status"?'],
  ["groups by a hidden field", { groupBy: ["status", "secret"] }, "groupBy.1", 'no field "secret"'],
  ["groups by JSON", { groupBy: "data" }, "groupBy", "cannot be grouped by"],
  ["groups by a computed field", { groupBy: "shout" }, "groupBy", "cannot be grouped by"],
  ["groups by a number", { groupBy: 5 }, "groupBy", "Expected the name of a field"],
  ["a misspelt member", { groupBy: { ...BY_DAY, timezone: "UTC" } }, "groupBy.timezone", 'Did you mean "timeZone"?'],
  ["no field of periods", { groupBy: { by: "day" } }, "groupBy.field", "Expected the name of a field"],
  ["an unknown period", { groupBy: { field: "at", by: "hour" } }, "groupBy.by", "day, week, month, year"],
  ["periods of numbers", { groupBy: { field: "items", by: "day" } }, "groupBy.by", "no periods"],
  ["periods of times", { groupBy: { field: "opens", by: "day" } }, "groupBy.by", "no periods"],
  ["a zone without periods", { groupBy: { field: "at", timeZone: "UTC" } }, "groupBy.timeZone", "Only periods"],
  ["a zone of dates", { groupBy: { field: "day", by: "week", timeZone: "UTC" } }, "groupBy.timeZone", "Leave the"],
  ["having without groups", { count: true, having: { count: 1 } }, "having", "Without groupBy"],
  ["an order without groups", { count: true, orderBy: { count: "asc" } }, "orderBy", "Without groupBy"],
  ["a limit without groups", { count: true, limit: 5 }, "limit", "Without groupBy"],
  ["having nothing", { ...BY_STATUS, having: {} }, "having", "Expected conditions"],
  ["having a list", { ...BY_STATUS, having: [] }, "having", "Expected conditions"],
  ["having something else", { ...BY_STATUS, having: { cuont: 1 } }, "having.cuont", 'Did you mean "count"?'],
  ["having AND", { ...BY_STATUS, having: { AND: [{ count: 1 }] } }, "having.AND", "not computed"],
  ["having a sum of nothing", { ...BY_STATUS, having: { sum: {} } }, "having.sum", "conditions by field"],
  ["having a bare sum", { ...BY_STATUS, having: { sum: 5 } }, "having.sum", "conditions by field"],
  ["having a sum of texts", { ...BY_STATUS, having: { sum: { name: 5 } } }, "having.sum.name", "has no sum"],
  ["having a hidden sum", { ...BY_STATUS, having: { sum: { secret: 5 } } }, "having.sum.secret", "no field"],
  ["another operator", { ...BY_STATUS, having: { count: { gtt: 1 } } }, "having.count.gtt", 'Did you mean "gt"?'],
  [
    "an operand of another type",
    { ...BY_STATUS, having: { count: { gt: "many" } } },
    "having.count.gt",
    "whole number",
  ],
  [
    "a decimal as text",
    { ...BY_STATUS, having: { sum: { price: "1e5" } } },
    "having.sum.price",
    "string of its digits",
  ],
  ["an order by nothing", { ...BY_STATUS, orderBy: "count" }, "orderBy", "such as"],
  ["another direction", { ...BY_STATUS, orderBy: { count: "down" } }, "orderBy.count", '"asc" or "desc"'],
  ["an order by another field", { ...BY_STATUS, orderBy: { name: "asc" } }, "orderBy.name", "Groups have no"],
  ["an order by a bare sum", { ...BY_STATUS, orderBy: { sum: "asc" } }, "orderBy.sum", "Expected the field"],
  ["an order by a hidden sum", { ...BY_STATUS, orderBy: { sum: { secret: "asc" } } }, "orderBy.sum.secret", "no field"],
  ["a limit of 0", { ...BY_STATUS, limit: 0 }, "limit", "from 1 to 1000"],
  ["a limit of 1001", { ...BY_STATUS, limit: 1001 }, "limit", "from 1 to 1000"],
  ["a filter with a mistake", { count: true, where: { stauts: "open" } }, "where.stauts", 'Did you mean "status"?'],
  ["all locales", { count: true, locale: "*" }, "locale", "Name it"],
  ["a stage that does not exist", { count: true, stage: "draft" }, "stage", "no stages"],
  ["deleted records of none", { count: true, includeDeleted: true }, "includeDeleted", "keeps no deleted records"],
])("%s is 400 with the path and a remedy", async (_name, options, path, message) => {
  const { status, body } = await send(options)

  expect({ status, error: body.error }).toMatchObject({
    status: 400,
    error: { code: "VALIDATION_ERROR", fieldErrors: [{ path, message: expect.stringContaining(message) }] },
  })
})

test.each([
  "Mars/Olympus",
  "CET",
  "+02:00",
  "Europe/Berlin'; select 1",
  "UTC+5",
  "",
  "posix/Europe/Berlin",
  5,
  { toString: 1 },
])("the time zone %j is refused", async (timeZone) => {
  const { status, body } = await send({ groupBy: { ...BY_DAY, timeZone }, count: true })

  expect(status).toBe(400)
  expect(body.error.fieldErrors).toEqual([
    { path: "groupBy.timeZone", message: expect.stringContaining("Europe/Berlin") },
  ])
})

test("every time zone that is accepted is known to Postgres", async () => {
  const zones = [...Intl.supportedValuesOf("timeZone"), "UTC", "Etc/GMT+5", "europe/berlin", "US/Pacific"]

  for (const timeZone of zones) {
    const { status, body } = await send({ groupBy: { ...BY_DAY, timeZone }, count: true })
    expect({ timeZone, status, error: body.error }).toMatchObject({ timeZone, status: 200 })
  }
})

test("a number beyond its type is refused, and not an error of the server", async () => {
  const { status, body } = await send({ sum: { weight: true } })

  expect({ status, error: body.error }).toMatchObject({ status: 400, error: { code: "VALIDATION_ERROR" } })
})

test("a sum of integers that a number cannot hold exactly is refused", async () => {
  const large = collection("large")
    .fields(({ f }) => ({ items: f.number().integer() }))
    .access({ read: true })
  await using other = await testApp({ resources: [large] })
  for (const items of [1, 2]) await other.app.system.collections["large"]?.create({ items })
  // A newer version of the app may have widened the column while this one still runs.
  await other.database.query("alter table large alter column items type bigint")
  await other.database.query("update large set items = 9007199254740991")

  const answer = await other.fetch("/_kit/aggregate/large?sum[items]=true")
  const least = await other.fetch("/_kit/aggregate/large?min[items]=true")

  expect({ status: answer.status, ...answer.body.error }).toMatchObject({
    status: 400,
    fieldErrors: [{ path: "sum.items", message: expect.stringContaining("bigint") }],
  })
  expect(least.body).toEqual({ min: { items: 9007199254740991 } })
})

test("a request that computes too many values is refused", async () => {
  const every = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, true]))
  const wide = collection("wide")
    .fields(({ f }) => Object.fromEntries(Object.keys(every).map((name) => [name, f.number()])))
    .access({ read: true })
  await using other = await testApp({ resources: [wide] })

  const answer = await other.fetch("/_kit/aggregate/wide", { method: "POST", body: JSON.stringify({ sum: every }) })

  expect({ status: answer.status, ...answer.body.error }).toMatchObject({
    status: 400,
    fieldErrors: [{ path: "sum.n50", message: expect.stringContaining("at most 50") }],
  })
})

describe("the endpoint", () => {
  test("of a collection that does not exist is 404", async () => {
    expect((await send({ count: true }, "nothing")).status).toBe(404)
    expect((await app.fetch("/_kit/aggregate/nothing?count=true")).status).toBe(404)
    expect((await app.fetch("/_kit/aggregate")).status).toBe(404)
  })

  test("refuses callers who may read nothing, before it looks at the fields that they name", async () => {
    expect((await send({ sum: { nmae: true } }, "members")).status).toBe(401)
    expect((await app.fetch("/_kit/aggregate/members?count=true")).status).toBe(401)
  })

  test.each([
    ["a list", []],
    ["a text", "count"],
    ["null", null],
  ])("refuses %s as a body", async (_name, body) => {
    expect((await send(body)).status).toBe(400)
  })

  test("takes its options in one place", async () => {
    expect((await send({ count: true }, "orders?count=true")).status).toBe(400)
    expect((await app.fetch("/_kit/aggregate/orders", { method: "PATCH" })).status).toBe(405)
  })
})
