// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const things = collection("things")
  .fields(({ f }) => ({
    title: f.text(),
    double: f.number(),
    whole: f.number().integer(),
    big: f.number().bigint(),
    money: f.number().decimal(6, 2),
    flag: f.boolean(),
    at: f.datetime(),
    kind: f.select(["red", "green"]),
    data: f.json(),
    secret: f.text().hidden(),
  }))
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [things] })
})

afterAll(() => app[Symbol.asyncDispose]())

describe("a query string", () => {
  test.each([
    ["where[tilte]=x", "where.tilte", 'There is no field "tilte". Did you mean "title"?'],
    ["where[secret]=x", "where.secret", 'There is no field "secret".'],
    ["where[title][startswith]=x", "where.title.startswith", 'Did you mean "startsWith"?'],
    ["where[title][gt]=x", "where.title.gt", 'The field "title" has no operator "gt".'],
    ["where[flag][contains]=x", "where.flag.contains", 'has no operator "contains"'],
    ["where[data][in][]=1", "where.data.in", 'has no operator "in"'],
    ["where[double]=one", "where.double", "Expected a number."],
    ["where[double]=", "where.double", "Expected a number."],
    ["where[double]=0x10", "where.double", "Expected a number."],
    ["where[double]=1e999", "where.double", "Expected a number."],
    ["where[double]=NaN", "where.double", "Expected a number."],
    ["where[whole]=1.5", "where.whole", "Expected a whole number of 32 bits."],
    ["where[whole]=2147483648", "where.whole", "Expected a whole number of 32 bits."],
    ["where[big]=9223372036854775808", "where.big", "Expected a whole number of 64 bits"],
    ["where[big]=1e3", "where.big", "Expected a whole number of 64 bits"],
    ["where[money]=0.001", "where.money", "Expected a decimal with at most 6 digits, 2 of them after the point."],
    ["where[money]=12345", "where.money", "Expected a decimal"],
    ["where[flag]=yes", "where.flag", "Expected true or false."],
    ["where[flag]=1", "where.flag", "Expected true or false."],
    ["where[at]=tomorrow", "where.at", "Expected a date and time"],
    ["where[at]=2026-02-30", "where.at", "Expected a date and time"],
    ["where[at]=2026-01-01T00:00", "where.at", "Expected a date and time"],
    ["where[kind]=blue", "where.kind", "Expected one of: red, green."],
    ["where[id]=7", "where.id", "Expected the id of a record."],
    ["where[data]=two", "where.data", "Expected JSON text."],
    ["where[data][path]=[]", "where.data.path", "Expected an object such as"],
    ['where[data][path]={"eq":1}', "where.data.path.at", "Expected a path"],
    ['where[data][path]={"at":"a"}', "where.data.path", "Expected one of eq, ne, gt, gte, lt, lte"],
    ['where[data][path]={"at":"a","eqq":1}', "where.data.path.eqq", 'Did you mean "eq"?'],
    ["where[title][in]=x", "where.title.in", "Expected a list of values."],
    ["where[title][eq][]=x", "where.title.eq", "Expected a single value."],
    ["where[title][]=x", "where.title", "Expected a single value."],
    ["where[whole][in][]=1&where[whole][in][]=x", "where.whole.in.1", "Expected a whole number"],
    ["where[whole][between][]=1", "where.whole.between", "Expected two values"],
    ["where[whole][between]=1", "where.whole.between", "Expected a list of values."],
    ["where[title][isNull]=1", "where.title.isNull", "Expected true or false."],
    ["where[title][isNull]=", "where.title.isNull", "Expected true or false."],
    ["where[title][like]=a\\", "where.title.like", "must not end with a single backslash"],
    [`where[title][like]=${"%25a".repeat(17)}`, "where.title.like", "at most 16 wildcards"],
    ["where=x", "where", "Expected an object of conditions."],
    ["where[]=x", "where", "Expected an object of conditions."],
    ["where[AND][title]=x", "where.AND", "Expected a list of conditions."],
    ["where[OR]=x", "where.OR", "Expected a list of conditions."],
    ["where[OR][]=x", "where.OR.0", "Expected an object of conditions."],
    ["where[NOT][]=x", "where.NOT", "Expected an object of conditions."],
    ["where[NOT]=x", "where.NOT", "Expected an object of conditions."],
    ["where[OR][0][NOT][tilte]=x", "where.OR.0.NOT.tilte", 'Did you mean "title"?'],
  ])("%s is refused with its path", async (query, path, message) => {
    const answer = await app.fetch(`/things?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe("a call in process", () => {
  test.each<[string, unknown, string]>([
    ["a missing value", { title: undefined }, "where.title"],
    ["a missing operand", { title: { eq: undefined } }, "where.title.eq"],
    ["no operator", { title: {} }, "where.title"],
    ["null in a list", { title: { in: [null] } }, "where.title.in.0"],
    ["null where a value is compared", { whole: { gt: null } }, "where.whole.gt"],
    ["a number for text", { title: 1 }, "where.title"],
    ["text for a number", { whole: "1" }, "where.whole"],
    ["not a number", { double: Number.NaN }, "where.double"],
    ["text for a boolean", { flag: "true" }, "where.flag"],
    ["a date that is none", { at: new Date("x") }, "where.at"],
    ["a date for text", { title: new Date() }, "where.title"],
    ["an empty text for a list", { title: { in: "" } }, "where.title.in"],
    ["an empty text for a filter", "", "where"],
    ["null for a filter", null, "where"],
    ["a list for a filter", [], "where"],
    ["an object for a list", { AND: {} }, "where.AND"],
    ["null for a negation", { NOT: null }, "where.NOT"],
    ["U+0000", { title: { contains: "a\0" } }, "where.title.contains"],
    ["half a surrogate pair", { title: "\ud800" }, "where.title"],
    ["a Map", { title: new Map() }, "where.title"],
  ])("with %s is refused with its path", async (_name, where, path) => {
    const found = app.app.system.collections["things"]?.find({ where: where as Record<string, unknown> })

    await expect(found).rejects.toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path }] })
  })

  test("with more than 500 conditions is refused, and with 500 it is answered", async () => {
    const conditions = (count: number) => ({ OR: Array.from({ length: count }, () => ({ whole: 1 })) })
    const count = (size: number) => app.app.system.collections["things"]?.count({ where: conditions(size) })

    await expect(count(499)).resolves.toBe(0)
    await expect(count(10_000)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })

  test("takes a list of 10,000 values and no more", async () => {
    const numbers = Array.from({ length: 10_001 }, (_, index) => index)
    const count = (list: number[]) => app.app.system.collections["things"]?.count({ where: { whole: { in: list } } })

    await expect(count(numbers.slice(1))).resolves.toBe(0)
    await expect(count(numbers)).rejects.toMatchObject({ fieldErrors: [{ path: "where.whole.in" }] })
  })
})
