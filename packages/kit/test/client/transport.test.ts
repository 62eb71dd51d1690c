import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { createClient, QuestpieClientError } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
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
    const client = createClient<AppConfig>({ baseURL: "", fetch, headers: { "accept-language": "sk" } })

    client.setLocale(undefined)
    await client.collections.articles.find()

    expect(seen).toEqual([null])
    expect(client.getLocale()).toBeUndefined()
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

  test.each([502, 404, 200])("a page of a proxy with status %i is an error with that status", async (status) => {
    await using server = await fakeServer({
      status,
      headers: { "content-type": "text/html", "x-request-id": "r-2" },
      text: "<html>",
    })

    const thrown = await errorOf(createClient<AppConfig>(server).collections.articles.find({ search: "secret" }))

    expect(thrown).toMatchObject({ status, code: undefined, requestId: "r-2" })
    expect(thrown.message).toContain(`${server.baseURL}/articles answered ${status}`)
    expect(thrown.message).not.toContain("secret")
    expect(thrown.getFieldErrorsMap()).toEqual({})
  })

  test.each([{ error: "no" }, { error: null }, "no", null])(
    "JSON that is not ours, %j, is an error with the status",
    async (body) => {
      await using server = await fakeServer({ status: 500, body })

      const thrown = await errorOf(createClient<AppConfig>(server).collections.articles.find())

      expect(thrown).toMatchObject({ status: 500, code: undefined })
    },
  )

  test("an extended answer that is malformed is an error with the status", async () => {
    await using server = await fakeServer({ headers: { "x-extendedjson": "1" }, body: [] })

    const thrown = await errorOf(createClient<AppConfig>(server).collections.articles.find())

    expect(thrown.status).toBe(200)
  })

  test("a server that cannot be reached is an error with status 0 and the cause", async () => {
    const closed = await fakeServer()
    await closed[Symbol.asyncDispose]()

    const thrown = await errorOf(createClient<AppConfig>(closed).collections.articles.find())

    expect(thrown).toMatchObject({ status: 0, url: `${closed.baseURL}/articles`, code: undefined })
    expect(thrown.cause).toBeInstanceOf(TypeError)
  })

  test("an answer that breaks off is an error with status 0", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("{", () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo

    const thrown = await errorOf(
      createClient<AppConfig>({ baseURL: `http://127.0.0.1:${port}` }).collections.articles.find(),
    )
    server.close()

    expect(thrown.status).toBe(0)
  })
})

async function errorOf(operation: Promise<unknown>): Promise<QuestpieClientError> {
  const outcome = await operation.then(
    () => "success",
    (error: unknown) => error,
  )
  if (outcome instanceof QuestpieClientError) return outcome
  throw new Error(`Expected an error of the client, got ${outcome}.`)
}
