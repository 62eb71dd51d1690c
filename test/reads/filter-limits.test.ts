// @module-tag not-about-connections

import { collection, type KitConfig, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true } as const

const places = collection("places")
  .fields(({ f }) => ({ name: f.text(), within: f.relation("places") }))
  .access(open)

const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text().unique(),
    home: f.relation("places"),
    books: f.relation("books").hasMany({ via: "author" }),
  }))
  .access(open)

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(),
    author: f.relation("authors"),
    reviews: f.relation("reviews").hasMany({ via: "book" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
  }))
  .access(open)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), books: f.relation("books").manyToMany({ through: "tagging" }) }))
  .access(open)

// Its own rule follows three to-many relations.
const reviews = collection("reviews")
  .fields(({ f }) => ({ text: f.text(), stars: f.number().integer(), book: f.relation("books") }))
  .access({ ...open, read: ({ session }) => session?.user.role !== "reader" || DEEP_RULE })

const FIVE_STARS = { stars: 5 }
/** Three to-many relations below a book. */
const THREE_TO_MANY = { reviews: { some: { book: { tags: { some: { books: { some: { title: "x" } } } } } } } }
/** Four relations below a book, two of them to-many. */
const ALLOWED = { reviews: { every: { book: { author: { books: { none: { title: "x" } } } } } } }
const DEEP_RULE = { OR: [{ stars: 5 }, { book: THREE_TO_MANY }] }

const names = (count: number) => ({ OR: Array.from({ length: count }, (_, place) => ({ name: `${place}` })) })
const where = (filter: unknown) => ({ where: filter })

async function start(config: KitConfig = {}): Promise<TestApp> {
  const app = await testApp({ resources: [places, authors, books, tags, reviews], config })
  const { collections } = app.app.system
  const author = await collections["authors"]?.create({ name: "Ann" })
  const book = await collections["books"]?.create({ title: "one", author: author?.["id"] })
  await collections["reviews"]?.create({ book: book?.["id"], stars: 5 })
  await collections["reviews"]?.create({ book: book?.["id"], stars: 1 })
  return app
}

const post = (app: TestApp, path: string, body: unknown) =>
  app.fetch(path, { method: "POST", body: JSON.stringify(body) })

describe("a filter of a caller", () => {
  let app: TestApp

  beforeAll(async () => {
    app = await start()
  })

  afterAll(() => app[Symbol.asyncDispose]())

  const refusal = (path: string, setting: string) => ({
    status: 400,
    body: { error: { fieldErrors: [{ path, message: expect.stringContaining(`limits.filter.${setting}`) }] } },
  })

  test("follows four relations, two of them to many", async () => {
    const { status } = await post(app, "/books/query", where(ALLOWED))

    expect(status).toBe(200)
  })

  test("does not follow a third relation to many", async () => {
    const answer = await post(app, "/books/query", where(THREE_TO_MANY))

    expect(answer).toMatchObject(refusal("where.reviews.some.book.tags.some.books.some", "toManyHopsPerPath"))
  })

  test("does not follow a fifth relation", async () => {
    const answer = await post(app, "/reviews/query", where({ book: { author: { home: { within: { within: {} } } } } }))

    expect(answer).toMatchObject(refusal("where.book.author.home.within.within", "hopsPerPath"))
  })

  test.each([
    ["NOT", (filter: object) => ({ NOT: filter }), "where.NOT"],
    ["AND", (filter: object) => ({ AND: [filter] }), "where.AND.0"],
    ["OR", (filter: object) => ({ OR: [filter] }), "where.OR.0"],
  ])("counts on below %s", async (_name, wrap, root) => {
    const inner = { reviews: { some: { book: { tags: wrap({ name: "x", books: { some: {} } }) } } } }
    const at = `where.reviews.some.book.tags${root.slice("where".length)}.books.some`

    expect(await post(app, "/books/query", where(wrap(THREE_TO_MANY)))).toMatchObject(
      refusal(`${root}.reviews.some.book.tags.some.books.some`, "toManyHopsPerPath"),
    )
    expect(await post(app, "/books/query", where(inner))).toMatchObject(refusal(at, "toManyHopsPerPath"))
  })

  test("has ten relations in all of its branches", async () => {
    const branches = (count: number) => ({
      OR: Array.from({ length: count }, () => ({ reviews: { some: FIVE_STARS } })),
    })

    expect((await post(app, "/books/query", where(branches(10)))).status).toBe(200)
    expect(await post(app, "/books/query", where(branches(11)))).toMatchObject(
      refusal("where.OR.10.reviews.some", "hopsPerRequest"),
    )
  })

  test("counts the filters of all related records and the order in one sum", async () => {
    const five = { OR: Array.from({ length: 5 }, () => ({ reviews: { some: FIVE_STARS } })) }
    const four = { OR: Array.from({ length: 4 }, () => ({ book: { title: "one" } })) }
    const read = { where: five, with: { reviews: { where: four } }, orderBy: { author: { name: "asc" } } }
    const more = { ...read, with: { ...read.with, author: { where: { home: { name: "x" } } } } }

    expect((await post(app, "/books/query", read)).status).toBe(200)
    expect(await post(app, "/books/query", more)).toMatchObject(refusal("orderBy.author", "hopsPerRequest"))
  })

  test("counts the lists that lead to a related record in the path of its filter", async () => {
    const read = { with: { reviews: { where: { book: ALLOWED.reviews.every.book } } } }

    expect((await post(app, "/books/query", read)).status).toBe(200)
    expect(
      await post(app, "/books/query", { with: { tags: { where: { books: { some: THREE_TO_MANY } } } } }),
    ).toMatchObject(refusal("with.tags.where.books.some.reviews.some", "toManyHopsPerPath"))
  })

  test("is counted alike in a query string, a count, groups, a read by id and writes of many", async () => {
    const path = "where.reviews.some.book.tags.some.books.some"
    const refused = refusal(path, "toManyHopsPerPath")
    const text = "where[reviews][some][book][tags][some][books][some][title]=x"

    expect(await app.fetch(`/books?${text}`)).toMatchObject(refused)
    expect(await app.fetch(`/books/count?${text}`)).toMatchObject(refused)
    expect(await app.fetch(`/books?groupBy=title&${text}`)).toMatchObject(refused)
    expect(await post(app, "/books/delete-many", where(THREE_TO_MANY))).toMatchObject(refused)
    expect(
      await app.fetch("/books", {
        method: "PATCH",
        body: JSON.stringify({ where: THREE_TO_MANY, data: { title: "x" } }),
      }),
    ).toMatchObject(refused)
    const [book] = (await app.fetch("/books")).body.docs
    expect(
      await app.fetch(`/books/${book.id}?with[author][${text.replace("where", "where][books][some")}`),
    ).toMatchObject({ status: 400 })
  })

  test("cannot follow a relation in connectOrCreate", async () => {
    const body = {
      title: "two",
      author: { connectOrCreate: { where: { books: { some: {} } }, create: { name: "Bob" } } },
    }

    expect(await post(app, "/books", body)).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "author.connectOrCreate.where.books" }] } },
    })
  })

  test("makes 200 comparisons, of which one of texts counts as 25", async () => {
    const titles = (operator: string, count: number) => ({
      OR: Array.from({ length: count }, (_, place) => ({ title: { [operator]: `${place}` } })),
    })
    const long = Array.from({ length: 1_000 }, (_, place) => `${place}`)
    const ask = (filter: object) => post(app, "/books/query", { where: filter })

    expect((await ask(titles("eq", 200))).status).toBe(200)
    expect((await ask(titles("contains", 8))).status).toBe(200)
    expect((await ask({ title: { in: long }, NOT: { title: { notIn: long } } })).status).toBe(200)
    expect(await ask(titles("eq", 201))).toMatchObject(refusal("where.OR.200.title.eq", "comparisonsPerRequest"))
    expect(await ask(titles("contains", 9))).toMatchObject(
      refusal("where.OR.8.title.contains", "comparisonsPerRequest"),
    )
    expect(
      await post(app, "/books/query", { where: titles("eq", 150), with: { author: { where: names(51) } } }),
    ).toMatchObject({ status: 400 })
  })

  test("is counted in a topic of a live query", async () => {
    const refused = new Promise<Error>((resolve) => {
      app.client().collections["books"].live({ where: THREE_TO_MANY }, () => {}, { onError: resolve })
    })

    expect((await refused).message).toContain("limits.filter.toManyHopsPerPath")
  })

  test("is counted again in an order through relations", async () => {
    const orderBy = Array.from({ length: 11 }, () => ({ author: { name: "asc" } }))

    expect(await post(app, "/books/query", { orderBy })).toMatchObject(refusal("orderBy.10.author", "hopsPerRequest"))
  })

  test("does not tell that a relation exists which the caller may not name", async () => {
    const { body } = await post(app, "/books/query", where({ reviews: { some: { nothing: { some: {} } } } }))

    expect(body.error.fieldErrors[0].message).toContain('There is no field "nothing"')
  })
})

describe("what is exempt", () => {
  const reader: Session = { user: { id: "r", role: "reader" } }

  test("system code", async () => {
    await using app = await start()

    const page = await app.app.system.collections["books"]?.find({ where: THREE_TO_MANY })

    expect(page?.totalDocs).toBe(0)
  })

  test("a rule, which the log names once", async () => {
    await using app = await start()

    const first = await app.fetch("/reviews", { session: reader })
    const second = await app.fetch("/reviews", { session: reader })

    expect([first.body.totalDocs, second.body.totalDocs]).toEqual([1, 1])
    const warnings = app.logged.filter(({ message }) => message.includes("beyond the limits for callers"))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({
      message: expect.stringContaining('read rule of "reviews"'),
      fields: { path: "where.OR.1.book.reviews.some.book.tags.some.books.some" },
    })
  })
})

describe("the limits of an app", () => {
  test("are its own", async () => {
    await using app = await start({ limits: { filter: { toManyHopsPerPath: 3, hopsPerPath: 5, hopsPerRequest: 4 } } })

    const deep = await post(app, "/books/query", where(THREE_TO_MANY))
    const wide = await post(app, "/books/query", where({ AND: [THREE_TO_MANY, { author: { name: "Ann" } }] }))

    expect([deep.status, wide.status]).toEqual([200, 400])
  })

  test("are whole numbers", async () => {
    await expect(start({ limits: { filter: { hopsPerPath: -1 } } })).rejects.toThrow(
      'the setting "limits.filter.hopsPerPath" must be a whole number from 0.',
    )
  })
})
