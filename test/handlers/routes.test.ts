import { inspect } from "node:util"
import { ApiError, collection, route, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { sendRaw } from "../support/processes/raw-http.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", role: "editor" } }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(20).required().unique(), owner: f.text() }))
  .access({ read: true, create: ({ session }) => session && { owner: session.user.id } })

const routes = {
  stats: route()
    .get()
    .handler(async ({ collections }) => ({ posts: await collections["posts"]?.count() })),
  adminStats: route()
    .get()
    .handler(() => ({ at: new Date(0), big: 5n })),
  "posts/latest": route()
    .get()
    .handler(() => "latest"),
  "teams/index": route().handler(() => "the folder"),
  "teams/[team]/invite": route()
    .schema(z.strictObject({ email: z.email(), count: z.number().int().optional() }))
    .handler(({ input, params }) => ({ ...input, team: params["team"] })),
  "files/[...path]": route()
    .put()
    .handler(({ params }) => params),
  echo: route().handler(({ input }) => ({ input })),
  ask: route()
    .get()
    .schema(z.object({ page: z.coerce.number(), flag: z.boolean().optional(), tags: z.array(z.string()).optional() }))
    .handler(({ input }) => input),
  loose: route()
    .get()
    .handler(({ input }) => ({ input })),
  nothing: route().handler(() => {}),
  thenable: route().handler(
    // biome-ignore lint/suspicious/noThenProperty: a promise as some libraries make it.
    () => ({ then: (resolve: (value: number) => void) => resolve(7) }) as unknown as Promise<number>,
  ),
  response: route().handler(
    () =>
      new Response("<p>hello</p>", {
        status: 202,
        headers: [
          ["content-type", "text/html"],
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
          ["x-content-type-options", "own"],
        ],
      }),
  ),
  "no-content": route()
    .delete()
    .handler(() => new Response(null, { status: 204 })),
  output: route()
    .schema(z.object({ count: z.unknown() }))
    .output(z.object({ count: z.number() }))
    // The types of the author do not know this; the framework finds it at run time.
    .handler(({ input }) => ({ count: input.count as number, secret: "s" })),
  refused: route().handler(() => {
    throw new ApiError("CONFLICT", { message: "No.", context: { why: "because" } })
  }),
  create: route()
    .schema(z.object({ title: z.string() }))
    .handler(({ input, collections, session }) =>
      collections["posts"]?.create({ title: input.title, owner: session?.user.id }),
    ),
  raw: route()
    .raw()
    .handler(async ({ request, session }) => {
      const text = await request.text()
      return Response.json({
        text,
        type: request.headers.get("x-type"),
        url: request.url,
        user: session?.user.id ?? null,
      })
    }),
  health: route()
    .get()
    .handler(() => ({ status: "own" })),
}

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [posts], routes, config: { limits: { bodyBytes: 500, rawBodyBytes: 1_000 } } })
})
afterAll(() => app[Symbol.asyncDispose]())

describe("the path of a file is its URL", () => {
  test.each([
    ["GET", "/stats", { posts: 0 }],
    ["GET", "/admin-stats", { at: "1970-01-01T00:00:00.000Z", big: "5" }],
    ["GET", "/posts/latest", "latest"],
    ["POST", "/teams", "the folder"],
    ["PUT", "/files/a/b%2Fc/d", { path: "a/b/c/d" }],
    ["GET", "/health", { status: "own" }],
    ["GET", "/_kit/health", { status: "ok" }],
  ])("%s %s", async (method, path, expected) => {
    const answer = await app.fetch(path, { method })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(expected)
    expect(answer.headers.get("x-request-id")).toBeTruthy()
    expect(answer.headers.get("cache-control")).toBe("private, no-cache")
  })

  test.each([
    ["GET", "/stats/", 404],
    ["GET", "/adminStats", 404],
    ["GET", "/teams/", 404],
    ["POST", "/teams//invite", 404],
    ["GET", "/files", 404],
    ["PUT", "/files/a//b", 404],
    ["PUT", "/files/%2e%2e/etc/passwd", 404],
    ["PUT", "/files/a/../../etc/passwd", 404],
    ["PUT", "/files/%zz", 400],
  ])("%s %s is %i", async (method, path, status) => {
    const answer = await sendRaw(app.url, { method, path })

    expect(answer.status).toBe(status)
  })

  test("records and their paths are found as before beside a route below the collection", async () => {
    const record = await app.app.system.collections["posts"]?.create({ title: "one" })

    const found = await app.fetch(`/posts/${record?.["id"]}`)
    const count = await app.fetch("/posts/count")

    expect(found.body.title).toBe("one")
    expect(count.body).toEqual({ count: 1 })
    await app.database.query("delete from posts")
  })
})

describe("methods", () => {
  test("another method is 405 and says which are taken", async () => {
    const got = await app.fetch("/stats", { method: "POST", body: "{}" })
    const posted = await app.fetch("/echo")

    expect([got.status, got.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "POST"])
  })

  test("a header does not change the method", async () => {
    const answer = await app.fetch("/echo", { headers: { "x-http-method-override": "POST" } })

    expect(answer.status).toBe(405)
  })

  test("HEAD is GET without the body", async () => {
    const answer = await app.fetch("/stats", { method: "HEAD" })

    expect([answer.status, answer.body]).toEqual([200, null])
    expect(answer.headers.get("content-length")).toBe(String(JSON.stringify({ posts: 0 }).length))
  })
})

describe("input", () => {
  test("a body is what the schema makes of it", async () => {
    const answer = await app.fetch("/teams/a%2Fb/invite", { method: "POST", body: '{"email":"a@b.sk","count":2}' })

    expect(answer.body).toEqual({ email: "a@b.sk", count: 2, team: "a/b" })
  })

  test.each([
    ['{"email":"a@b.sk","extra":1}', ""],
    ['{"email":["a@b.sk"]}', "email"],
    ['{"email":"a@b.sk","count":"2"}', "count"],
    ['{"email":"a@b.sk","count":true}', "count"],
    ['{"email":null}', "email"],
    ["[]", ""],
    ["null", ""],
    ["", ""],
  ])("%s is 400 with the path", async (body, path) => {
    const answer = await app.fetch("/teams/x/invite", { method: "POST", body })

    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe("VALIDATION_ERROR")
    expect(answer.body.error.fieldErrors[0].path).toBe(path)
  })

  test.each([
    ["page=2", 200],
    ["page=2&flag=true", 400],
    ["page=2&flag=1", 400],
    ["page[]=2&page[]=3", 400],
    ["page=2&tags=x", 400],
    ["page=2&tags[]=x", 200],
    ["page=two", 400],
    ["", 400],
    ["page=1&page=2", 400],
  ])("a query is text, and only the schema reads more into it: %s is %i", async (query, status) => {
    const answer = await app.fetch(`/ask?${query}`)

    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body.page).toBe(2)
  })

  test("what a schema does not name does not reach the handler", async () => {
    const answer = await app.fetch("/ask?page=2&other=1")

    expect(answer.body).toEqual({ page: 2 })
  })

  test("without a schema the input is what was sent", async () => {
    const body = await app.fetch("/echo", { method: "POST", body: '{"a":[1,null]}' })
    const query = await app.fetch("/loose?a[b]=1&c[]=2")
    const none = await app.fetch("/echo", { method: "POST" })

    expect(body.body).toEqual({ input: { a: [1, null] } })
    expect(query.body).toEqual({ input: { a: { b: "1" }, c: ["2"] } })
    expect(none.body).toEqual({})
  })

  test("extended JSON is read and answered", async () => {
    const answer = await app.fetch("/echo", {
      method: "POST",
      headers: { "x-extendedjson": "1" },
      body: '{"json":{"at":"2026-01-01T00:00:00.000Z"},"meta":{"values":{"at":"Date"}}}',
    })

    expect(answer.body.meta.values).toEqual({ "input.at": "Date" })
  })

  test.each([
    ["a form", "application/x-www-form-urlencoded", "a=1", 415],
    ["broken JSON", "application/json", "{", 400],
    ["a name of a prototype", "application/json", '{"__proto__":{}}', 400],
    ["a body that is too long", "application/json", `"${"x".repeat(600)}"`, 413],
  ])("%s is refused", async (_name, type, body, status) => {
    const answer = await app.fetch("/echo", { method: "POST", body, headers: { "content-type": type } })

    expect(answer.status).toBe(status)
  })
})

describe("answers", () => {
  test("nothing is null", async () => {
    const answer = await app.fetch("/nothing", { method: "POST" })

    expect([answer.status, answer.body, answer.headers.get("content-length")]).toEqual([200, null, "4"])
  })

  test("an answer that is there at once leaves the connection open", async () => {
    const { headers } = await app.fetch("/posts/latest")

    expect(headers.get("connection")).toBe("keep-alive")
  })

  test("a promise of another library is waited for", async () => {
    const answer = await app.fetch("/thenable", { method: "POST" })

    expect(answer.body).toBe(7)
  })

  test("a Response is passed on as it is, with the headers that every answer has", async () => {
    const response = await fetch(`${app.url}/response`, { method: "POST" })

    expect(response.status).toBe(202)
    expect(await response.text()).toBe("<p>hello</p>")
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"])
    expect(response.headers.get("content-type")).toBe("text/html")
    expect(response.headers.get("x-content-type-options")).toBe("own")
    expect(response.headers.get("x-request-id")).toBeTruthy()
  })

  test("a Response without a body has none", async () => {
    const response = await fetch(`${app.url}/no-content`, { method: "DELETE" })

    expect([response.status, await response.text()]).toEqual([204, ""])
  })

  test("the output schema shapes the answer; what does not fit is a failure of the server", async () => {
    const fits = await app.fetch("/output", { method: "POST", body: '{"count":3}' })
    const fails = await app.fetch("/output", { method: "POST", body: '{"count":"three"}' })

    expect(fits.body).toEqual({ count: 3 })
    expect(fails.status).toBe(500)
    expect(Object.keys(fails.body.error)).toEqual(["code", "message", "requestId"])
    expect(inspect(app.logged.at(-1))).toContain("The result of POST /output does not fit its .output(): count")
  })

  test("an ApiError reaches the caller", async () => {
    const answer = await app.fetch("/refused", { method: "POST" })

    expect(answer.body.error).toMatchObject({ code: "CONFLICT", message: "No.", context: { why: "because" } })
  })

  test("collections act as the caller, and what they refuse is refused to the caller", async () => {
    const anonymous = await app.fetch("/create", { method: "POST", body: '{"title":"x"}' })
    const created = await app.fetch("/create", { method: "POST", body: '{"title":"x"}', session: ann })
    const again = await app.fetch("/create", { method: "POST", body: '{"title":"x"}', session: ann })

    expect([anonymous.status, created.status, again.status]).toEqual([401, 200, 409])
    expect(again.body.error.fieldErrors[0].path).toBe("title")
  })
})

describe("raw routes", () => {
  test("the handler reads the request itself", async () => {
    const answer = await app.fetch("/raw?x=1", {
      method: "POST",
      body: "any text",
      headers: { "content-type": "text/plain", "x-type": "own" },
      session: ann,
    })

    expect(answer.body).toEqual({ text: "any text", type: "own", url: `${app.url}/raw?x=1`, user: ann.user.id })
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
  })

  test.each(["server", "fetch handler"])("a body past the limit is 413, through the %s", async (way) => {
    const init = { method: "POST", body: "x".repeat(1_001) }

    const response =
      way === "server"
        ? await fetch(`${app.url}/raw`, init)
        : await app.app.handler(new Request(`http://localhost${app.app.basePath}/raw`, init))

    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } })
  })

  test("they go without a schema", () => {
    // @ts-expect-error a raw route reads its request itself
    expect(() => route().schema(z.string()).raw()).toThrow("leave out .schema() and .output(), or leave out .raw()")
    // @ts-expect-error a raw route reads its request itself
    expect(() => route().raw().schema(z.string())).toThrow("leave out .schema() and .output(), or leave out .raw()")
  })
})

describe("the builder", () => {
  test("every step is a new frozen value", () => {
    const first = route()
    const second = first.get()

    expect(first.draft.method).toBe("POST")
    expect(second.draft.method).toBe("GET")
    const finished = second.access(false).handler(() => 1)
    for (const value of [first, second, first.draft, second.draft, finished, finished.definition]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
  })

  test("what is no schema is refused where it is written", () => {
    expect(() => route().schema({} as never)).toThrow(".schema() takes a Standard Schema")
  })
})
