// @module-tag installed-postgres

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const boss: Session = { user: { id: "boss", role: "boss" } }
const everyone = { read: true, create: true, update: true, delete: true } as const

const people = collection("people")
  .fields(({ f }) => ({
    first: f.text().required(),
    last: f.text().required(),
    pin: f.text().access({ read: ({ session }) => session?.user.role === "boss" }),
    boss: f.relation("people"),
    full: f.computed(({ row }: { row: { first: string; last: string } }) => `${row.first} ${row.last}`),
    seen: f.computed(({ row }) => Object.keys(row).sort()),
    letters: f.virtual(f.number().integer().required(), `length("first") + length("last")`),
    initials: f.virtual(f.text(), `left("first", 1) || '"' || left("last", 1)`),
    born: f.virtual(f.datetime(), `"createdAt" - interval '30 years'`).access({
      read: ({ session }) => session?.user.role === "boss",
    }),
  }))
  .title("initials")
  .access(everyone)

const products = collection("products")
  .fields(({ f }) => ({
    contact: f.email().lowercase(),
    page: f.url(),
    day: f.date(),
    opens: f.time(),
    colours: f.select(["red", "green", "blue"]).multiple().index(),
    tags: f.array(f.text(5).trim()).max(3).index(),
    sizes: f.array(f.number().integer()),
    codes: f.array(f.number().bigint()),
    prices: f.array(f.number().decimal(6, 2)),
    moments: f.array(f.datetime()),
    days: f.array(f.date()),
    times: f.array(f.time()),
    flags: f.array(f.boolean()),
    address: f.object({
      street: f.text(20).required(),
      city: f.text(),
      since: f.datetime(),
      number: f.number().bigint(),
      country: f.text().required().default("SK"),
      at: f.object({ lat: f.number().required().min(-90).max(90), lon: f.number().required() }),
    }),
    parts: f.array(f.object({ sku: f.text().required(), count: f.number().integer().default(1), made: f.datetime() })),
    body: f.richText(),
  }))
  .access(everyone)

const preset = collection("preset")
  .fields(({ f }) => ({
    contact: f.email().default("ann@example.com"),
    page: f.url().default("https://example.com"),
    day: f.date().default("2026-01-31"),
    opens: f.time().default("08:00"),
    colours: f.select(["red", "green"]).multiple().required().default(["green"]),
    tags: f
      .array(f.text())
      .required()
      .default(() => ["new"]),
    address: f.object({ street: f.text() }).required().default({ street: "Main" }),
    body: f.richText().required().default({ type: "doc", content: [] }),
  }))
  .access(everyone)

const site = global("site")
  .fields(({ f }) => ({
    name: f.text().required(),
    links: f.array(f.url()),
    shout: f.computed(({ row }: { row: { name: string } }) => row.name.toUpperCase()),
    size: f.virtual(f.number().integer(), `length("name")`),
  }))
  .access({ read: true, update: true })

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [people, products, preset, site] })
})
afterAll(() => app[Symbol.asyncDispose]())

const FULL = {
  contact: "Ann@Example.com",
  page: "https://example.com/a?b=c#d",
  day: "2024-02-29",
  opens: "10:30",
  colours: ["blue", "red"],
  tags: [" a", 'b"\\', "NULL"],
  sizes: [3, 1],
  codes: [9_007_199_254_740_993n, -1n],
  prices: ["1", "2.50"],
  moments: [new Date(0), new Date(1)],
  days: ["2024-02-29"],
  times: ["23:59:59"],
  flags: [true, false],
  address: { street: "Main", since: new Date(5), number: 7n, at: { lat: 48, lon: 17 } },
  parts: [
    { sku: "x", made: new Date(9) },
    { sku: "y", count: 2 },
  ],
  body: {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 1 }, content: [{ type: "text", text: "Hi", marks: [{ type: "strong" }] }] },
    ],
  },
}

const READ_BACK = {
  ...FULL,
  contact: "ann@example.com",
  opens: "10:30:00",
  tags: ["a", 'b"\\', "NULL"],
  prices: ["1.00", "2.50"],
  address: { street: "Main", city: null, since: new Date(5), number: 7n, country: "SK", at: { lat: 48, lon: 17 } },
  parts: [
    { sku: "x", count: 1, made: new Date(9) },
    { sku: "y", count: 2, made: null },
  ],
}

describe("values", () => {
  test("of every type come back from the client as they were given, normalised", async () => {
    const { collections } = app.client()

    const created = await collections["products"].create(FULL)
    const found = await collections["products"].findOne({ where: { id: created.id } })

    expect(created).toMatchObject(READ_BACK)
    expect(found).toEqual(created)
    await collections["products"].delete({ id: created.id })
  })

  test("are the same in process, and in plain JSON dates are text and big integers digits", async () => {
    const created = await app.app.as(null).collections["products"]?.create(FULL)

    const plain = await app.fetch(`/products/${created?.["id"]}`)

    expect(created).toMatchObject(READ_BACK)
    expect(plain.body).toMatchObject({
      day: "2024-02-29",
      codes: ["9007199254740993", "-1"],
      moments: ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.001Z"],
      address: { since: "1970-01-01T00:00:00.005Z", number: "7" },
    })
    await app.fetch(`/products/${created?.["id"]}`, { method: "DELETE" })
  })

  test("can be left out, set to null, and changed", async () => {
    const { collections } = app.client()
    const empty = await collections["products"].create({})
    const nulls = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]))
    expect(empty).toMatchObject(nulls)

    const filled = await collections["products"].update({ id: empty.id, data: { ...FULL, tags: [], parts: [] } })
    const emptied = await collections["products"].update({ id: empty.id, data: nulls })

    expect(filled).toMatchObject({ ...READ_BACK, tags: [], parts: [] })
    expect(emptied).toMatchObject(nulls)
    await collections["products"].delete({ id: empty.id })
  })

  test("have defaults", async () => {
    const created = await app.client().collections["preset"].create({})

    expect(created).toMatchObject({
      contact: "ann@example.com",
      page: "https://example.com",
      day: "2026-01-31",
      opens: "08:00:00",
      colours: ["green"],
      tags: ["new"],
      address: { street: "Main" },
      body: { type: "doc", content: [] },
    })
  })

  test("of hydrated relations are revived too", async () => {
    const { collections } = app.client()
    const chief = await collections["people"].create({ first: "Eva", last: "Low" })
    const { id } = await collections["people"].create({ first: "Ann", last: "Lee", boss: chief.id })

    const found = await collections["people"].findOne({ where: { id }, with: { boss: { columns: { full: true } } } })

    expect(found).toMatchObject({ full: "Ann Lee", boss: { id: chief.id, full: "Eva Low" } })
    expect(Object.keys(found.boss).sort()).toEqual(["full", "id"])
    await collections["people"].delete({ id })
    await collections["people"].delete({ id: chief.id })
  })
})

const DEEP = { type: "doc", content: [] as unknown[] }
for (let depth = 0, node = DEEP; depth < 13; depth++) {
  const inner = { type: "list", content: [] as unknown[] }
  node.content.push(inner)
  node = inner
}

describe("refused values", () => {
  test.each<[string, unknown, string]>([
    ["contact", "ann", "contact"],
    ["contact", "ann@example", "contact"],
    ["contact", "ann @example.com", "contact"],
    ["contact", `${"a".repeat(250)}@b.sk`, "contact"],
    ["page", "example.com", "page"],
    ["page", "javascript:alert(1)", "page"],
    ["page", "https://a b", "page"],
    ["page", "http:a", "page"],
    ["page", "https://", "page"],
    ["day", "2026-02-30", "day"],
    ["day", "2026-2-3", "day"],
    ["day", "0000-01-01", "day"],
    ["day", "2026-01-01T00:00:00Z", "day"],
    ["day", 5, "day"],
    ["opens", "24:00", "opens"],
    ["opens", "9:00", "opens"],
    ["opens", "10:60", "opens"],
    ["opens", "10:00:00.5", "opens"],
    ["colours", "red", "colours"],
    ["colours", ["red", "black"], "colours.1"],
    ["colours", ["red", "red"], "colours"],
    ["tags", ["a", "b", "c", "d"], "tags"],
    ["tags", ["too long"], "tags.0"],
    ["tags", ["a", null], "tags.1"],
    ["tags", [["a"]], "tags.0"],
    ["tags", { 0: "a" }, "tags"],
    ["sizes", [1.5], "sizes.0"],
    ["address", "Main 5", "address"],
    ["address", ["Main"], "address"],
    ["address", {}, "address.street"],
    ["address", { street: null }, "address.street"],
    ["address", { street: "x".repeat(21) }, "address.street"],
    ["address", { street: "a", stret: "b" }, "address.stret"],
    ["address", { street: "a", at: { lat: 91, lon: 0 } }, "address.at.lat"],
    ["address", { street: "a", at: { lat: 1 } }, "address.at.lon"],
    ["parts", [{ sku: "a" }, { sku: 5 }], "parts.1.sku"],
    ["parts", [null], "parts.0"],
    ["body", "text", "body"],
    ["body", { type: "paragraph", content: [] }, "body"],
    ["body", { type: "doc" }, "body"],
    ["body", { type: "doc", content: [{ text: "a" }] }, "body"],
    ["body", { type: "doc", content: [{ type: "text" }] }, "body"],
    ["body", { type: "doc", content: [{ type: "text", text: "a", onclick: "b" }] }, "body"],
    ["body", { type: "doc", content: [{ type: "text", text: "a", marks: ["bold"] }] }, "body"],
    ["body", DEEP, "body"],
    ["body", { type: "doc", content: [{ type: "bulletList" }] }, "body.content.0"],
  ])("%s: %j", async (name, value, path) => {
    const { status, body } = await app.fetch("/products", { method: "POST", body: JSON.stringify({ [name]: value }) })

    expect(status).toBe(400)
    expect(body.error.code).toBe("VALIDATION_ERROR")
    expect(body.error.fieldErrors).toEqual([{ path, message: expect.any(String) }])
    expect(await app.client().collections["products"].count()).toBe(0)
  })

  test("of one object are reported together, with a hint", async () => {
    const address = { stret: "x", country: 5, at: { lat: "x" } }

    const { body } = await app.fetch("/products", { method: "POST", body: JSON.stringify({ address }) })

    expect(body.error.fieldErrors.map(({ path }: { path: string }) => path)).toEqual([
      "address.stret",
      "address.street",
      "address.country",
      "address.at.lat",
      "address.at.lon",
    ])
    expect(body.error.fieldErrors[0].message).toContain('Did you mean "street"?')
  })

  test("do not need the default of their field", async () => {
    const { body } = await app.fetch("/preset", { method: "POST", body: JSON.stringify({ address: { street: 5 } }) })

    expect(body.error.fieldErrors).toEqual([{ path: "address.street", message: "Expected text." }])
  })

  test("are those that the rule of a part refuses", async () => {
    const even = (value: number) => value % 2 === 0 || "Must be even."
    const pairs = collection("pairs")
      .fields(({ f }) => ({
        list: f.array(f.number().validate(even)),
        object: f.object({ inner: f.object({ count: f.number().validate(even) }) }),
      }))
      .access(everyone)
    await using world = await testApp({ resources: [pairs] })

    const bad = { list: [2, 3], object: { inner: { count: 5 } } }
    const refused = await world.fetch("/pairs", { method: "POST", body: JSON.stringify(bad) })
    const good = { list: [2], object: { inner: { count: null } } }
    const accepted = await world.fetch("/pairs", { method: "POST", body: JSON.stringify(good) })

    expect(refused.body.error.fieldErrors).toEqual([
      { path: "list.1", message: "Must be even." },
      { path: "object.inner.count", message: "Must be even." },
    ])
    expect(accepted.status).toBe(201)
  })
})

describe("computed and virtual fields", () => {
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const [first, last, pin] of [
      ["Ann", "Lee", "1"],
      ["Bartholomew", "Ng", "2"],
    ] as const) {
      const person = await app.app.system.collections["people"]?.create({ first, last, pin })
      ids[first] = String(person?.["id"])
    }
  })

  test("are answered by every reader and writer", async () => {
    const { collections } = app.client()

    const page = await collections["people"].find({ orderBy: { first: "asc" } })
    const changed = await collections["people"].update({ id: ids["Ann"], data: { last: "Lee" } })

    expect(page.docs[0]).toMatchObject({ full: "Ann Lee", letters: 6, initials: 'A"L' })
    expect(changed).toEqual({ ...page.docs[0], updatedAt: changed.updatedAt })
  })

  test("are computed from what the caller may read, whatever columns are asked for", async () => {
    const asked = { where: { first: "Ann" }, columns: { seen: true, full: true } }

    const stranger = await app.client().collections["people"].findOne(asked)
    const reader = await app.client(boss).collections["people"].findOne(asked)

    expect(Object.keys(stranger).sort()).toEqual(["full", "id", "seen"])
    expect(stranger).toMatchObject({ full: "Ann Lee" })
    expect(stranger.seen).not.toContain("pin")
    expect(reader.seen).toContain("pin")
    expect(reader.seen).toContain("letters")
  })

  test("of SQL can be filtered, sorted and searched by", async () => {
    const { collections } = app.client()

    const long = await collections["people"].find({ where: { letters: { gt: 6 } } })
    const sorted = await collections["people"].find({ orderBy: { letters: "desc" } })
    const related = await collections["people"].count({ where: { boss: { is: { letters: 1 } } } })
    const searched = await collections["people"].find({ search: 'B"n' })

    expect(long.docs.map(({ first }: { first: string }) => first)).toEqual(["Bartholomew"])
    expect(sorted.docs.map(({ first }: { first: string }) => first)).toEqual(["Bartholomew", "Ann"])
    expect(related).toBe(0)
    expect(searched.docs.map(({ first }: { first: string }) => first)).toEqual(["Bartholomew"])
  })

  test("of SQL have the type they declare, and rules of their own", async () => {
    const query = { where: { first: "Ann", born: { lt: new Date() } } }

    const known = await app.client(boss).collections["people"].findOne(query)
    const unknown = app.client().collections["people"].findOne(query)

    expect(known.born).toBeInstanceOf(Date)
    await expect(unknown).rejects.toMatchObject({ status: 400, fieldErrors: [{ path: "where.born" }] })
  })

  test.each([
    ["where[full]=x", "where.full"],
    ["where[full][isNull]=true", "where.full"],
    ["orderBy[full]=asc", "orderBy.full"],
  ])("that are computed refuse %s", async (query, path) => {
    const { status, body } = await app.fetch(`/people?${query}`)

    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining("is computed") }])
  })

  test.each(["full", "letters"])("refuse to be written: %s", async (name) => {
    const data = { first: "X", last: "Y", [name]: "z" }

    const refused = await app.fetch("/people", { method: "POST", body: JSON.stringify(data) })

    expect(refused.status).toBe(400)
    expect(refused.body.error.fieldErrors).toEqual([{ path: name, message: "This field is made by the server." }])
    await expect(app.app.system.collections["people"]?.create(data)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })

  test("of globals", async () => {
    const { globals } = app.client()

    const updated = await globals["site"].update({ name: "news", links: ["https://a.sk"] })

    expect(updated).toMatchObject({ name: "news", links: ["https://a.sk"], shout: "NEWS", size: 4 })
    expect(await globals["site"].get()).toEqual(updated)
    expect(await globals["site"].get({ columns: { shout: true } })).toEqual({ shout: "NEWS" })
  })

  test("that give what JSON cannot hold are a failure that says nothing and writes nothing", async () => {
    const odd = collection("odd")
      .fields(({ f }) => ({ name: f.text(), later: f.computed((() => Promise.resolve(1)) as never) }))
      .access(everyone)
    await using world = await testApp({ resources: [odd] })

    const { status, body } = await world.fetch("/odd", { method: "POST", body: "{}" })

    expect(status).toBe(500)
    expect(Object.keys(body.error).sort()).toEqual(["code", "message", "requestId"])
    expect(await world.database.query("select * from odd")).toEqual([])
  })
})
