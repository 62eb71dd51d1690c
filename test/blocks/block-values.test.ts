import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const boss: Session = { user: { id: "boss", role: "boss" } }
const DOCUMENT = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Hi" }] }] }

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f
      .blocks({
        hero: {
          heading: f.text(20).required().trim(),
          at: f.datetime(),
          views: f.number().bigint(),
          align: f.select(["left", "right"]).required().default("left"),
        },
        quote: f.block({ text: f.textarea().required(), at: f.text(), stars: f.number().integer().min(1).max(5) }),
        gallery: {
          pictures: f.array(f.object({ url: f.url().required(), taken: f.datetime() })).required(),
          size: f.object({ width: f.number().required() }),
          story: f.richText(),
        },
        columns: {
          left: f.blocks({ note: { text: f.text().required(), at: f.datetime() }, rule: {} }).required(),
          right: f.blocks({ note: { text: f.text().required() } }).max(1),
        },
        rule: {},
      })
      .max(6),
  }))
  .access(everyone)

const posts = collection("posts")
  .fields(({ f }) => ({
    name: f.text().required(),
    page: f.relation("pages"),
    secret: f
      .blocks({ note: { text: f.text(), at: f.datetime() } })
      .access({ read: ({ session }) => session?.user.role === "boss" }),
    some: f.blocks({ note: { text: f.text() } }).access({ read: () => ({ name: { ne: "hidden" } }) }),
    preset: f
      .blocks({ note: { text: f.text().required().default("Hello") } })
      .required()
      .default([{ type: "note" }, { type: "note", text: "Two" }]),
  }))
  .access(everyone)

const site = global("site")
  .fields(({ f }) => ({ parts: f.blocks({ link: { url: f.url().required() } }).min(1) }))
  .access({ read: true, update: true })

const even = (value: number) => value % 2 === 0 || "Give an even number."
const checked = collection("checked")
  .fields(({ f }) => ({
    parts: f
      .blocks({ count: { n: f.number().validate(even), list: f.array(f.number().validate(even)) } })
      .validate((items) => items.every((item) => item.id !== undefined) || "An item has no id."),
  }))
  .hooks({
    beforeChange: ({ data }) => {
      const parts = data["parts"] as readonly object[] | null | undefined
      return parts?.length === 1 ? { ...data, parts: [...parts, { type: "count", n: 100 }] } : data
    },
  })
  .access(everyone)

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [pages, posts, site, checked] })
})
afterAll(() => app[Symbol.asyncDispose]())

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const anId = expect.stringMatching(UUID_7)

const BODY = [
  { type: "hero", id: "top", heading: " Hello ", at: new Date(5), views: 2n ** 60n },
  { type: "quote", text: "Words", at: "yesterday", stars: 5 },
  { type: "gallery", pictures: [{ url: "https://a.sk", taken: new Date(7) }], size: { width: 2 }, story: DOCUMENT },
  { type: "columns", left: [{ type: "note", text: "x", at: new Date(9) }, { type: "rule" }], right: null },
  { type: "rule" },
]
const READ_BACK = [
  { type: "hero", id: "top", heading: "Hello", at: new Date(5), views: 2n ** 60n, align: "left" },
  { type: "quote", id: anId, text: "Words", at: "yesterday", stars: 5 },
  {
    ...{ type: "gallery", id: anId, size: { width: 2 }, story: DOCUMENT },
    pictures: [{ url: "https://a.sk", taken: new Date(7) }],
  },
  {
    ...{ type: "columns", id: anId, right: null },
    left: [
      { type: "note", id: anId, text: "x", at: new Date(9) },
      { type: "rule", id: anId },
    ],
  },
  { type: "rule", id: anId },
]

describe("values", () => {
  test("come back from the client as they were given, with an id for each item", async () => {
    const { pages: collection } = app.client().collections

    const created = await collection["create"]({ title: "All", body: BODY })
    const found = await collection["findOne"]({ where: { id: created.id } })

    expect(created.body).toEqual(READ_BACK)
    expect(found).toEqual(created)
  })

  test("are the same in process, and in plain JSON dates are text and big integers digits", async () => {
    const created = await app.app.as(null).collections["pages"]?.create({ title: "All", body: BODY })

    const plain = await app.fetch(`/pages/${created?.["id"]}`)

    expect(created?.["body"]).toEqual(READ_BACK)
    expect(plain.body.body[0]).toMatchObject({ at: "1970-01-01T00:00:00.005Z", views: String(2n ** 60n) })
    expect(plain.body.body[3].left[0].at).toBe("1970-01-01T00:00:00.009Z")
  })

  test("keep the ids of their items when they are written again, in another order", async () => {
    const { pages: collection } = app.client().collections
    const { id, body } = await collection["create"]({ title: "Moved", body: BODY })
    const moved = [body[1], body[0], { type: "rule" }, ...body.slice(2)]

    const updated = await collection["updateById"]({ id, data: { body: moved } })

    expect(updated.body).toEqual([body[1], body[0], { type: "rule", id: anId }, ...body.slice(2)])
    expect(new Set(updated.body.map((item: { id: string }) => item.id)).size).toBe(6)
  })

  test("can be null and empty", async () => {
    const { pages: collection } = app.client().collections

    const none = await collection["create"]({ title: "None" })
    const empty = await collection["create"]({ title: "Empty", body: [] })

    expect([none.body, empty.body]).toEqual([null, []])
  })

  test("have defaults, of the field and of members, in creates, nested creates and globals", async () => {
    const { posts: collection } = app.client().collections
    const given = { name: "n", page: { create: { title: "Inner", body: [{ type: "quote", text: "x" }] } } }

    const created = await collection["create"](given)
    const parts = await app.client().globals["site"].update({ parts: [{ type: "link", url: "https://a.sk" }] })

    expect(created.preset).toEqual([
      { type: "note", id: anId, text: "Hello" },
      { type: "note", id: anId, text: "Two" },
    ])
    const page = await app.client().collections["pages"].findOne({ where: { title: "Inner" } })
    expect(page.body).toEqual([{ type: "quote", id: anId, text: "x", at: null, stars: null }])
    expect(parts.parts).toEqual([{ type: "link", id: anId, url: "https://a.sk" }])
  })

  test("get their ids before validations run, and after hooks have changed them", async () => {
    const { checked: collection } = app.client().collections

    const created = await collection["create"]({ parts: [{ type: "count", n: 2 }] })

    expect(created.parts).toEqual([
      { type: "count", id: anId, n: 2, list: null },
      { type: "count", id: anId, n: 100, list: null },
    ])
  })

  test("are written by bulk writes", async () => {
    const { pages: collection } = app.client().collections
    const one = await collection["create"]({ title: "bulk" })
    const two = await collection["create"]({ title: "bulk" })

    await collection["updateMany"]({ where: { title: "bulk" }, data: { body: [{ type: "rule", id: "r" }] } })
    await collection["updateBatch"]({ updates: [{ id: two.id, data: { body: [{ type: "rule" }] } }] })

    const { docs } = await collection["find"]({ where: { title: "bulk" }, orderBy: { id: "asc" } })
    expect(docs.map((doc: any) => doc.body)).toEqual([[{ type: "rule", id: "r" }], [{ type: "rule", id: anId }]])
    expect(docs[0].id).toBe(one.id)
  })

  test("are checked by a dry run, which writes nothing", async () => {
    const { pages: collection } = app.client().collections

    const tried = await collection["create"]({ title: "dry", body: [{ type: "rule" }] }, { dryRun: true })

    expect(tried.body).toEqual([{ type: "rule", id: anId }])
    expect(await collection["count"]({ where: { title: "dry" } })).toBe(0)
  })
})

describe("field rules", () => {
  test("hide the whole field from callers, and in some records", async () => {
    const { posts: own } = app.client(boss).collections
    const data = { secret: [{ type: "note", at: new Date(3) }], some: [{ type: "note", text: "x" }] }
    const shown = await own["create"]({ name: "shown", ...data })
    const hidden = await own["create"]({ name: "hidden", ...data })

    const [seen, masked] = await Promise.all(
      [shown, hidden].map(({ id }) => app.client().collections["posts"].findOne({ where: { id } })),
    )

    expect(shown.secret).toEqual([{ type: "note", id: anId, text: null, at: new Date(3) }])
    expect(seen).not.toHaveProperty("secret")
    expect(seen.some).toEqual([{ type: "note", id: anId, text: "x" }])
    expect(masked).not.toHaveProperty("some")
  })

  test("hide it from filters as a field that does not exist, and its items in the hidden records", async () => {
    const filter = { some: { type: "note", text: "x" } }

    const unknown = await app.fetch("/posts?where[secret][some][type]=note")
    const { docs } = await app.client().collections["posts"].find({ where: { some: filter } })
    const all = await app.client(boss).collections["posts"].count({ where: { some: { isNull: false } } })

    expect([unknown.status, unknown.body.error.fieldErrors]).toEqual([
      400,
      [{ path: "where.secret", message: expect.stringContaining('There is no field "secret"') }],
    ])
    expect(docs.map(({ name }: { name: string }) => name)).not.toContain("hidden")
    expect(all).toBe(docs.length)
  })
})

describe("mistakes in the input", () => {
  const cases: [string, unknown, Record<string, string>][] = [
    ["no list", {}, { body: "Expected a list." }],
    ["too many items", Array(7).fill({ type: "rule" }), { body: "Must have at most 6 items." }],
    [
      "an item that is no object",
      ["rule"],
      { "body.0": 'Expected an object with a "type" and the members of that block.' },
    ],
    [
      "an item without a type",
      [{ heading: "x" }],
      { "body.0.type": "Expected the name of a block: hero, quote, gallery, columns, rule." },
    ],
    [
      "an unknown block",
      [{ type: "qoute", text: "x" }],
      { "body.0.type": 'There is no block "qoute". Did you mean "quote"?' },
    ],
    [
      "a name of every object",
      [{ type: "constructor" }],
      { "body.0.type": expect.stringContaining("There is no block") as never },
    ],
    [
      "an unknown member",
      [{ type: "rule" }, { type: "quote", text: "x", txet: "y" }],
      { "body.1.txet": 'There is no field "txet". Did you mean "text"?' },
    ],
    [
      "a member of another block",
      [{ type: "quote", text: "x", heading: "y" }],
      { "body.0.heading": expect.stringContaining('There is no field "heading".') as never },
    ],
    ["a missing member", [{ type: "rule" }, { type: "rule" }, { type: "hero" }], { "body.2.heading": "Required." }],
    ["null in a required member", [{ type: "hero", heading: null }], { "body.0.heading": "Required." }],
    [
      "several bad members",
      [
        { type: "hero", heading: "x".repeat(21), align: "top" },
        { type: "quote", text: 5, stars: 6 },
      ],
      {
        "body.0.heading": "Must have at most 20 characters.",
        "body.0.align": "Expected one of: left, right.",
        "body.1.text": "Expected text.",
        "body.1.stars": "Must be at most 5.",
      },
    ],
    [
      "bad parts of members",
      [{ type: "gallery", pictures: [{ url: "https://a.sk" }, { url: "x" }], size: { width: "2" } }],
      { "body.0.pictures.1.url": expect.any(String) as never, "body.0.size.width": "Expected a number." },
    ],
    [
      "bad items of inner blocks",
      [
        {
          type: "columns",
          left: [{ type: "note" }, { type: "not" }],
          right: [
            { type: "note", text: "x" },
            { type: "note", text: "y" },
          ],
        },
      ],
      {
        "body.0.left.0.text": "Required.",
        "body.0.left.1.type": 'There is no block "not". Did you mean "note"?',
        "body.0.right": "Must have at most 1 items.",
      },
    ],
    [
      "a bad id",
      [{ type: "rule", id: "a b" }],
      { "body.0.id": expect.stringContaining("Expected 1 to 64 letters") as never },
    ],
    [
      "an id that is too long",
      [{ type: "rule", id: "a".repeat(65) }],
      { "body.0.id": expect.stringContaining("Expected 1 to 64") as never },
    ],
    [
      "an id that is no text",
      [{ type: "rule", id: 5 }],
      { "body.0.id": expect.stringContaining("Expected 1 to 64") as never },
    ],
    [
      "an id with a line break at its end",
      [{ type: "rule", id: "a\n" }],
      { "body.0.id": expect.stringContaining("Expected 1 to 64") as never },
    ],
    [
      "an id twice",
      [
        { type: "rule", id: "a" },
        { type: "rule", id: "b" },
        { type: "rule", id: "a" },
      ],
      { "body.2.id": "Another item of the list has this id." },
    ],
  ]

  test.each(cases)("%s is 400, with the path", async (_name, body, problems) => {
    const answer = await app.fetch("/pages", { method: "POST", body: JSON.stringify({ title: "x", body }) })

    expect(answer.status).toBe(400)
    const named = answer.body.error.fieldErrors.map(({ path, message }: { path: string; message: string }) => [
      path,
      message,
    ])
    expect(Object.fromEntries(named)).toEqual(problems)
  })

  test("checks of the author have paths into the items", async () => {
    const parts = [
      { type: "count", n: 2 },
      { type: "count", n: 3, list: [2, 5] },
    ]

    const answer = await app.fetch("/checked", { method: "POST", body: JSON.stringify({ parts }) })

    expect(answer.body.error.fieldErrors).toEqual([
      { path: "parts.1.n", message: "Give an even number." },
      { path: "parts.1.list.1", message: "Give an even number." },
    ])
  })

  test("the same id may be in two lists of one record", async () => {
    const inner = [{ type: "note", id: "a", text: "x" }]

    const created = await app.client().collections["pages"].create({
      title: "ids",
      body: [{ type: "columns", id: "a", left: inner, right: inner }],
    })

    expect(created.body[0]).toMatchObject({ id: "a", left: [{ id: "a" }], right: [{ id: "a" }] })
  })

  test("a list without a declared limit takes 1,000 items", async () => {
    const parts = (items: number) => Array.from({ length: items }, () => ({ type: "count" }))

    const most = await app.fetch("/checked", { method: "POST", body: JSON.stringify({ parts: parts(1000) }) })
    const more = await app.fetch("/checked", { method: "POST", body: JSON.stringify({ parts: parts(1001) }) })

    expect([most.status, more.status]).toEqual([201, 400])
    expect(more.body.error.fieldErrors).toEqual([{ path: "parts", message: "Must have at most 1000 items." }])
  })
})
