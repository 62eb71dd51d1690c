import { Agent, request } from "node:http"
import { collection, global } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sendRaw } from "../support/processes/raw-http.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true } as const

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text(40).required(),
    big: f.number().bigint(),
    at: f.datetime(),
    parent: f.relation("things"),
  }))
  .access(open)
const site = global("site")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true, update: true })

let app: TestApp
let id: string
beforeAll(async () => {
  app = await testApp({ resources: [things, site] })
  const created = await app.fetch("/things", { method: "POST", body: '{"name":"one","big":"9007199254740993"}' })
  id = created.body.id
})
afterAll(() => app[Symbol.asyncDispose]())

describe("the mount path", () => {
  test.each([
    "/",
    "/things",
    "/apix/things",
    "/API/things",
    "/API",
    "/apix",
    "/v1/api/things",
    "/%61pi/things",
    "//api/things",
    "/favicon.ico",
  ])("%s is outside of it and answers 404 in JSON", async (path) => {
    const answer = await sendRaw(new URL(app.url).origin, { path })

    const { host } = new URL(app.url)
    const message = `The API is mounted at "/api". Write createClient({ baseURL: "http://${host}", basePath: "/api" }).`
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND", message } } })
  })

  test.each([
    [{ app: { url: "https://news.example.com/about" } }, "localhost", '"https://news.example.com", basePath: "/api"'],
    [{ basePath: "/v2" }, "news.example.com", '"https://…", basePath: "/v2"'],
    [{ basePath: "/v2" }, "127.0.0.1:4000", '"http://127.0.0.1:4000", basePath: "/v2"'],
  ])("with %j, a request to %s learns what to write in createClient", async (config, host, written) => {
    await using other = await testApp({ resources: [site], config })

    const answer = await sendRaw(new URL(other.url).origin, { path: "/globals/site", headers: { host } })

    expect(answer.body.error.message).toContain(`Write createClient({ baseURL: ${written} }).`)
  })

  test.each([
    ["/api", "kit", {}],
    ["/v2/rest", "Newsroom", { basePath: "v2/rest/", app: { name: "Newsroom" } }],
    ["", "kit", { basePath: "/" }],
  ])("%j shows the app %s, with and without a slash at its end", async (mounted, name, config) => {
    await using other = await testApp({ resources: [site], config })
    const send = (path: string, method = "GET") => sendRaw(new URL(other.url).origin, { path, method })
    const paths = [`${mounted}/`, `${mounted}/?x=1`, ...(mounted === "" ? [] : [mounted, `${mounted}?x=1`])]

    for (const path of paths) {
      const got = await send(path)
      const health = await send(got.body.health)

      expect(got).toMatchObject({ status: 200, headers: { "content-type": "application/json; charset=utf-8" } })
      expect(got.body).toEqual({
        name,
        kit: expect.stringMatching(/^\d+\.\d+\.\d+/),
        health: `${mounted}/_kit/health`,
      })
      expect(health).toMatchObject({ status: 200, body: { status: "ok" } })
      expect(await send(path, "HEAD")).toMatchObject({ status: 200, text: "" })
      expect(await send(path, "POST")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } })
      expect(await send(path, "OPTIONS")).toMatchObject({ status: 204, headers: { allow: "GET, HEAD" } })
    }
  })

  test("is not suggested for a short path that does not exist", async () => {
    const answer = await app.fetch("/x")

    expect(answer).toMatchObject({ status: 404, body: { error: { message: "There is no such collection." } } })
  })

  test.each([
    ["/", ""],
    ["v2", "/v2"],
    ["/v2/", "/v2"],
    ["/a/b", "/a/b"],
  ])("the setting %j mounts the API at %j", async (basePath, mounted) => {
    await using other = await testApp({ resources: [site], config: { basePath } })

    const answer = await sendRaw(new URL(other.url).origin, { path: `${mounted}/globals/site` })

    expect(other.app.basePath).toBe(mounted)
    expect(answer).toMatchObject({ status: 200, body: null })
  })
})

describe("paths", () => {
  test.each(["/things/", "/things/count/", "//", "/globals/site/", "/things//count"])(
    "%s is another path than without the slash",
    async (path) => {
      const answer = await sendRaw(app.url, { path })

      expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
    },
  )

  test.each([
    ["PUT", "/things", "GET, HEAD, PATCH, POST"],
    ["DELETE", "/things", "GET, HEAD, PATCH, POST"],
    ["POST", "/things/count", "GET, HEAD"],
    ["PUT", "/things/01890000-0000-7000-8000-00000000000a", "DELETE, GET, HEAD, PATCH"],
    ["POST", "/globals/site", "GET, HEAD, PATCH"],
    ["DELETE", "/globals/site", "GET, HEAD, PATCH"],
    ["POST", "/health", "GET, HEAD"],
    ["PROPFIND", "/things", "GET, HEAD, PATCH, POST"],
    ["TRACE", "/things", "GET, HEAD, PATCH, POST"],
  ])("%s %s answers 405 and allows %s", async (method, path, allow) => {
    const answer = await sendRaw(app.url, { method, path })

    expect(answer).toMatchObject({ status: 405, headers: { allow }, body: { error: { code: "METHOD_NOT_ALLOWED" } } })
  })

  test.each([
    ["POST", "/thngs/publish", "There is no such path."],
    ["PUT", "/tings", 'There is no such path. Did you mean "/things"?'],
    ["DELETE", "/tings/count", 'There is no such path. Did you mean "/things/count"?'],
    ["POST", "/things/publish", "There is no such path."],
    ["PUT", "/things/count/files/x", "There is no such path."],
    ["PUT", "/things/files/x", "There is no such path."],
    ["POST", "/globals/sites", "There is no such path."],
    ["PUT", "/helth", 'There is no such path. Did you mean "/health"?'],
    ["POST", "/auth/sing-in/email", "There is no such path."],
    ["GET", "/tings", 'There is no such collection. Did you mean "things"?'],
    ["GET", "/globals/sites", 'There is no such global. Did you mean "site"?'],
    ["GET", "/nothing-like-it", "There is no such collection."],
  ])("%s %s leads nowhere, and is told what is near it", async (method, path, message) => {
    const answer = await sendRaw(app.url, { method, path })

    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
    expect(answer.headers["allow"]).toBeUndefined()
    expect(answer.body.error.message).toBe(message)
  })

  test("an encoded name is the same name", async () => {
    const answer = await sendRaw(app.url, { path: "/%74hings/coun%74" })

    expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
  })

  test("HEAD answers the status and headers of GET without a body", async () => {
    const found = await sendRaw(app.url, { method: "HEAD", path: `/things/${id}` })
    const missing = await sendRaw(app.url, { method: "HEAD", path: "/things/x" })
    const get = await sendRaw(app.url, { path: `/things/${id}` })

    expect([found.status, found.text, missing.status, missing.text]).toEqual([200, "", 404, ""])
    expect(found.headers["content-type"]).toBe(get.headers["content-type"])
    expect(missing.headers["x-request-id"]).toBeTruthy()
  })

  test("a connection carries many requests, refused ones too", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const requests = [
      "GET /things",
      "POST /things",
      "POST /nope",
      "HEAD /things",
      "PUT /things",
      "DELETE /nope/1",
      "GET /health",
    ]

    const answers = []
    for (const line of requests) answers.push(await sendBy(agent, line))

    agent.destroy()
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 200, 405, 404, 200])
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1)
  })
})

function sendBy(agent: Agent, line: string): Promise<{ status: number | undefined; port: number | undefined }> {
  const [method = "", path] = line.split(" ")
  const headers = { "content-type": "application/json" }
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { agent, method, headers }, (answer) => {
      const port = answer.socket.localPort
      answer.resume().on("end", () => resolve({ status: answer.statusCode, port }))
    })
    sent.on("error", reject).end(method === "POST" || method === "PUT" ? "{" : undefined)
  })
}

describe("headers of every answer", () => {
  test.each([
    ["a page", "/things", 200],
    ["an error", "/nope", 404],
    ["the health check", "/_kit/health", 200],
    ["the readiness check", "/_kit/ready", 200],
  ])("%s says its type, version and request id", async (_name, path, status) => {
    const answer = await app.fetch(path)

    expect(answer.status).toBe(status)
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    expect(answer.headers.get("x-kit-version")).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{22}$/)
    expect(answer.headers.get("cache-control")).toBe(status === 200 ? "private, no-cache" : "no-store")
    expect(answer.headers.get("x-powered-by")).toBeNull()
    expect(answer.headers.get("x-extendedjson")).toBeNull()
  })

  test("a request id is taken over, in the header and in an error", async () => {
    const headers = { "x-request-id": "trace-42_A" }

    const found = await app.fetch("/things", { headers })
    const missing = await app.fetch("/nope", { headers })

    expect(found.headers.get("x-request-id")).toBe("trace-42_A")
    expect(missing.headers.get("x-request-id")).toBe("trace-42_A")
    expect(missing.body.error.requestId).toBe("trace-42_A")
  })

  test.each(["", "a b", "<script>", "a\tb", "x".repeat(65), "a,b", "ü"])(
    "the request id %j is replaced",
    async (given) => {
      const first = await sendRaw(app.url, { path: "/nope", headers: { "x-request-id": given } })
      const second = await sendRaw(app.url, { path: "/nope", headers: { "x-request-id": given } })

      expect(first.body.error.requestId).toMatch(/^[\w-]{22}$/)
      expect(first.body.error.requestId).not.toBe(second.body.error.requestId)
    },
  )
})

describe("bodies", () => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    sendRaw(app.url, {
      method: "POST",
      path: "/things",
      body,
      headers: { "content-type": "application/json", ...headers },
    })

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    " application/json ;charset=UTF-8",
  ])("%s is taken", async (type) => {
    expect((await post('{"name":"typed"}', { "content-type": type })).status).toBe(201)
  })

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "text/json",
    "application/xml",
    "json",
    "",
  ])("the content type %j is refused", async (type) => {
    const answer = await post('{"name":"x"}', { "content-type": type })

    expect(answer).toMatchObject({ status: 415, body: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } } })
  })

  test("a body without a content type and a compressed one are refused", async () => {
    const untyped = await sendRaw(app.url, { method: "POST", path: "/things", body: "{}" })
    const compressed = await post("{}", { "content-encoding": "gzip" })
    const identity = await post('{"name":"plain"}', { "content-encoding": "identity" })

    expect([untyped.status, compressed.status, identity.status]).toEqual([415, 415, 201])
  })

  test("a request without a body hears that, and not about the type of what it has not sent", async () => {
    const answer = await sendRaw(app.url, { method: "POST", path: "/things" })

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("The body is empty. Send JSON.") })
  })

  test.each([
    ["an empty body", ""],
    ["broken JSON", '{"name":'],
    ["two values", "{}{}"],
    ["a trailing comma", '{"name":"x",}'],
    ["single quotes", "{'name':'x'}"],
    ["NaN", '{"name":NaN}'],
    ["a byte order mark alone", "\ufeff"],
    ["white space", "  \n"],
  ])("%s is a malformed request", async (_name, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  })

  test("bytes that are not UTF-8 are a malformed request", async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])

    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  })

  test("the limit is configurable and exact", async () => {
    await using small = await testApp({ resources: [things], config: { limits: { bodyBytes: 100 } } })
    const bodyOf = (bytes: number) => `{"name":"x"${" ".repeat(bytes - 12)}}`
    const send = (bytes: number) => small.fetch("/things", { method: "POST", body: bodyOf(bytes) })

    const fits = await send(100)
    const over = await send(101)

    expect(fits.status).toBe(201)
    expect(over).toMatchObject({ status: 413, body: { error: { code: "PAYLOAD_TOO_LARGE" } } })
  })

  test("a chunked body is read like any other", async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (const part of ['{"na', 'me":"chu', 'nked"}']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })

    const answer = await app.fetch("/things", { method: "POST", body: chunks, duplex: "half" } as RequestInit)

    expect(answer).toMatchObject({ status: 201, body: { name: "chunked" } })
  })

  test("a body that nobody asked for is refused, and does not disturb the answer", async () => {
    const answer = await sendRaw(app.url, { path: `/things/${id}`, body: "x".repeat(100_000) })

    expect(answer).toMatchObject({ status: 415, body: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } } })
  })
})

describe("query strings", () => {
  test.each([
    ["where[nmae]=x", "where.nmae", 'There is no field "nmae". Did you mean "name"?'],
    [
      "where[name][startWith]=x",
      "where.name.startWith",
      'The field "name" has no operator "startWith". Did you mean "startsWith"?',
    ],
    ["limt=5", "limt", 'There is no option "limt" here. Did you mean "limit"?'],
    ["orderBy[name]=up", "orderBy.name", 'Expected "asc" or "desc".'],
    ["with[name]=true", "with.name", 'There is no relation "name". Known: parent.'],
    ["where[at][gt]=yesterday", "where.at.gt", "Expected a date and time such as 2026-05-04T10:30:00Z."],
    ["limit=5&limit=6", "limit", "Given twice. Send it once."],
    ["where[name]=%zz", "where.name", "This is not percent-encoded UTF-8."],
    ["columns[name]=true&columns[at]=false", "columns", "Use either true or false, not both."],
  ])("%s is refused at %s", async (query, path, message) => {
    const answer = await app.fetch(`/things?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(answer.body.error.fieldErrors).toEqual([{ path, message }])
    expect(answer.body.error.message).toBe(`${path}: ${message}`)
  })

  test.each([
    "GET /things/ID?groupBy=name",
    "POST /things?where[name]=x",
    "DELETE /things/ID?with[parent]=true",
    "DELETE /things/ID?where[name]=x",
    "GET /things/count?groupBy=name",
    "GET /globals/site?where[title]=x",
    "PATCH /globals/site?x=1",
  ])("%s names an option that this operation does not have", async (line) => {
    const [method = "", path = ""] = line.replace("ID", id).split(" ")

    const answer = await app.fetch(path, {
      method,
      ...(["POST", "PATCH"].includes(method) && { body: '{"name":"x"}' }),
    })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })
})
