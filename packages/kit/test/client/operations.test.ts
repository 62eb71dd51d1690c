import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { fakeServer } from "./fake-server.ts"

const ID = "018f2c6e-1111-7000-8000-000000000001"
const RECORD = { id: ID, title: "Hello" }
const LOCALE = { locale: "sk", localeFallback: false } as const

describe("collections", () => {
  test("find sends its options as a query string", async () => {
    await using server = await fakeServer({ body: { docs: [RECORD] } })

    const page = await createClient<AppConfig>(server).collections.articles.find({
      where: { status: { in: ["idea", "done"] }, author: { is: { name: { startsWith: "A" } } }, body: null },
      with: { author: { columns: { name: true }, where: { team: null } }, editor: {} },
      orderBy: [{ createdAt: "desc" }, { author: { name: "asc" } }],
      limit: 20,
      total: false,
    })

    expect(page.docs).toEqual([RECORD])
    expect(server.request.query.split("&")).toEqual([
      "where[status][in][]=idea",
      "where[status][in][]=done",
      "where[author][is][name][startsWith]=A",
      "where[body][isNull]=true",
      "with[author][columns][name]=true",
      "with[author][where][team][isNull]=true",
      "with[editor]=",
      "orderBy[0][createdAt]=desc",
      "orderBy[1][author][name]=asc",
      "limit=20",
      "total=false",
    ])
  })

  test("count unwraps the number", async () => {
    await using server = await fakeServer({ body: { count: 3 } })

    const count = await createClient<AppConfig>(server).collections.articles.count({ where: { title: "a" } })

    expect(count).toBe(3)
    expect(server.request).toMatchObject({ method: "GET", path: "/articles/count", query: "where[title]=a" })
  })

  test("create posts the record; its options go to the query string", async () => {
    await using server = await fakeServer({ status: 201, body: RECORD })
    const data = { title: "Hello", author: { connect: { id: ID } } }

    const created = await createClient<AppConfig>(server).collections.articles.create(data, LOCALE)

    expect(created).toEqual(RECORD)
    expect(server.request).toMatchObject({ method: "POST", path: "/articles", query: "locale=sk&localeFallback=false" })
    expect(JSON.parse(server.request.body)).toEqual({ json: data })
  })

  test.each(["updateById", "update"] as const)("%s patches the record", async (operation) => {
    await using server = await fakeServer({ body: RECORD })

    const changed = await createClient<AppConfig>(server).collections.articles[operation](
      { id: ID, data: { title: "Hello" } },
      LOCALE,
    )

    expect(changed).toEqual(RECORD)
    expect(server.request).toMatchObject({
      method: "PATCH",
      path: `/articles/${ID}`,
      query: "locale=sk&localeFallback=false",
    })
    expect(JSON.parse(server.request.body)).toEqual({ json: { title: "Hello" } })
  })

  test.each(["deleteById", "delete"] as const)("%s deletes the record", async (operation) => {
    await using server = await fakeServer({ body: { success: true, data: RECORD } })

    const deleted = await createClient<AppConfig>(server).collections.articles[operation]({ id: ID })

    expect(deleted).toEqual({ success: true, data: RECORD })
    expect(server.request).toMatchObject({ method: "DELETE", path: `/articles/${ID}`, query: "", body: "" })
  })

  test.each(["", ".", "..", "count", "query"])(
    "an id that is a path of its own, %j, is refused before it is sent",
    async (id) => {
      await using server = await fakeServer()
      const { articles } = createClient<AppConfig>(server).collections

      await expect(articles.updateById({ id, data: {} })).rejects.toThrow(new TypeError(`"${id}" is not a record id.`))
      await expect(articles.deleteById({ id })).rejects.toThrow(TypeError)

      expect(server.requests).toEqual([])
    },
  )

  test("an id is one segment of the path, whatever it holds", async () => {
    await using server = await fakeServer({ body: { success: true, data: null } })

    await createClient<AppConfig>(server).collections.articles.deleteById({ id: "a/../b?c" })

    expect(server.request.path).toBe("/articles/a%2F..%2Fb%3Fc")
  })
})

describe("findOne", () => {
  test("a sole id is read by its path, with the options of a record", async () => {
    await using server = await fakeServer({ body: RECORD })

    const found = await createClient<AppConfig>(server).collections.articles.findOne({
      where: { id: ID },
      with: { author: true },
      columns: { title: true },
      search: undefined,
      ...LOCALE,
    })

    expect(found).toEqual(RECORD)
    expect(server.request.path).toBe(`/articles/${ID}`)
    expect(server.request.query).toBe("with[author]=true&columns[title]=true&locale=sk&localeFallback=false")
  })

  test.each([
    [{ where: { id: { eq: ID } } }, `where[id][eq]=${ID}`],
    [{ where: { id: ID, title: "a" } }, `where[id]=${ID}&where[title]=a`],
    [{ where: { id: ID }, search: "a" }, `where[id]=${ID}&search=a`],
    [{ where: { id: ID }, offset: 1 }, `where[id]=${ID}&offset=1`],
    [{ where: { id: "count" } }, "where[id]=count"],
    [{ where: { id: null } }, "where[id][isNull]=true"],
    [{ limit: 5 }, ""],
    [undefined, ""],
  ])("%j is a find of one record", async (options, query) => {
    await using server = await fakeServer({ body: { docs: [RECORD] } })

    const found = await createClient<AppConfig>(server).collections.articles.findOne(options)

    expect(found).toEqual(RECORD)
    expect(server.request.path).toBe("/articles")
    expect(new Set(server.request.query.split("&"))).toEqual(
      new Set([...query.split("&"), "limit=1", "total=false"].filter(Boolean)),
    )
  })

  test("nothing found is null", async () => {
    await using server = await fakeServer({ body: { docs: [] } })

    expect(await createClient<AppConfig>(server).collections.articles.findOne()).toBeNull()
  })

  test("a 404 about the record is null", async () => {
    const error = { code: "NOT_FOUND", message: "There is nothing here.", context: { collection: "articles", id: ID } }
    await using server = await fakeServer({ status: 404, body: { error } })

    expect(await createClient<AppConfig>(server).collections.articles.findOne({ where: { id: ID } })).toBeNull()
  })

  test.each([
    [404, { code: "NOT_FOUND", message: "There is no such collection." }],
    [404, { code: "NOT_FOUND", message: "Not here.", context: { collection: "people" } }],
    [403, { code: "FORBIDDEN", message: "You may not do this.", context: { collection: "articles" } }],
  ])("a %i about anything else is thrown: %j", async (status, error) => {
    await using server = await fakeServer({ status, body: { error } })

    const found = createClient<AppConfig>(server).collections.articles.findOne({ where: { id: ID } })

    await expect(found).rejects.toMatchObject({ status, message: error.message })
  })
})

describe("globals", () => {
  test("get reads the global, or null before the first write", async () => {
    await using server = await fakeServer({ body: null })

    const found = await createClient<AppConfig>(server).globals.settings.get({ with: { owner: true }, locale: "sk" })

    expect(found).toBeNull()
    expect(server.request).toMatchObject({
      method: "GET",
      path: "/globals/settings",
      query: "with[owner]=true&locale=sk",
    })
  })

  test("update patches the global", async () => {
    await using server = await fakeServer({ body: { siteName: "x" } })

    const changed = await createClient<AppConfig>(server).globals.settings.update({ siteName: "x" }, LOCALE)

    expect(changed).toEqual({ siteName: "x" })
    expect(server.request).toMatchObject({
      method: "PATCH",
      path: "/globals/settings",
      query: "locale=sk&localeFallback=false",
    })
    expect(JSON.parse(server.request.body)).toEqual({ json: { siteName: "x" } })
  })
})

describe("the client itself", () => {
  test("unknown names are left to the server", async () => {
    await using server = await fakeServer({ body: { docs: [] } })

    await createClient(server).collections["no/such"]?.find()

    expect(server.request.path).toBe("/no%2Fsuch")
  })

  test("the same name is the same object", () => {
    const { collections } = createClient<AppConfig>({ baseURL: "http://kit.test" })

    expect(collections.articles).toBe(collections.articles)
  })

  test("collections and globals can be awaited without being taken for promises", async () => {
    const { collections, globals } = createClient<AppConfig>({ baseURL: "http://kit.test" })

    expect(await collections).toBe(collections)
    expect(await globals).toBe(globals)
    expect(await collections.articles).toBe(collections.articles)
  })

  test("can be copied, printed, serialized and awaited, and sends nothing meanwhile", async () => {
    await using server = await fakeServer()
    const client = createClient<AppConfig>(server)
    const proxies: readonly object[] = [
      client.collections,
      client.globals,
      client.channels,
      client.routes,
      client.routes.clubs,
    ]

    const { ...copy } = client
    const awaited = await Promise.all(proxies)

    expect(Object.keys(copy)).toEqual(Object.keys(client))
    expect(copy.collections.articles.find).toBe(client.collections.articles.find)
    expect(() => [inspect(client, { getters: true }), JSON.stringify(client)]).not.toThrow()
    expect(awaited.map((proxy, index) => proxy === proxies[index])).toEqual(proxies.map(() => true))
    for (const proxy of proxies) {
      expect(() => [inspect(proxy), JSON.stringify(proxy), String(Object.keys(proxy))]).not.toThrow()
      expect({ ...proxy }).toEqual({})
    }
    expect(server.requests).toEqual([])
  })

  test("crdt throws and says what to call", () => {
    const client = createClient<AppConfig>({ baseURL: "http://kit.test" })

    expect(() => client.crdt).toThrow("createCrdtClient(client)")
  })

  test("operations need no receiver", async () => {
    await using server = await fakeServer({ body: { docs: [] } })
    const { find } = createClient<AppConfig>(server).collections.articles

    expect(await find()).toEqual({ docs: [] })
  })
})
