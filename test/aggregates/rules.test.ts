// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ANN: Session = { user: { id: "ann", role: "seller" } }
const BOB: Session = { user: { id: "bob", role: "seller" } }
const EVA: Session = { user: { id: "eva", role: "admin" } }

const isAdmin = ({ session }: { session: Session | null }) => session?.user.role === "admin"

const seen: string[] = []

const sales = collection("sales")
  .fields(({ f }) => ({
    owner: f.text().required(),
    region: f.text(),
    price: f.number().decimal(10, 2),
    cost: f.number().decimal(10, 2).access({ read: isAdmin }),
    margin: f
      .number()
      .decimal(10, 2)
      .access({ read: ({ session }) => session !== null && { owner: session.user.id } }),
    bonus: f.number().access({ read: false }),
    secret: f.number().hidden(),
    // It fails in rows of others, whose prices may be zero.
    ratio: f.virtual(f.number(), '1 / "price"'),
  }))
  .access({ read: ({ session }) => session !== null && (isAdmin({ session }) || { owner: session.user.id }) })
  .hooks({ beforeRead: ({ operation }) => void seen.push(operation) })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), size: f.number().integer() }))
  .options({ softDelete: true })
  .access({ read: true, delete: isAdmin })

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    size: f.number().integer(),
    price: f.number().decimal(8, 2).localized(),
    label: f.text().localized(),
    note: f.text().access({ read: ({ session }) => session !== null && { title: "one" } }),
  }))
  .options({ workflow: true })
  .access({ read: true, drafts: isAdmin })

let app: TestApp

beforeAll(async () => {
  const locales = { default: "en", all: ["en", "de"] }
  app = await testApp({ resources: [sales, notes, pages], config: { locales } })
  const { collections } = app.app.system
  const rows = [
    { owner: "ann", region: "north", price: "10.00", cost: "4.00", margin: "6.00", bonus: 1, secret: 1 },
    { owner: "ann", region: "south", price: "20.00", cost: "5.00", margin: "15.00", bonus: 2, secret: 2 },
    { owner: "bob", region: "north", price: "1.00", cost: "0.00", margin: "0.00", bonus: 4, secret: 4 },
  ]
  for (const row of rows) await collections["sales"]?.create(row)
  await app.database.query("update sales set price = 0 where owner = 'bob'")
})

afterAll(() => app[Symbol.asyncDispose]())

const aggregate = (name: string, options: object, session?: Session) =>
  app.client(session).collections[name].aggregate(options)

const refusal = (path: string, message: string) => ({
  status: 400,
  code: "VALIDATION_ERROR",
  fieldErrors: [{ path, message: expect.stringContaining(message) }],
})

describe("the rows", () => {
  test("are those that the caller may read", async () => {
    const options = { groupBy: "region", count: true, sum: { price: true } } as const

    expect(await aggregate("sales", options, ANN)).toEqual({
      groups: [
        { key: { region: "north" }, count: 1, sum: { price: "10.00" } },
        { key: { region: "south" }, count: 1, sum: { price: "20.00" } },
      ],
      hasMore: false,
    })
    expect(await aggregate("sales", options, BOB)).toEqual({
      groups: [{ key: { region: "north" }, count: 1, sum: { price: "0.00" } }],
      hasMore: false,
    })
    expect(await aggregate("sales", { count: true, max: { price: true } }, EVA)).toEqual({
      count: 3,
      max: { price: "20.00" },
    })
    await expect(aggregate("sales", { count: true })).rejects.toMatchObject({ status: 401 })
  })

  test("of others are not even computed with", async () => {
    expect(await aggregate("sales", { sum: { ratio: true } }, ANN)).toEqual({ sum: { ratio: 0.1 + 0.05 } })
    const having = { sum: { ratio: { gt: 0.06 } } }
    expect(await aggregate("sales", { groupBy: "region", having, orderBy: { max: { ratio: "asc" } } }, ANN)).toEqual({
      groups: [{ key: { region: "north" } }],
      hasMore: false,
    })
  })

  test("that a filter names outside of these do not count", async () => {
    expect(await aggregate("sales", { count: true, where: { owner: "bob" } }, ANN)).toEqual({ count: 0 })
  })

  test("are read after the hooks of a read", async () => {
    seen.length = 0

    await aggregate("sales", { count: true }, ANN)

    expect(seen).toEqual(["count"])
  })
})

// Every place that can name a field.
const PLACES: readonly [place: string, options: (name: string) => object, path: (name: string) => string][] = [
  ["sum", (name) => ({ sum: { [name]: true } }), (name) => `sum.${name}`],
  ["avg", (name) => ({ avg: { [name]: true } }), (name) => `avg.${name}`],
  ["min", (name) => ({ min: { [name]: true } }), (name) => `min.${name}`],
  ["max", (name) => ({ max: { [name]: true } }), (name) => `max.${name}`],
  ["groupBy", (name) => ({ groupBy: name, count: true }), () => "groupBy"],
  ["groupBy in a list", (name) => ({ groupBy: ["region", { field: name }], count: true }), () => "groupBy.1.field"],
  ["having", (name) => ({ groupBy: "region", having: { sum: { [name]: { gt: 1 } } } }), (name) => `having.sum.${name}`],
  ["orderBy", (name) => ({ groupBy: "region", orderBy: { max: { [name]: "asc" } } }), (name) => `orderBy.max.${name}`],
]

describe.each(PLACES)("a field in %s", (_place, options, path) => {
  test("that a rule shows in some rows is refused", async () => {
    for (const session of [ANN, EVA]) {
      await expect(aggregate("sales", options("margin"), session)).rejects.toMatchObject(
        refusal(path("margin"), "only in some records"),
      )
    }
  })

  test("that a rule hides from the caller is one that does not exist", async () => {
    for (const name of ["cost", "bonus", "secret", "margni"]) {
      await expect(aggregate("sales", options(name), ANN)).rejects.toMatchObject(
        refusal(path(name), `There is no field "${name}"`),
      )
    }
  })

  test("that a rule shows to the caller is as any other", async () => {
    expect(await aggregate("sales", options("cost"), EVA)).toBeDefined()
  })

  test("is known to system code", async () => {
    for (const name of ["margin", "bonus", "secret"]) {
      expect(await app.app.system.collections["sales"]?.aggregate(options(name))).toBeDefined()
    }
  })
})

test("a filter may name a field that a rule shows in some rows, as that of a list may", async () => {
  expect(await aggregate("sales", { count: true, where: { margin: { gt: "1.00" } } }, EVA)).toEqual({ count: 0 })
  expect(await aggregate("sales", { count: true, where: { margin: { gt: "1.00" } } }, ANN)).toEqual({ count: 2 })
})

describe("soft delete", () => {
  test("leaves deleted records out, unless they are requested by who may delete", async () => {
    const own = app.app.system.collections["notes"]
    for (const size of [1, 2, 4]) await own?.create({ text: "note", size })
    await own?.deleteMany({ where: { size: 4 } })
    const options = { sum: { size: true } }

    expect(await aggregate("notes", options)).toEqual({ sum: { size: 3 } })
    expect(await aggregate("notes", { ...options, includeDeleted: true }, EVA)).toEqual({ sum: { size: 7 } })
    await expect(aggregate("notes", { ...options, includeDeleted: true }, ANN)).rejects.toMatchObject({ status: 403 })
  })
})

describe("stages and locales", () => {
  beforeAll(async () => {
    const own = app.app.system.collections["pages"]
    const rows = [
      { title: "one", size: 1, price: "1.00", label: "first" },
      { title: "two", size: 2, price: "2.00", label: "second" },
    ]
    for (const row of rows) {
      const { id } = await (own as any).create(row)
      await own?.transitionStage({ id: String(id), stage: "published" })
      await own?.updateById({ id: String(id), data: { size: 10 * row.size } })
      if (row.size === 1)
        await own?.updateById({ id: String(id), data: { price: "5.50", label: "erste" } }, { locale: "de" })
    }
    await own?.create({ title: "three", size: 40, price: "4.00" })
  })

  test("callers without a right to drafts see what is public, and others the working copies", async () => {
    const options = { count: true, sum: { size: true } } as const

    expect(await aggregate("pages", options)).toEqual({ count: 2, sum: { size: 3 } })
    expect(await aggregate("pages", options, EVA)).toEqual({ count: 3, sum: { size: 70 } })
    expect(await aggregate("pages", { ...options, stage: "published" }, EVA)).toEqual({ count: 2, sum: { size: 3 } })
    await expect(aggregate("pages", { ...options, stage: "draft" }, ANN)).rejects.toMatchObject({ status: 403 })
  })

  test("the working copies can be grouped by whether they have changed", async () => {
    expect(await aggregate("pages", { groupBy: "stage", count: true }, EVA)).toMatchObject({
      groups: [
        { key: { stage: "draft" }, count: 1 },
        { key: { stage: "published" }, count: 2 },
      ],
    })
    // The comparison includes a field that a rule shows in one record.
    await expect(aggregate("pages", { groupBy: "changedSincePublished", count: true }, EVA)).rejects.toMatchObject(
      refusal("groupBy", "only in some records"),
    )
    expect(
      await app.app.system.collections["pages"]?.aggregate({ groupBy: "changedSincePublished", count: true }),
    ).toEqual({
      groups: [
        { key: { changedSincePublished: true }, count: 2 },
        { key: { changedSincePublished: null }, count: 1 },
      ],
      hasMore: false,
    })
  })

  test("localized values are those of the locale, with its fallback", async () => {
    const options = { sum: { price: true }, min: { label: true } } as const
    const inGerman = (more: object) => aggregate("pages", { ...options, locale: "de", ...more }, EVA)

    expect(await aggregate("pages", options, EVA)).toEqual({ sum: { price: "7.00" }, min: { label: "first" } })
    expect(await inGerman({})).toEqual({ sum: { price: "11.50" }, min: { label: "erste" } })
    expect(await inGerman({ localeFallback: false })).toEqual({ sum: { price: "5.50" }, min: { label: "erste" } })
    expect(await aggregate("pages", { groupBy: "label", locale: "de", where: { label: "erste" } }, EVA)).toEqual({
      groups: [{ key: { label: "erste" } }],
      hasMore: false,
    })
  })

  test("the locale is that of the client", async () => {
    const german = app.client(EVA)
    german.setLocale("de")

    expect(await german.collections["pages"].aggregate({ min: { label: true } })).toEqual({ min: { label: "erste" } })
  })
})

test("the costs of a filter are limited as in a list", async () => {
  const OR = Array.from({ length: 201 }, (_, index) => ({ size: index }))

  await expect(aggregate("notes", { count: true, where: { OR } })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("limits.filter.comparisonsPerRequest"),
  })
})
