import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true } as const

const things = collection("things")
  .fields(({ f }) => ({
    text: f.text(5).min(2),
    filled: f.text().trim().min(1),
    code: f
      .text()
      .pattern(/^[a-z]+$/)
      .trim()
      .lowercase(),
    area: f.textarea(),
    double: f.number().min(-1.5).max(1.5),
    whole: f.number().integer(),
    big: f.number().bigint().min(-10n),
    money: f.number().decimal(6, 2).max(1000),
    fraction: f.number().decimal(2, 2),
    flag: f.boolean(),
    at: f.datetime(),
    kind: f.select(["red", "green"]),
    data: f.json(),
    owner: f.relation("things"),
    slug: f.text().unique(),
  }))
  .access(everyone)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [things] })
})

afterAll(() => app[Symbol.asyncDispose]())

const post = (body: unknown) => app.fetch("/things", { method: "POST", body: JSON.stringify(body) })

describe("a value that fits is stored and answered", () => {
  test.each<[field: string, given: unknown, answered?: unknown]>([
    ["text", "ab"],
    ["text", "12345"],
    ["code", "  ABC \n", "abc"],
    ["area", ""],
    ["area", "line\r\nline\t💚"],
    ["double", -1.5],
    ["double", 0.1],
    ["double", 5e-324],
    ["whole", -2_147_483_648],
    ["whole", 2_147_483_647],
    ["big", "9223372036854775807"],
    ["big", -10, "-10"],
    ["money", "999.99"],
    ["money", 1, "1.00"],
    ["money", "-0001.5", "-1.50"],
    ["fraction", "0.99"],
    ["fraction", "-0.5", "-0.50"],
    ["flag", false],
    ["at", "2026-05-04", "2026-05-04T00:00:00.000Z"],
    ["at", "2026-05-04T10:30:00.123456+02:00", "2026-05-04T08:30:00.123Z"],
    ["at", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["at", "9999-12-31T23:59:59.999Z"],
    ["kind", "green"],
    ["data", { a: [1, "x", null, true, { b: -0.5 }] }],
    ["data", []],
    ["data", ""],
    ["data", false],
    ["data", 0],
  ])("%s: %j", async (field, given, answered = given) => {
    const created = await post({ [field]: given })
    const read = await app.fetch(`/things/${created.body.id}`)

    expect(created.status).toBe(201)
    expect(created.body[field]).toEqual(answered)
    expect(read.body[field]).toEqual(answered)
  })
})

describe("a value that does not fit is 400 with its field and the reason", () => {
  test.each<[field: string, given: unknown, message: string]>([
    ["text", "a", "Must have at least 2 characters."],
    ["filled", " ", "Must not be empty."],
    ["text", "123456", "Must have at most 5 characters."],
    ["text", 12, "Expected text."],
    ["text", ["ab"], "Expected text."],
    ["text", "a\0b", "Must not contain the character U+0000."],
    ["text", "a\ud800", "Must be well-formed Unicode."],
    ["code", "a1", "Must match /^[a-z]+$/."],
    ["code", "   ", "Must match /^[a-z]+$/."],
    ["double", -1.6, "Must be at least -1.5."],
    ["double", 2, "Must be at most 1.5."],
    ["double", "1", "Expected a number."],
    ["double", true, "Expected a number."],
    ["whole", 1.5, "Expected a whole number of 32 bits."],
    ["whole", 2_147_483_648, "Expected a whole number of 32 bits."],
    ["whole", -2_147_483_649, "Expected a whole number of 32 bits."],
    ["big", "9223372036854775808", "Expected a whole number of 64 bits"],
    ["big", 2 ** 53, "Expected a whole number of 64 bits"],
    ["big", "1.0", "Expected a whole number of 64 bits"],
    ["big", "-11", "Must be at least -10."],
    ["money", "10000", "Expected a decimal with at most 6 digits, 2 of them after the point."],
    ["money", "0.001", "Expected a decimal"],
    ["money", "1e2", "Expected a decimal"],
    ["money", "1001", "Must be at most 1000."],
    ["fraction", "1", "Expected a decimal with at most 2 digits, 2 of them after the point."],
    ["flag", "true", "Expected true or false."],
    ["flag", 1, "Expected true or false."],
    ["at", "2026-02-30", "Expected a date and time such as 2026-05-04T10:30:00Z."],
    ["at", "2026-05-04T10:30:00", "Expected a date and time"],
    ["at", "2026-05-04T25:00:00Z", "Expected a date and time"],
    ["at", "2026-05-04T10:30:00+99:99", "Expected a date and time"],
    ["at", "10000-01-01T00:00:00Z", "Expected a date and time"],
    ["at", 1_700_000_000_000, "Expected a date and time"],
    ["kind", "blue", "Expected one of: red, green."],
    ["kind", ["red"], "Expected one of: red, green."],
    ["data", { a: "\0" }, "Must not contain the character U+0000."],
    ["data", { "\ud800": 1 }, "Must be well-formed Unicode."],
    ["owner", "7", "Expected the id of a record."],
    ["owner", { connect: { id: "7" } }, "Expected the id of a record, or one of { connect: { id } }"],
    ["owner", { connect: {} }, "Expected the id of a record, or one of { connect: { id } }"],
    ["owner", { make: {} }, "Expected the id of a record, or one of { connect: { id } }"],
    ["owner", [], "Expected the id of a record, or one of { connect: { id } }"],
  ])("%s: %j", async (field, given, message) => {
    const answer = await post({ [field]: given })

    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe("VALIDATION_ERROR")
    expect(answer.body.error.fieldErrors).toEqual([{ path: field, message: expect.stringContaining(message) }])
  })

  test("data that is nested too deep", async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

    const fits = await post({ data: nested(20) })
    const deep = await post({ data: nested(21) })

    expect(fits.status).toBe(201)
    expect(deep).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "data" }] } } })
  })

  test("text that is too long for the index that keeps it unique", async () => {
    const text = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join("")

    const long = await post({ slug: text(2000) })
    const longer = await post({ slug: text(9000) })

    expect(long).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "slug" }] } } })
    expect(longer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })

  test("values that only code can give", async () => {
    const create = (data: Record<string, unknown>) => app.app.system.collections["things"]?.create(data)

    for (const [field, value] of [
      ["double", Number.NaN],
      ["double", Number.POSITIVE_INFINITY],
      ["double", 1n],
      ["at", new Date("x")],
      ["data", new Map()],
      ["data", { when: new Date() }],
      ["data", { a: undefined }],
      ["data", [1n]],
      ["text", Symbol("x")],
    ] as const) {
      await expect(create({ [field]: value })).rejects.toMatchObject({ fieldErrors: [{ path: field }] })
    }
  })

  test("values that only code can give and that fit", async () => {
    const at = new Date("2026-05-04T10:30:00.123Z")

    const record = await app.app.system.collections["things"]?.create({ at, big: 12n, text: undefined })

    expect(record).toMatchObject({ at, big: 12n, text: null })
  })
})

describe("validate", () => {
  // A minimal schema of the Standard Schema interface.
  const standard = (check: (value: unknown) => string[] | Promise<string[]>) => ({
    "~standard": {
      version: 1 as const,
      vendor: "hand-made",
      validate: (value: unknown) => {
        const result = check(value)
        const toResult = (messages: string[]) =>
          messages.length === 0 ? { value } : { issues: messages.map((message) => ({ message, path: ["x"] })) }
        return result instanceof Promise ? result.then(toResult) : toResult(result)
      },
    },
  })

  const checked = collection("checked")
    .fields(({ f }) => ({
      even: f.number().validate((value) => value % 2 === 0 || "Must be even."),
      later: f.text().validate((value) => Promise.resolve(value !== "no" || "Must not be no.")),
      schema: f.text().validate(standard((value) => (value === "ok" ? [] : ["Must be ok.", "Really."]))),
      asyncSchema: f.text().validate(standard((value) => Promise.resolve(value === "ok" ? [] : ["Must be ok."]))),
      both: f
        .text()
        .trim()
        .validate((value) => value.length > 2 || "Too short.")
        .validate((value) => value.startsWith("a") || "Must start with a."),
      broken: f.text().validate(() => undefined as never),
    }))
    .access(everyone)

  test("functions and schemas are asked with the parsed value, and all their problems are reported", async () => {
    await using other = await testApp({ resources: [checked] })
    const send = (body: object) => other.fetch("/checked", { method: "POST", body: JSON.stringify(body) })

    const good = await send({ even: 2, later: "yes", schema: "ok", asyncSchema: "ok", both: " abc " })
    const bad = await send({ even: 3, later: "no", schema: "x", asyncSchema: "x", both: " b ", broken: "x" })
    const empty = await send({ even: null, schema: null })

    expect(good).toMatchObject({ status: 201, body: { both: "abc" } })
    expect(empty.status).toBe(201)
    expect(bad.body.error.fieldErrors).toEqual([
      { path: "even", message: "Must be even." },
      { path: "later", message: "Must not be no." },
      { path: "schema", message: "Must be ok. Really." },
      { path: "asyncSchema", message: "Must be ok." },
      { path: "both", message: "Too short." },
      { path: "both", message: "Must start with a." },
      { path: "broken", message: "Is not valid." },
    ])
  })

  test("a change is validated like a create", async () => {
    await using other = await testApp({ resources: [checked] })
    const { body } = await other.fetch("/checked", { method: "POST", body: '{"even":2}' })

    const answer = await other.fetch(`/checked/${body.id}`, { method: "PATCH", body: '{"even":3,"later":"no"}' })

    expect(answer.body.error.fieldErrors.map((error: any) => error.path)).toEqual(["even", "later"])
  })

  test("a default that a function makes is checked too", async () => {
    const made = collection("made")
      .fields(({ f }) => ({
        number: f
          .number()
          .max(5)
          .default(() => 9),
        name: f.text(),
      }))
      .access(everyone)
    await using other = await testApp({ resources: [made] })

    const answer = await other.fetch("/made", { method: "POST", body: "{}" })

    expect(answer.body.error.fieldErrors).toEqual([{ path: "number", message: "Must be at most 5." }])
  })
})
