import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const boss: Session = { user: { id: "boss", role: "boss" } }
const isBoss = ({ session }: { session: Session | null }) => session?.user.role === "boss"

const shelves = collection("shelves")
  .fields(({ f }) => ({
    name: f.text().required(),
    books: f.relation("books").hasMany({ via: "shelf" }),
    topics: f.relation("topics").manyToMany({ through: "shelving" }),
    ledgers: f.relation("ledgers").hasMany({ via: "shelf" }),
  }))
  .access({ read: true, create: true, update: true, delete: true })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().required(),
    shelf: f.relation("shelves"),
    day: f.date(),
    hour: f.time(),
    at: f.datetime(),
    big: f.number().bigint(),
    price: f.number().decimal(20, 2),
    days: f.array(f.date()),
    times: f.array(f.datetime()),
    bigs: f.array(f.number().bigint()),
    prices: f.array(f.number().decimal(20, 2)),
    moods: f.select(["sad", "gay"]).multiple(),
    place: f.object({ city: f.text(), since: f.datetime(), big: f.number().bigint(), visits: f.array(f.datetime()) }),
    places: f.array(f.object({ since: f.datetime() })),
    meta: f.json(),
    secret: f.text().access({ read: isBoss }),
    letters: f.virtual(f.number().integer(), 'length("title")'),
    later: f.virtual(f.datetime(), "\"at\" + interval '1 day'"),
    loud: f.computed(({ row }) => `${String(row["title"]).toUpperCase()} ${row["secret"] ?? "?"}`),
  }))
  .title("title")
  .options({ softDelete: true, revision: true })
  .access({
    read: (context) => isBoss(context) || { title: { ne: "hidden" } },
    create: true,
    update: true,
    delete: isBoss,
  })

const topics = collection("topics")
  .fields(({ f }) => ({ name: f.text(), shelves: f.relation("shelves").manyToMany({ through: "shelving" }) }))
  .options({ softDelete: true })
  .access({ read: true, create: true, update: true, delete: true })
  .hooks({
    beforeRead: ({ operation }) => void heard.push(operation),
    afterRead: ({ row }) => ({ ...row, name: `<${row["name"]}>` }),
  })

const ledgers = collection("ledgers")
  .fields(({ f }) => ({ sum: f.number(), shelf: f.relation("shelves") }))
  .access({ read: isBoss })
  .hooks({ beforeRead: ({ operation }) => void heard.push(operation) })

const heard: string[] = []
let app: TestApp
let shelf: string

beforeAll(async () => {
  app = await testApp({ resources: [shelves, books, topics, ledgers] })
})

beforeEach(async () => {
  await app.database.query('truncate shelves, books, topics, ledgers, "shelving.links" cascade')
  shelf = await add("shelves", { name: "s" })
  heard.length = 0
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown>): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

const get = async (path: string, session: Session = ann) => (await app.fetch(path, { session })).body
const query = async (name: string, options: unknown, session: Session = ann) =>
  (await app.fetch(`/${name}/query`, { method: "POST", body: JSON.stringify(options), session })).body

const RICH = {
  title: "rich",
  day: "2026-02-28",
  hour: "23:59:59",
  at: new Date("2026-01-02T03:04:05.006Z"),
  big: 9_007_199_254_740_993n,
  price: "12345678901234567.10",
  days: ["2026-02-28"],
  times: [new Date("0099-01-02T03:04:05.006Z")],
  bigs: [9_007_199_254_740_993n],
  prices: ["12345678901234567.10"],
  moods: ["gay", "sad"],
  place: {
    city: "Nitra",
    since: new Date("2026-01-02T03:04:05.006Z"),
    big: 9_007_199_254_740_993n,
    visits: [new Date("2026-01-02T03:04:05.006Z")],
  },
  places: [{ since: new Date("2026-01-02T03:04:05.006Z") }, { since: null }],
  meta: { a: [null, 1] },
  secret: "x",
}

describe("deleted records", () => {
  beforeEach(async () => {
    const gone = await add("books", { title: "gone", shelf })
    await add("books", { title: "here", shelf })
    await app.app.system.collections["books"]?.deleteById({ id: gone })
  })

  test("are not among the many, in no count and in no filter", async () => {
    const found = await get("/shelves?with[books][_count]=true&with[books][columns][title]=true")
    expect(found.docs[0]).toMatchObject({ books: [{ title: "here" }], _count: { books: 1 } })
    const count = async (where: unknown) => (await query("shelves", { where })).totalDocs
    expect(await count({ books: { some: { title: "gone" } } })).toBe(0)
    expect(await count({ books: { none: { title: "gone" } } })).toBe(1)
    expect(await count({ books: { every: { title: "here" } } })).toBe(1)
    expect(await app.app.system.collections["shelves"]?.count({ where: { books: { some: { title: "gone" } } } })).toBe(
      0,
    )
  })

  test("are in no group, search, count or query, unless one who may delete asks for them", async () => {
    const group = { groupBy: "title" }
    const keys = (page: { groups: { key: string }[] }) => page.groups.map(({ key }) => key)

    expect(keys(await query("books", group, boss))).toEqual(["here"])
    expect((await get("/books?search=gone", boss)).totalDocs).toBe(0)
    expect((await get("/books/count", boss)).count).toBe(1)

    const all = { includeDeleted: true }
    const grouped = await query("books", { ...group, ...all, search: "o" }, boss)
    expect([keys(grouped), grouped.groups[0].docs[0].title]).toEqual([["gone"], "gone"])
    expect((await get("/books?search=gone&includeDeleted=true", boss)).totalDocs).toBe(1)
    expect((await get("/books/count?includeDeleted=true", boss)).count).toBe(2)
    expect((await query("books", all, boss)).totalDocs).toBe(2)
    const refused = [
      await query("books", all),
      await query("books", { ...group, ...all }),
      await get("/books/count?includeDeleted=true"),
    ]
    expect(refused.map(({ error }) => error.code)).toEqual(Array(3).fill("FORBIDDEN"))
  })
})

describe("records among many", () => {
  test("are equal to those of a find of their own, in process and on the wire", async () => {
    await add("books", { ...RICH, shelf })
    await add("books", { title: "empty", shelf, place: {}, places: [], times: [] })
    const many = { with: { books: { orderBy: { title: "asc" } } } } as const
    const own = { orderBy: { title: "asc" } } as const
    const { system } = app.app

    const inProcess = await system.collections["shelves"]?.find(many)
    const direct = await system.collections["books"]?.find(own)
    expect(inProcess?.docs[0]?.["books"]).toEqual(direct?.docs)
    expect(direct?.docs[1]).toMatchObject({ ...RICH, letters: 4, later: new Date("2026-01-03T03:04:05.006Z") })

    const client = app.client(boss)
    const sent = await client.collections["shelves"].find(many)
    expect(sent.docs[0].books).toEqual((await client.collections["books"].find(own)).docs)
    expect(sent.docs[0].books).toEqual(direct?.docs)

    const plain = await query("shelves", many)
    expect(plain.docs[0].books).toEqual((await query("books", own)).docs)
    expect(plain.docs[0].books[1]).toMatchObject({ loud: "RICH ?" })
    const one = await get(`/shelves/${shelf}?with[books][orderBy][title]=asc`)
    expect(one.books).toEqual(plain.docs[0].books)
  })

  test("computed and virtual fields follow columns, at every place", async () => {
    await add("books", { title: "abc", shelf, secret: "x" })
    const columns = { loud: true, letters: true }

    const [direct] = (await query("books", { columns })).docs
    const [parent] = (await query("shelves", { with: { books: { columns } } })).docs
    const grouped = await query("books", { columns, groupBy: "letters" })

    expect(direct).toEqual({ id: expect.any(String), loud: "ABC ?", letters: 3 })
    expect(parent.books).toEqual([direct])
    expect(grouped.groups).toEqual([{ key: "3", value: 3, count: 1, docs: [direct] }])
    const single = await app.fetch(`/books/${direct.id}?columns[loud]=true`, { session: ann })
    expect(single.body).toEqual({ id: direct.id, loud: "ABC ?" })
    expect(single.headers.get("x-revision")).toBe("1")
  })

  test("writes answer computed and virtual fields as reads do", async () => {
    const send = (method: string, path: string, body?: unknown) =>
      app.fetch(path, { method, session: boss, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const made = (await send("POST", "/books", { title: "a", secret: "x", at: "2026-01-01" })).body
    expect(made).toMatchObject({ letters: 1, loud: "A x", later: "2026-01-02T00:00:00.000Z" })
    const { id } = made
    expect((await send("PATCH", `/books/${id}`, { title: "bb" })).body).toMatchObject({ letters: 2, loud: "BB x" })
    const many = await send("PATCH", "/books", { where: { letters: 2 }, data: { title: "ccc" } })
    expect(many.body).toMatchObject([{ letters: 3, loud: "CCC x" }])
    const batch = await send("POST", "/books/update-batch", { updates: [{ id, data: { title: "dddd" } }] })
    expect(batch.body).toMatchObject([{ letters: 4, loud: "DDDD x" }])
    expect((await send("DELETE", `/books/${id}`)).body.data).toMatchObject({ letters: 4, loud: "DDDD x" })
    expect((await send("POST", `/books/${id}/restore`)).body).toMatchObject({ letters: 4, loud: "DDDD x" })
  })

  test("are hidden from those who may not read them, with their number and their names", async () => {
    await add("books", { title: "hidden", shelf, secret: "x" })
    await add("books", { title: "seen", shelf, secret: "x" })
    await add("ledgers", { sum: 1, shelf })

    const [seen] = (await query("shelves", { with: { books: { _count: true } } })).docs
    expect([seen.books.length, seen._count]).toEqual([1, { books: 1 }])
    expect(seen.books[0]).not.toHaveProperty("secret")
    expect((await query("shelves", { where: { books: { some: { title: "hidden" } } } })).totalDocs).toBe(0)
    expect((await query("books", { groupBy: "title" })).groups).toMatchObject([{ key: "seen", count: 1 }])
    const unknown = [
      await query("shelves", { with: { ledgers: { _count: true } } }),
      await query("shelves", { where: { ledgers: { some: {} } } }),
      await query("shelves", { groupBy: "name", with: { ledgers: true } }),
      await query("books", { groupBy: "secret" }),
    ]
    expect(unknown.map(({ error }) => error?.code)).toEqual(Array(4).fill("VALIDATION_ERROR"))
  })

  test("a child that cannot be read is answered as one that is missing, also where it is related already", async () => {
    const hidden = await add("books", { title: "hidden", shelf })
    const other = await add("books", { title: "hidden" })
    const set = (books: unknown) =>
      app.fetch(`/shelves/${shelf}`, { method: "PATCH", session: ann, body: JSON.stringify({ books }) })

    const answers = [await set([hidden]), await set([other]), await set({ update: [{ id: hidden, data: {} }] })]

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    const messages = answers.map(({ body }) => body.error.fieldErrors)
    expect(messages).toEqual(Array(3).fill(messages[0]))
  })
})

describe("hooks around reads", () => {
  test("beforeRead runs once for each read, whatever makes its answer", async () => {
    const id = await add("topics", { name: "t" })
    const ask = (path: string) => app.fetch(path)

    await ask("/topics")
    await ask("/topics?total=false")
    await ask("/topics?offset=9")
    await ask("/topics?groupBy=name")
    await query("topics", {})
    await get("/ledgers", boss)
    await query("ledgers", {}, boss)
    expect(heard).toEqual(Array(7).fill("find"))
    await ask(`/topics/${id}`)
    await ask(`/topics/${shelf}`)
    await ask("/topics/count")
    await app.app.as(ann).collections["topics"]?.findOne({ where: { id } })
    await get(`/ledgers/${id}`, boss)
    expect(heard.slice(7)).toEqual(["get", "get", "count", "get", "get"])
  })

  test("afterRead shows each record once among many, in groups and in queries", async () => {
    const topic = await add("topics", { name: "t", shelves: { connect: [shelf] } })

    expect((await get("/shelves?with[topics]=true")).docs[0].topics).toMatchObject([{ id: topic, name: "<t>" }])
    expect(
      (await query("shelves", { with: { topics: true }, groupBy: "name" })).groups[0].docs[0].topics,
    ).toMatchObject([{ name: "<t>" }])
    expect((await query("topics", { groupBy: "name" })).groups).toMatchObject([{ key: "t", docs: [{ name: "<t>" }] }])
    expect((await query("topics", {})).docs).toMatchObject([{ name: "<t>" }])
    const deep = await query("topics", { with: { shelves: { with: { topics: { _count: true } } } } })
    expect(deep.docs[0].shelves[0]).toMatchObject({ topics: [{ name: "<t>" }], _count: { topics: 1 } })
  })
})

test("limits that multiply are refused in every kind of read", async () => {
  const deep = { topics: { limit: 1000, with: { shelves: { limit: 1000 } } } }
  const text = "with[topics][limit]=1000&with[topics][with][shelves][limit]=1000"

  const answers = [
    await query("shelves", { with: deep }),
    await query("shelves", { with: deep, groupBy: "name" }),
    await get(`/shelves/${shelf}?${text}`),
  ]

  expect(answers.map(({ error }) => error?.fieldErrors[0].path)).toEqual(["with", "with", "with"])
})
