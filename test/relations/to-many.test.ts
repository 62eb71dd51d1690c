// @module-tag installed-postgres

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { buildHandlerContexts } from "../../packages/kit/src/app/handlers/build-handler-context.ts"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { DEFAULT_SEARCH } from "../../packages/kit/src/engine/context/search-services.ts"
import { createEngine, type Engine } from "../../packages/kit/src/engine/engine.ts"
import type { Connection } from "../../packages/kit/src/ports/database.ts"
import { DEFAULT_FILTER_LIMITS } from "../../packages/kit/src/sql/filter/filter-cost.ts"
import type { WhereInput } from "../../packages/kit/src/wire/options/query-options.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const START = Date.parse("2026-01-01T00:00:00Z")
const BIG = 9_007_199_254_740_993n

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    comments: f.relation("comments").hasMany({ via: "author" }),
  }))
  .access({ read: true })

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required(),
    author: f.relation("people"),
    comments: f.relation("comments").hasMany({ via: "article" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    audits: f.relation("audits").hasMany({ via: "article" }),
    secrets: f.relation("audits").hasMany({ via: "article" }).hidden(),
  }))
  .access({ read: true })

const comments = collection("comments")
  .fields(({ f }) => ({
    text: f.text().required(),
    article: f.relation("articles"),
    author: f.relation("people"),
    rank: f.number().integer(),
    big: f.number().bigint(),
    price: f.number().decimal(30, 2),
    share: f.number(),
    isOpen: f.boolean(),
    at: f.datetime(),
    meta: f.json(),
    note: f.text().access({ read: isBoss }),
  }))
  .access({ read: (context) => isBoss(context) || { text: { ne: "hidden" } } })

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text().required(),
    articles: f.relation("articles").manyToMany({ through: "tagging" }),
  }))
  .access({ read: (context) => isBoss(context) || { name: { ne: "secret" } } })

const audits = collection("audits")
  .fields(({ f }) => ({ ip: f.text(), article: f.relation("articles") }))
  .access({ read: ({ session }) => session?.user.role === "auditor" })

const resources = [people, articles, comments, tags, audits]
const boss: Session = { user: { id: "boss", role: "boss" } }
const auditor: Session = { user: { id: "auditor", role: "auditor" } }

function isBoss({ session }: { session: Session | null }) {
  return session?.user.role === "boss"
}

let app: TestApp
const ids: Record<string, string> = {}

beforeAll(async () => {
  let seconds = 0
  const now = () => new Date(START + 1000 * seconds++)
  app = await testApp({ resources, now })
  const add = async (name: string, key: string, data: Record<string, unknown>) => {
    ids[key] = String((await app.app.system.collections[name]?.create(data))?.["id"])
  }
  await add("people", "Ann", { name: "Ann" })
  await add("people", "Bob", { name: "Bob" })
  await add("articles", "one", { title: "one", author: ids["Ann"] })
  await add("articles", "two", { title: "two", author: ids["Bob"] })
  await add("articles", "three", { title: "three" })
  const rich = { big: BIG, price: "12345678901234567890.10", share: 0.1, isOpen: true, at: "0099-01-02T03:04:05.006Z" }
  await add("comments", "a", { text: "a", article: ids["one"], author: ids["Ann"], rank: 1, meta: { x: [1] }, ...rich })
  await add("comments", "b", { text: "b", article: ids["one"], author: ids["Bob"], rank: 2, note: "n" })
  await add("comments", "c", { text: "c", article: ids["one"], rank: 3 })
  await add("comments", "hidden", { text: "hidden", article: ids["one"], author: ids["Bob"], rank: 9 })
  await add("comments", "d", { text: "d", article: ids["two"], author: ids["Ann"], rank: 1 })
  for (const name of ["red", "blue", "secret"]) await add("tags", name, { name })
  await add("audits", "audit", { ip: "10.0.0.1", article: ids["one"] })
  await link("one", "red")
  await link("one", "blue")
  await link("two", "blue")
  await link("three", "secret")
})

afterAll(() => app[Symbol.asyncDispose]())

function link(article: string, tag: string) {
  const values = [ids[article], ids[tag]]
  return app.database.query(`insert into "tagging.links" (articles_id, tags_id) values ($1, $2)`, values)
}

async function titles(where: unknown, session?: Session): Promise<string> {
  const page = await app.client(session).collections["articles"].find({ where, orderBy: { createdAt: "asc" } })
  return page.docs.map(({ title }: { title: string }) => title).join(" ")
}

describe("filters", () => {
  test.each<[where: object, expected: string]>([
    [{ comments: { some: { rank: 3 } } }, "one"],
    [{ comments: { rank: 3 } }, "one"],
    [{ comments: { some: {} } }, "one two"],
    [{ comments: {} }, "one two"],
    [{ comments: { none: {} } }, "three"],
    [{ comments: { none: { rank: 3 } } }, "two three"],
    [{ comments: { every: { rank: 1 } } }, "two three"],
    [{ comments: { every: { rank: { ne: null } }, some: { rank: { gt: 2 } } } }, "one"],
    [{ comments: { every: { author: { is: { name: "Ann" } } } } }, "two three"],
    [{ comments: { some: { author: { is: { comments: { some: { rank: 2 } } } } } } }, "one"],
    [{ NOT: { comments: { some: { rank: 1 } } } }, "three"],
    [{ tags: { some: { name: "blue" } } }, "one two"],
    [{ tags: { none: { name: "red" } } }, "two three"],
    [{ tags: { every: { name: "blue" } } }, "two three"],
    [{ tags: { some: { articles: { some: { title: "two" } } } } }, "one two"],
    [{ OR: [{ tags: { name: "red" } }, { comments: { none: {} } }] }, "one three"],
  ])("%j matches %s", async (where, expected) => {
    const inProcess = await app.app
      .as(null)
      .collections["articles"]?.find({ where: where as WhereInput, orderBy: { createdAt: "asc" } })

    expect(await titles(where)).toBe(expected)
    expect(inProcess?.docs.map((doc) => doc["title"]).join(" ")).toBe(expected)
  })

  test("records that the caller may not read do not count", async () => {
    expect(await titles({ comments: { some: { text: "hidden" } } })).toBe("")
    expect(await titles({ comments: { some: { text: "hidden" } } }, boss)).toBe("one")
    expect(await titles({ comments: { every: { rank: { lt: 9 } } } })).toBe("one two three")
    expect(await titles({ comments: { every: { rank: { lt: 9 } } } }, boss)).toBe("two three")
    expect(await titles({ tags: { none: {} } })).toBe("three")
    expect(await titles({ tags: { none: {} } }, boss)).toBe("")
  })

  test("a relation to what the caller may not read is unknown, as a hidden one is", async () => {
    const unknown = await app.fetch("/articles?where[nothing][some][ip][startsWith]=10.")
    const expected = { status: 400, error: apart(unknown.body.error, "nothing") }
    expect(unknown.body.error.fieldErrors[0].message).not.toMatch(/audits|secrets/)

    for (const name of ["audits", "secrets"]) {
      const { status, body } = await app.fetch(`/articles?where[${name}][some][ip][startsWith]=10.`)
      expect({ status, error: apart(body.error, name) }).toEqual(expected)
    }
    expect(await titles({ audits: { some: { ip: { startsWith: "10." } } } }, auditor)).toBe("one")
  })

  test.each([
    ["where[comments][some][txt]=a", "where.comments.some.txt"],
    ["where[comments][sum][text]=a", "where.comments.sum"],
    ["where[comments]=a", "where.comments"],
    ["where[comments][isNull]=true", "where.comments.isNull"],
    ["where[comments][some][note]=n", "where.comments.some.note"],
    ["orderBy[comments]=asc", "orderBy.comments"],
    ["orderBy[comments][rank]=asc", "orderBy.comments"],
    ["columns[comments]=true", "columns.comments"],
  ])("%s is refused at %s", async (query, path) => {
    const { status, body } = await app.fetch(`/articles?${query}`)

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path }] })
  })

  test("a value in place of a filter is told from a name that does not exist", async () => {
    const messages = await Promise.all(
      ["where[comments]=a", "where[audits]=a", "where[nothing]=a"].map(
        async (query) => (await app.fetch(`/articles?${query}`)).body.error.fieldErrors[0].message,
      ),
    )

    expect(messages).toEqual([
      "Expected an object of conditions.",
      expect.stringContaining('There is no field "audits"'),
      expect.stringContaining('There is no field "nothing"'),
    ])
  })
})

function apart(error: Record<string, unknown>, name: string): unknown {
  return JSON.parse(JSON.stringify({ ...error, requestId: "" }).replaceAll(name, "<name>"))
}

describe("hydration", () => {
  test("answers the related records of each record, newest first, without those the caller may not read", async () => {
    const { docs } = await app.client().collections["articles"].find({
      with: { comments: { columns: { text: true } }, tags: { columns: { name: true }, orderBy: { name: "asc" } } },
      orderBy: { createdAt: "asc" },
      columns: { title: true },
    })

    const short = (texts: string[]) => texts.map((key) => expect.objectContaining({ id: ids[key] }))
    expect(docs).toEqual([
      { id: ids["one"], title: "one", comments: short(["c", "b", "a"]), tags: short(["blue", "red"]) },
      { id: ids["two"], title: "two", comments: short(["d"]), tags: short(["blue"]) },
      { id: ids["three"], title: "three", comments: [], tags: [] },
    ])
    expect(docs[0].comments[0]).toEqual({ id: ids["c"], text: "c" })
  })

  test.each([undefined, boss])("values are the same as in a read of their own", async (session) => {
    const client = app.client(session)
    const own = await client.collections["comments"].find({ where: { article: ids["one"] } })

    const article = await client.collections["articles"].findOne({
      where: { id: ids["one"] },
      with: { comments: true },
    })
    const inProcess = await app.app.as(session ?? null).collections["articles"]?.find({ with: { comments: true } })

    expect(article.comments).toEqual(own.docs)
    expect(inProcess?.docs.find((doc) => doc["title"] === "one")?.["comments"]).toEqual(own.docs)
    expect(article.comments.at(-1)).toMatchObject({
      big: BIG,
      price: "12345678901234567890.10",
      createdAt: expect.any(Date),
    })
  })

  test("plain JSON holds what a read of their own holds", async () => {
    const own = await app.fetch(`/comments?where[article]=${ids["one"]}`)

    const { body } = await app.fetch(`/articles/${ids["one"]}?with[comments]=true`)

    expect(body.comments).toEqual(own.body.docs)
  })

  test("the meta of an extended answer names each list once", async () => {
    const { body } = await app.fetch("/articles?with[comments][columns][big]=true", {
      headers: { "x-extendedjson": "1" },
    })

    expect(body.meta.values).toMatchObject({ "docs.*.comments.*.big": "BigInt", "docs.*.createdAt": "Date" })
  })

  test("limit, offset, order and filter hold for each parent, and the count for all", async () => {
    const { docs } = await app.client().collections["articles"].find({
      with: {
        comments: { orderBy: { rank: "desc" }, limit: 1, offset: 1, where: { rank: { lt: 9 } }, _count: true },
        tags: { limit: 0, _count: true },
      },
      orderBy: { createdAt: "asc" },
    })

    const seen = docs.map((doc: any) => [doc.comments.map((one: any) => one.text), doc.tags, doc._count])
    expect(seen).toEqual([
      [["b"], [], { comments: 3, tags: 2 }],
      [[], [], { comments: 1, tags: 1 }],
      [[], [], { comments: 0, tags: 0 }],
    ])
  })

  test("relations nest: to one inside of many inside of one", async () => {
    const one = await app.client().collections["articles"].findOne({
      where: { id: ids["one"] },
      with: {
        author: {
          with: {
            comments: {
              orderBy: { article: { title: "asc" } },
              with: { article: { with: { tags: { orderBy: { name: "asc" }, _count: true } } }, author: true },
            },
          },
        },
      },
    })

    const seen = one.author.comments.map(({ article, author }: any) => [
      article.title,
      article.createdAt instanceof Date,
      article.tags.map((tag: any) => tag.name),
      article._count,
      author.name,
    ])
    expect(seen).toEqual([
      ["one", true, ["blue", "red"], { tags: 2 }, "Ann"],
      ["two", true, ["blue"], { tags: 1 }, "Ann"],
    ])
  })

  test("a relation to what the caller may not read is unknown", async () => {
    const { status, body } = await app.fetch("/articles?with[audits]=true")

    expect(status).toBe(400)
    expect(body.error.fieldErrors[0]).toMatchObject({ path: "with.audits" })
    expect(body.error.fieldErrors[0].message).toContain('There is no relation "audits".')
  })

  test.each([
    ["with[comments][limit]=-1", "with.comments.limit"],
    ["with[comments][limit]=1001", "with.comments.limit"],
    ["with[comments][offset]=x", "with.comments.offset"],
    ["with[comments][orderBy][txt]=asc", "with.comments.orderBy.txt"],
    ["with[comments][_count]=yes", "with.comments._count"],
    ["with[author][limit]=1", "with.author.limit"],
    ["with[comments][columns][note]=true", "with.comments.columns.note"],
    ["with[comments][limit]=1000&limit=1000", "with"],
    ["with[_count]=true", "with._count"],
  ])("%s is refused at %s", async (query, path) => {
    const { status, body } = await app.fetch(`/articles?${query}`)

    expect(status).toBe(400)
    expect(body.error.fieldErrors[0]).toMatchObject({ path })
  })

  test("a page with relations over several levels is one statement", async () => {
    const database = openPostgres({ url: app.database.url, onError: () => {} })
    const statements: string[] = []
    const counting = {
      ...connectionOf(database, statements),
      forCaller: database.forCaller.bind(database),
      close: () => database.close(),
    }
    const logger = { info: () => {}, warn: () => {}, error: () => {} }
    const engine: Engine = createEngine({
      schema: app.app.schema,
      tables: { requireUsable: () => {} },
      checkInBackground: () => {},
      database: counting,
      logger,
      hasShortcuts: true,
      returnsOldRows: false,
      filterLimits: DEFAULT_FILTER_LIMITS,
      maxAnswerBytes: 10_000_000,
      now: () => new Date(),
      dueNow: () => null,
      scheduleTransition: () => Promise.reject(new Error("Nothing moves here.")),
      search: DEFAULT_SEARCH,
      secret: () => Promise.reject(new Error("Nothing is secret here.")),
      handlerFor: buildHandlerContexts({
        app: { name: "test", url: undefined, basePath: "" },
        logger,
        services: new Map(),
        mailers: { on: () => app.app.email },
        kv: { on: () => app.app.kv },
        channels: { on: () => ({}) },
        publishers: { at: () => app.app.queue },
        sessionLoader: {},
        tableNames: new Map(),
        rootContext: () => engine.contextFor(null),
      }).handlerFor,
    })

    const page = await engine.as(null).collections["articles"]?.find({
      with: { author: { with: { comments: true } }, comments: { with: { author: true }, _count: true }, tags: true },
      limit: 2,
    })
    await database.close()

    expect(page?.totalDocs).toBe(3)
    expect(statements).toHaveLength(1)
  })
})

function connectionOf(connection: Connection, statements: string[]): Connection {
  return {
    query: (statement) => {
      statements.push(statement.text)
      return connection.query(statement)
    },
    transaction: (work) => {
      statements.push("begin", "commit")
      return connection.transaction((inner) => work({ ...inner, ...connectionOf(inner, statements) }))
    },
  }
}
