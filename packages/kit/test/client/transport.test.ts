import { describe, expect, test } from "vitest"
import { createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { errorOf } from "./error-of.ts"
import { fakeServer } from "./fake-server.ts"

const PAGE = { docs: [] }

describe("requests", () => {
  test("every request asks for JSON, extended JSON included", async () => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>(server)

    await client.collections.articles.find()

    expect(server.request).toMatchObject({ method: "GET", path: "/articles", query: "" })
    expect(server.request.headers).toMatchObject({ accept: "application/json", "x-extendedjson": "1" })
    expect(server.request.headers).not.toHaveProperty("content-type")
  })

  test("credentials travel with every request", async () => {
    const inits: RequestInit[] = []
    const fetch = (_url: string, init: RequestInit) => {
      inits.push(init)
      return Promise.resolve(Response.json(PAGE))
    }

    await createClient<AppConfig>({ baseURL: "http://kit.test", fetch }).collections.articles.find()

    expect(inits).toMatchObject([{ credentials: "include" }])
  })

  test.each([
    [undefined, "", "/articles"],
    ["/", "", "/articles"],
    ["api", "/api", "/api/articles"],
    ["/api/", "/api", "/api/articles"],
    ["/deep/er/", "/deep/er", "/deep/er/articles"],
  ])("the base path %j is mounted as %j", async (basePath, normalized, path) => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>({ baseURL: `${server.baseURL}/`, basePath })

    await client.collections.articles.find()

    expect(client.getBasePath()).toBe(normalized)
    expect(server.request.path).toBe(path)
  })

  test("auth headers are asked for before each request and win over the fixed ones", async () => {
    await using server = await fakeServer({ body: PAGE })
    let tokens = 0
    const client = createClient<AppConfig>({
      baseURL: server.baseURL,
      headers: { Authorization: "none", "X-App": "reader" },
      getAuthHeaders: () => Promise.resolve({ authorization: `Bearer ${++tokens}` }),
    })

    await client.collections.articles.find()
    await client.collections.articles.find()

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer 1", "Bearer 2"])
    expect(server.requests[0]?.headers["x-app"]).toBe("reader")
  })

  test("a session without auth headers sends none", async () => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>({ baseURL: server.baseURL, getAuthHeaders: () => undefined })

    await client.collections.articles.find()

    expect(server.request.headers).not.toHaveProperty("authorization")
  })

  test("the locale is seeded by the headers, changed by setLocale and sent as accept-language", async () => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>({ baseURL: server.baseURL, headers: { "Accept-Language": "sk" } })
    expect(client.getLocale()).toBe("sk")

    await client.collections.articles.find()
    client.setLocale("cs")
    await client.collections.articles.find({ locale: "de" })

    expect(server.requests.map(({ headers }) => headers["accept-language"])).toEqual(["sk", "cs"])
    expect(server.requests.map(({ query }) => query)).toEqual(["", "locale=de"])
    expect(client.getLocale()).toBe("cs")
  })

  test("setLocale(undefined) forgets the locale, the seeded one included", async () => {
    const seen: (string | null)[] = []
    const fetch = (_url: string, init: RequestInit) => {
      seen.push(new Headers(init.headers).get("accept-language"))
      return Promise.resolve(Response.json(PAGE))
    }
    const client = createClient<AppConfig>({ baseURL: "http://kit.test", fetch, headers: { "accept-language": "sk" } })

    client.setLocale(undefined)
    await client.collections.articles.find()

    expect(seen).toEqual([null])
    expect(client.getLocale()).toBeUndefined()
  })
})

describe("the address", () => {
  test.each([
    [{ baseURL: "https://kit.test:8080/" }, "https://kit.test:8080/articles"],
    [{ baseURL: "http://kit.test//", basePath: "//api//" }, "http://kit.test/api/articles"],
    [{ baseURL: "http://kit.test/v1/@me/", basePath: "api" }, "http://kit.test/v1/@me/api/articles"],
    [{ baseURL: "HTTP://[::1]:3000" }, "HTTP://[::1]:3000/articles"],
  ])("%j leads to %s", async (config, expected) => {
    const urls: string[] = []
    const fetch = (url: string) => {
      urls.push(url)
      return Promise.resolve(Response.json(PAGE))
    }

    await createClient<AppConfig>({ ...config, fetch }).collections.articles.find()

    expect(urls).toEqual([expected])
  })

  test.each([
    {},
    { baseURL: "" },
    { baseURL: "localhost:3000" },
    { baseURL: "/api" },
    { baseURL: "ftp://kit.test" },
    { baseURL: "http://" },
    { baseURL: "http://kit.test:99999" },
    { baseURL: "http://ann:secret@kit.test" },
    { baseURL: "http://kit.test?a=1" },
    { baseURL: "http://kit.test#a" },
    { baseURL: "http://kit.test", basePath: "/api?a=1" },
  ])("%j is refused when the client is made", (config) => {
    // Checked at run time too, for authors without a type checker.
    expect(() => createClient(config as { baseURL: string })).toThrow(/^baseURL must be like "https:\/\/example.com"/)
  })
})

describe("headers", () => {
  test("those of a call win over auth headers, and these over the fixed ones, in any case", async () => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>({
      baseURL: server.baseURL,
      headers: { AUTHORIZATION: "fixed", "X-A": "fixed", "x-b": "fixed", Accept: "application/json, text/csv" },
      getAuthHeaders: () => new Headers({ authorization: "auth", "x-a": "auth" }),
    })

    await client.collections.articles.find({}, { headers: { "X-a": "call", "content-type": "no/body" } })

    expect(server.request.headers).toMatchObject({
      authorization: "auth",
      "x-a": "call",
      "x-b": "fixed",
      accept: "application/json, text/csv",
    })
    expect(server.request.headers).not.toHaveProperty("content-type")
  })

  test("one that is undefined is not sent", async () => {
    await using server = await fakeServer({ body: PAGE })
    const client = createClient<AppConfig>({
      baseURL: server.baseURL,
      headers: { authorization: "fixed", "x-a": undefined },
      getAuthHeaders: () => ({ authorization: undefined }),
    })

    await client.collections.articles.find()

    expect(server.request.headers).not.toHaveProperty("authorization")
    expect(server.request.headers).not.toHaveProperty("x-a")
  })

  test("how a body is written is not up to them", async () => {
    await using server = await fakeServer({ body: {} })
    const headers = { "content-type": "text/plain", "X-ExtendedJSON": "0" }

    await createClient({ baseURL: server.baseURL, headers }).collections["anything"]?.create({}, { headers })

    expect(server.request.headers).toMatchObject({ "content-type": "application/json", "x-extendedjson": "1" })
  })

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("Sign in again.")
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("Sign in again."))],
  ])("what getAuthHeaders %s is thrown as it is, and nothing is sent", async (_how, getAuthHeaders) => {
    await using server = await fakeServer({ body: PAGE })

    const found = createClient<AppConfig>({ baseURL: server.baseURL, getAuthHeaders }).collections.articles.find()

    await expect(found).rejects.toThrow(new RangeError("Sign in again."))
    expect(server.requests).toEqual([])
  })
})

describe("bodies", () => {
  const moment = new Date("2026-05-04T10:30:00.000Z")

  test("extended JSON keeps dates and big integers in both directions", async () => {
    const answer = {
      json: { id: "1", createdAt: moment.toISOString(), views: "7" },
      meta: { values: { createdAt: "Date", views: "BigInt" } },
    }
    await using server = await fakeServer({ headers: { "x-extendedjson": "1" }, body: answer })
    const client = createClient<AppConfig>(server)

    const created = await client.collections.articles.create({ title: "x", author: "1", publishedAt: moment })

    expect(server.request.headers["content-type"]).toBe("application/json")
    expect(JSON.parse(server.request.body)).toEqual({
      json: { title: "x", author: "1", publishedAt: moment.toISOString() },
      meta: { values: { publishedAt: "Date" } },
    })
    expect(created).toEqual({ id: "1", createdAt: moment, views: 7n })
  })

  test("an answer that does not carry the header is plain JSON", async () => {
    await using server = await fakeServer({ body: { json: "a field called json" } })

    const record = await createClient(server).globals["anything"]?.get()

    expect(record).toEqual({ json: "a field called json" })
  })

  test("without extended JSON bodies are plain and no header asks for it", async () => {
    await using server = await fakeServer({ body: {} })
    const client = createClient({ baseURL: server.baseURL, useExtendedJSON: false })

    await client.collections["anything"]?.create({ at: moment, views: 7n })

    expect(server.request.headers).not.toHaveProperty("x-extendedjson")
    expect(JSON.parse(server.request.body)).toEqual({ at: moment.toISOString(), views: "7" })
  })

  test("plain JSON refuses what it would lose", async () => {
    await using server = await fakeServer({ body: {} })
    const client = createClient({ baseURL: server.baseURL, useExtendedJSON: false })

    const created = client.collections["anything"]?.create({ tags: new Set(["a"]) })

    await expect(created).rejects.toThrow(new TypeError('JSON cannot hold [object Set] ("tags").'))
    expect(server.requests).toEqual([])
  })

  test.each([true, false])("nothing is sent that JSON would turn into null (extended: %j)", async (useExtendedJSON) => {
    await using server = await fakeServer({ body: {} })
    const { collections, routes } = createClient({ baseURL: server.baseURL, useExtendedJSON })

    const created = collections["articles"]?.create({ title: "a", words: Number.NaN })
    const called = routes["average"]?.({ of: [1, Number.POSITIVE_INFINITY] })

    await expect(created).rejects.toThrow(new TypeError('JSON cannot hold NaN ("words").'))
    await expect(called).rejects.toThrow(new TypeError('JSON cannot hold Infinity ("1").'))
    expect(server.requests).toEqual([])
  })

  test.each([true, false])("nothing is sent that JSON would empty (extended: %j)", async (useExtendedJSON) => {
    await using server = await fakeServer({ body: {} })
    const { collections, routes } = createClient({ baseURL: server.baseURL, useExtendedJSON })

    const created = collections["articles"]?.create({ title: Promise.resolve("nobody awaits it") })
    const form = routes["feedback"]?.(new FormData())
    const bytes = routes["feedback"]?.({ files: [new Blob(["a"]), new Uint8Array([1])] })

    await expect(created).rejects.toThrow(new TypeError('JSON cannot hold [object Promise] ("title").'))
    await expect(form).rejects.toThrow(new TypeError('JSON cannot hold [object FormData] ("").'))
    await expect(bytes).rejects.toThrow(new TypeError('JSON cannot hold [object Blob] ("0").'))
    expect(server.requests).toEqual([])
  })

  test("a body is written when the call is made, not when it is sent", async () => {
    await using server = await fakeServer({ body: {} })
    const data = { title: "before" }

    const client = createClient({ baseURL: server.baseURL, getAuthHeaders: () => Promise.resolve({}) })
    const creating = client.collections["anything"]?.create(data)
    data.title = "after"
    await creating

    expect(JSON.parse(server.request.body)).toEqual({ json: { title: "before" } })
  })
})

describe("errors", () => {
  const FIELD_ERRORS = [
    { path: "title", message: "Required." },
    { path: "slug", message: "Too long." },
    { path: "slug", message: "Taken." },
  ]

  test.each([
    ["plain", (body: unknown) => ({ body })],
    ["extended", (body: unknown) => ({ body: { json: body }, headers: { "x-extendedjson": "1" } })],
  ])("a refusal in %s JSON carries everything the server said", async (_format, wrap) => {
    const error = {
      code: "VALIDATION_ERROR",
      message: "title: Required.",
      fieldErrors: FIELD_ERRORS,
      context: { a: 1 },
      requestId: "r-1",
    }
    await using server = await fakeServer({ status: 400, ...wrap({ error }) })
    const client = createClient<AppConfig>(server)

    const thrown = await errorOf(client.collections.articles.find({ limit: 5 }))

    expect(thrown).toMatchObject({
      name: "QuestpieClientError",
      message: "title: Required.",
      status: 400,
      statusText: "Bad Request",
      url: `${server.baseURL}/articles?limit=5`,
      code: "VALIDATION_ERROR",
      fieldErrors: FIELD_ERRORS,
      context: { a: 1 },
      requestId: "r-1",
    })
    expect(thrown.isCode("VALIDATION_ERROR")).toBe(true)
    expect(thrown.isCode("NOT_FOUND")).toBe(false)
    expect(thrown.getFieldErrorsMap()).toEqual({ title: ["Required."], slug: ["Too long.", "Taken."] })
    expect(thrown.getFieldError("slug")).toEqual({ path: "slug", message: "Too long." })
    expect(thrown.getFieldError("body")).toBeUndefined()
  })

  test("a refusal says what happened, whatever else its body claims", async () => {
    const error = { code: "CONFLICT", message: "Taken.", status: 200, url: "elsewhere", requestId: "r-1" }
    await using server = await fakeServer({ status: 409, headers: { "x-request-id": "r-2" }, body: { error } })

    const thrown = await errorOf(createClient<AppConfig>(server).collections.articles.find())

    expect(thrown).toMatchObject({ status: 409, url: `${server.baseURL}/articles`, requestId: "r-2" })
  })

  test("a field may be called like a member of every object", async () => {
    const fieldErrors = [{ path: "__proto__", message: "No." }]
    await using server = await fakeServer({ status: 400, body: { error: { message: "No.", fieldErrors } } })

    const thrown = await errorOf(createClient<AppConfig>(server).collections.articles.find())

    expect(Object.entries(thrown.getFieldErrorsMap())).toEqual([["__proto__", ["No."]]])
  })
})
