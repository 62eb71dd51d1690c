import { ApiError, route, type Session } from "kit"
import { QuestpieClientError } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }
const described = (method: "get" | "post" | "put" | "patch" | "delete") =>
  route()
    [method]()
    .handler(({ input, params, request }) => ({
      method: request.method,
      input,
      params,
      path: new URL(request.url).pathname,
    }))

const routes = {
  adminStats: described("get"),
  "teams/invite": described("post"),
  "clubs/[club]/members": described("put"),
  "clubs/[club]/members/[member]": described("delete"),
  "clubs/[club]/name": described("patch"),
  "files/[...path]": described("get"),
  checked: route()
    .get()
    .schema(z.object({ page: z.coerce.number(), at: z.coerce.date().optional() }))
    .handler(({ input }) => input),
  dates: route().handler(({ input }) => input),
  nothing: route().handler(() => {}),
  me: route()
    .get()
    .handler(({ session }) => session),
  refused: route().handler(() => {
    throw new ApiError("CONFLICT", { message: "Taken.", fieldErrors: [{ path: "name", message: "Taken." }] })
  }),
  page: route()
    .get()
    .raw()
    .handler(() => new Response("<p>", { headers: { "content-type": "text/html" } })),
  "raw-json": route()
    .raw()
    .handler(() => Response.json({ a: 1 })),
  "raw-error": route()
    .raw()
    .handler(() => new Response("no", { status: 418 })),
}

let app: TestApp
let client: ReturnType<TestApp["client"]>["routes"]
beforeAll(async () => {
  app = await testApp({ routes })
  client = app.client().routes
})
afterAll(() => app[Symbol.asyncDispose]())

describe("the proxy", () => {
  test("a property is a segment in kebab-case, and a leaf sends its method", async () => {
    const answer = await client.adminStats.get({ a: 1, b: ["x"], c: null, d: { e: true } })

    expect(answer).toEqual({
      method: "GET",
      input: { a: "1", b: ["x"], d: { e: "true" } },
      params: {},
      path: "/api/admin-stats",
    })
  })

  test("a call without a leaf sends POST, and a leaf may be written in any case", async () => {
    const called = await client.teams.invite({ a: 1 })
    const posted = await client.teams.invite.POST({ a: 1 })

    expect(called).toEqual({ method: "POST", input: { a: 1 }, params: {}, path: "/api/teams/invite" })
    expect(posted).toEqual(called)
  })

  test("a $ puts a value into the path", async () => {
    const put = await client.clubs.$club("a/b ü").members.put([1])
    const deleted = await client.clubs.$club("x").members.$member(7).delete()
    const patched = await client.clubs.$club("X-Y").name.Patch({ name: "n" })
    const got = await client.files.$path(["a", "b/c"]).get()

    expect(put).toMatchObject({ method: "PUT", input: [1], params: { club: "a/b ü" } })
    expect(deleted).toMatchObject({ method: "DELETE", params: { club: "x", member: "7" } })
    expect(patched).toMatchObject({ method: "PATCH", input: { name: "n" }, params: { club: "X-Y" } })
    expect(got).toMatchObject({ method: "GET", params: { path: "a/b/c" } })
  })

  test.each([[""], ["."], [".."], [undefined], [[]], [{}]])("%j is no segment", (value) => {
    expect(() => client.clubs.$club(value)).toThrow(TypeError)
  })

  test("url is the address without a call", () => {
    expect(client.teams.inviteAll.url).toBe(`${app.url}/teams/invite-all`)
    expect(client.clubs.$club("a/b").url).toBe(`${app.url}/clubs/a%2Fb`)
  })

  test("a place is no promise", async () => {
    const place = await client.teams

    expect(place.invite.url).toBe(`${app.url}/teams/invite`)
    expect(JSON.stringify({ place })).toBe("{}")
  })

  test("a place in a text is its address, and nothing is sent for it", () => {
    expect(`${client.teams.invite} ${String(client.adminStats)}`).toBe(
      `${client.teams.invite.url} ${client.adminStats.url}`,
    )
  })

  test("what a query string cannot hold is refused before it is sent", async () => {
    await expect(client.adminStats.get({ a: new Map() })).rejects.toThrow("A query string cannot hold")
    await expect(client.adminStats.get(5)).rejects.toThrow("The input of a GET is an object")
    await expect(client.adminStats.get(new URLSearchParams("a=1"))).rejects.toThrow(TypeError)
  })
})

describe("answers", () => {
  test("dates and big integers survive both ways", async () => {
    const input = { at: new Date(5), big: 2n ** 60n, set: new Set([1]) }

    expect(await client.dates(input)).toEqual(input)
    expect(await client.checked.get({ page: 3, at: new Date(5) })).toEqual({ page: 3, at: new Date(5) })
  })

  test("nothing is null", async () => {
    expect(await client.nothing()).toBeNull()
  })

  test("the session travels along", async () => {
    expect(await app.client(ann).routes.me.get()).toEqual(ann)
  })

  test("JSON is read, and anything else is the Response itself", async () => {
    const page = await client.page.get()

    expect(await client.rawJson()).toEqual({ a: 1 })
    expect(page).toBeInstanceOf(Response)
    expect(await page.text()).toBe("<p>")
  })

  test("a refusal is a QuestpieClientError with what the server said", async () => {
    const error = await client.refused().catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(QuestpieClientError)
    expect(error).toMatchObject({ status: 409, code: "CONFLICT", message: "Taken.", url: `${app.url}/refused` })
    expect(error.getFieldError("name")).toEqual({ path: "name", message: "Taken." })
  })

  test("a refusal that is not JSON, and no answer at all, are one too", async () => {
    const odd = await client.rawError().catch((thrown: unknown) => thrown)
    const none = await app
      .client(undefined, { baseURL: "http://127.0.0.1:1" })
      .routes.me.get()
      .catch((thrown: unknown) => thrown)

    expect(odd).toMatchObject({ name: "QuestpieClientError", status: 418 })
    expect(none).toMatchObject({ name: "QuestpieClientError", status: 0 })
  })
})
