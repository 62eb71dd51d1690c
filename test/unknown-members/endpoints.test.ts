import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENDPOINT_TABLE } from "../../packages/kit/src/http/openapi/operations/endpoint-table.ts"
import type { TestApp } from "../support/worlds/test-app.ts"
import { contentOf, makeRecords, type Records, strictApp } from "./strict-app.ts"

/** How an endpoint is called with a misspelt member. */
interface Tried {
  path(records: Records): string
  /** A body that the endpoint accepts. Undefined for an endpoint that takes none. */
  readonly body?: object | FormData
  /** The misspelt option of the query string; `locael` unless set. */
  readonly option?: string
}

/** The reason why an endpoint is not tried. */
type Exempt = string

const thing = (suffix: string, body?: object): Tried => ({
  path: ({ id }) => `/things/${id}${suffix}`,
  ...(body && { body }),
})
const fixed = (path: string, body?: object): Tried => ({ path: () => path, ...(body && { body }) })
const ALL = { where: { name: "first" } }

const TRIED: Readonly<Record<string, Tried | Exempt>> = {
  "GET /": "has nothing to ask for; the addresses of probes may have anything behind a question mark",
  "GET /health": "a probe",
  "GET /_kit/health": "a probe",
  "GET /_kit/ready": "a probe",
  "GET /_kit/mail": "a page of development",
  "GET /_kit/mail/:id": "a page of development",
  "GET /_kit/dev": "a page of development",
  "GET /_kit/guide/:file": "a page of development",
  "GET /_kit/console": "a page, whose script reads what is behind the question mark",
  "GET /_kit/console/": "a page, as above",
  "GET /_kit/console/*path": "a page, as above",
  "POST /_kit/setup": "tried in test/console/set-up.test.ts, because this app has its own sessions",
  "GET /_kit/schema": fixed("/_kit/schema"),
  "GET /_kit/openapi.json": fixed("/_kit/openapi.json"),
  "POST /_kit/access": fixed("/_kit/access", { resource: "things", ids: [] }),
  "POST /_kit/find-by-title": fixed("/_kit/find-by-title", { query: "first" }),
  "POST /_kit/preview-url": { path: () => "/_kit/preview-url", body: { resource: "page" } },
  "POST /search/reindex/:collection": fixed("/search/reindex/things"),
  "POST /search": fixed("/search", { query: "first" }),
  "POST /realtime": fixed("/realtime", { topics: [] }),
  "POST /channels/publish": fixed("/channels/publish", { channel: "room", params: { id: "1" }, event: "said" }),
  "GET /_kit/channels/:channel/events": fixed("/_kit/channels/room/events"),
  "GET /:collection": fixed("/things"),
  "POST /:collection/query": fixed("/things/query", {}),
  "GET /:collection/count": fixed("/things/count"),
  "GET /_kit/aggregate/:collection": { path: () => "/_kit/aggregate/things", option: "coutn" },
  "POST /_kit/aggregate/:collection": fixed("/_kit/aggregate/things", { count: true }),
  "GET /:collection/:id": thing(""),
  "POST /:collection": fixed("/things", { name: "new" }),
  "PATCH /:collection/:id": thing("", { name: "changed" }),
  "DELETE /:collection/:id": thing("", {}),
  "POST /:collection/:id/restore": { path: ({ deleted }) => `/things/${deleted}/restore`, body: {} },
  "POST /:collection/:id/purge": { path: ({ deleted }) => `/things/${deleted}/purge`, body: {} },
  "GET /:collection/:id/versions": thing("/versions"),
  "POST /:collection/:id/revert": thing("/revert", { version: 1 }),
  "POST /:collection/:id/transition": thing("/transition", { stage: "shown" }),
  "GET /:collection/:id/transition": thing("/transition"),
  "DELETE /:collection/:id/transition": { path: ({ pending }) => `/things/${pending}/transition`, body: {} },
  "PATCH /:collection": fixed("/things", { ...ALL, data: { name: "changed" } }),
  "POST /:collection/update-batch": fixed("/things/update-batch", { updates: [] }),
  "POST /:collection/delete-many": fixed("/things/delete-many", ALL),
  "POST /:collection/upload": { path: () => "/pictures/upload", body: new FormData() },
  "GET /:collection/files/*key": { path: ({ picture }) => `/pictures/files/${picture.key}`, option: "widht" },
  "POST /:collection/:id/sign": { path: ({ picture }) => `/pictures/${picture.id}/sign` },
  "GET /:collection/meta": fixed("/things/meta"),
  "GET /:collection/schema": fixed("/things/schema"),
  "GET /:collection/:id/access": thing("/access"),
  "GET /globals/:name": fixed("/globals/page"),
  "PATCH /globals/:name": fixed("/globals/page", { note: "changed" }),
  "GET /globals/:name/versions": fixed("/globals/page/versions"),
  "POST /globals/:name/revert": fixed("/globals/page/revert", { version: 1 }),
  "POST /globals/:name/transition": fixed("/globals/page/transition", { stage: "shown" }),
  "GET /globals/:name/transition": fixed("/globals/page/transition"),
  "DELETE /globals/:name/transition": fixed("/globals/page/transition", {}),
  "GET /globals/:name/meta": fixed("/globals/page/meta"),
  "GET /globals/:name/schema": fixed("/globals/page/schema"),
  "GET /globals/:name/access": fixed("/globals/page/access"),
  "POST /crdt/:collection/:id/:field/updates": {
    ...thing("/text/updates"),
    path: ({ id }) => `/crdt/things/${id}/text/updates`,
  },
  "POST /crdt/globals/:name/:field/updates": fixed("/crdt/globals/page/memo/updates"),
}

// The calls of identity are those of its library, which has members of its own.
const isOfIdentity = (endpoint: string) => endpoint.includes(" /auth")
// The body of these calls is bytes, and not JSON.
const hasBinaryBody = (endpoint: string) => endpoint.includes(" /crdt")

let app: TestApp
let records: Records

beforeAll(async () => {
  app = await strictApp()
  records = await makeRecords(app)
})
afterAll(() => app[Symbol.asyncDispose]())

test("every endpoint is tried with a misspelt member, or says why not", () => {
  const endpoints = Object.keys(ENDPOINT_TABLE).filter((endpoint) => !isOfIdentity(endpoint))

  expect(Object.keys(TRIED).sort()).toEqual(endpoints.sort())
})

const tried = Object.entries(TRIED).flatMap(([endpoint, row]) =>
  typeof row === "string" ? [] : [{ endpoint, ...row }],
)

describe("a misspelt option in the query string is refused, and nothing is written", () => {
  test.each(tried)("$endpoint", async ({ endpoint, path, body, option = "locael" }) => {
    const before = await contentOf(app)

    const { status, body: answer } = await send(endpoint, `${path(records)}?${option}=en`, body)

    expect({ status, ...answer.error }).toMatchObject(refusalAt(option))
    expect(await contentOf(app)).toBe(before)
  })
})

describe("a misspelt member of the body is refused, and nothing is written", () => {
  const withBody = tried.filter(({ endpoint }) => !endpoint.startsWith("GET") && !hasBinaryBody(endpoint))

  test.each(withBody)("$endpoint", async ({ endpoint, path, body }) => {
    const before = await contentOf(app)

    const { status, body: answer } = await send(endpoint, path(records), misspelt(body))

    expect({ status, ...answer.error }).toMatchObject(refusalAt("expectedRevison"))
    expect(await contentOf(app)).toBe(before)
  })

  test("an item of update-batch", async () => {
    const update = { id: records.id, data: { name: "changed" }, expectedRevison: 99 }
    const before = await contentOf(app)

    const { status, body } = await send("POST", "/things/update-batch", { updates: [update] })

    expect({ status, ...body.error }).toMatchObject(refusalAt("updates.0.expectedRevison"))
    expect(await contentOf(app)).toBe(before)
  })
})

test("the error suggests the member that was meant", async () => {
  const { body } = await send("DELETE", `/things/${records.id}`, { expectedRevison: 99 })

  expect(body.error.message).toBe(
    'expectedRevison: There is no "expectedRevison" here. Did you mean "expectedRevision"?',
  )
})

test("a call that takes no body accepts an empty one", async () => {
  const path = `/pictures/${records.picture.id}/sign`
  const answers = [
    await app.fetch(path, { method: "POST" }),
    await app.fetch(path, { method: "POST", headers: { "content-type": "application/json" } }),
    await app.fetch(path, { method: "POST", body: "" }),
    await app.fetch(path, { method: "POST", body: "{}" }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test("a call that takes no body refuses any other", async () => {
  const path = `/pictures/${records.picture.id}/sign`
  const text = { headers: { "content-type": "text/plain" } }
  const answers = [
    await app.fetch(path, { method: "POST", body: "[1]" }),
    await app.fetch(path, { method: "POST", body: "null" }),
    await app.fetch(path, { method: "POST", body: "{" }),
    await app.fetch(path, { method: "POST", body: "seconds=60", ...text }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 415])
})

function refusalAt(path: string) {
  return { status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path }] }
}

function misspelt(body: object = {}): object {
  if (!(body instanceof FormData)) return { ...body, expectedRevison: 99 }
  const form = new FormData()
  form.append("expectedRevison", "99")
  form.append("file", new File(["text"], "b.txt", { type: "text/plain" }))
  return form
}

function send(endpoint: string, path: string, body?: object) {
  const [method = ""] = endpoint.split(" ")
  if (method === "GET") return app.fetch(path)
  if (hasBinaryBody(` ${path}`)) {
    const headers = { "content-type": "application/octet-stream" }
    return app.fetch(path, { method, headers, body: new Uint8Array() })
  }
  if (body === undefined) return app.fetch(path, { method })
  return app.fetch(path, { method, body: body instanceof FormData ? body : JSON.stringify(body) })
}
