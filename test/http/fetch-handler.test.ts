import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }
const NOW = new Date("2026-05-04T10:30:00Z")

const things = collection("things")
  .fields(({ f }) => ({ name: f.text(40).required(), big: f.number().bigint(), owner: f.text() }))
  .access({ read: true, create: isSignedIn, update: isSignedIn, delete: isSignedIn })
const site = global("site")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true, update: isSignedIn })

function isSignedIn({ session }: { session: Session | null }): boolean {
  return session !== null
}

let app: TestApp
let id: string
beforeAll(async () => {
  app = await testApp({ resources: [things, site], now: () => NOW, config: { limits: { bodyBytes: 1_000 } } })
  id = String((await app.app.system.collections["things"]?.create({ name: "one", big: 5n }))?.["id"])
})
afterAll(() => app[Symbol.asyncDispose]())

const json = { "content-type": "application/json" }
const signedIn = { ...json, cookie: sessions.sign(ann) }
const extended = { "x-extendedjson": "1" }

const requests: readonly (readonly [string, string, RequestInit])[] = [
  ["a page", "/api/things?where[name]=one&columns[name]=true", {}],
  ["a page with brackets encoded", "/api/things?where%5Bname%5D%5Bcontains%5D=%C3%B6", {}],
  ["a page with a plus and a space", "/api/things?search=a+b%20c", {}],
  ["a page in extended JSON", "/api/things", { headers: extended }],
  ["a count", "/api/things/count", {}],
  ["a record", "/api/things/ID", {}],
  ["a head", "/api/things/ID", { method: "HEAD" }],
  ["a head of nothing", "/api/things/nope", { method: "HEAD" }],
  ["an empty global", "/api/globals/site", {}],
  ["an empty global in extended JSON", "/api/globals/site", { headers: extended }],
  ["the health check", "/api/health", {}],
  ["the mount path", "/api", {}],
  ["the mount path with a slash", "/api/", { method: "HEAD" }],
  ["an unknown path", "/api/a/b/c/d", {}],
  ["a path outside", "/things", {}],
  ["dots in the path", "/api/x/../things/count", {}],
  ["a path that is not encoded correctly", "/api/things/%E0%A4", {}],
  ["a wrong method", "/api/things", { method: "PUT", body: "{}", headers: json }],
  ["an unknown field", "/api/things?where[nmae]=x", {}],
  ["an unknown field in extended JSON", "/api/things?where[nmae]=x", { headers: extended }],
  ["a query that is not encoded correctly", "/api/things?search=%ff", {}],
  ["a create", "/api/things", { method: "POST", body: '{"name":"two"}', headers: signedIn }],
  [
    "a create in extended JSON",
    "/api/things",
    {
      method: "POST",
      body: '{"json":{"name":"two","big":"7"},"meta":{"values":{"big":"BigInt"}}}',
      headers: { ...signedIn, ...extended },
    },
  ],
  ["a create by nobody", "/api/things", { method: "POST", body: '{"name":"two"}', headers: json }],
  ["a change", "/api/things/ID", { method: "PATCH", body: '{"big":6}', headers: signedIn }],
  ["an empty body", "/api/things", { method: "POST", body: "", headers: signedIn }],
  ["no body", "/api/things", { method: "POST", headers: signedIn }],
  ["broken JSON", "/api/things", { method: "POST", body: "{", headers: signedIn }],
  ["bytes that are not UTF-8", "/api/things", { method: "POST", body: new Uint8Array([0xff]), headers: signedIn }],
  [
    "a body over the limit",
    "/api/things",
    { method: "POST", body: `{"name":"${"x".repeat(1_000)}"}`, headers: signedIn },
  ],
  [
    "a body of another type",
    "/api/things",
    { method: "POST", body: "name=x", headers: { "content-type": "text/plain" } },
  ],
  [
    "a compressed body",
    "/api/things",
    { method: "POST", body: "x", headers: { ...signedIn, "content-encoding": "gzip" } },
  ],
  ["a request id", "/api/nope", { headers: { "x-request-id": "mine" } }],
]

/**
 * Returns the parts of an answer that are equal for equal requests: without ids, and without headers of a connection.
 */
async function comparable(response: Response) {
  const own = ["date", "connection", "keep-alive", "content-length", "x-request-id", "transfer-encoding"]
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)))
  const text = (await response.text()).replaceAll(/"(requestId|id)":"[^"]*"/g, '"$1":"…"')
  return { status: response.status, headers, text }
}

describe("the handler for web-standard requests", () => {
  test.each(requests)("answers %s as the server does", async (_name, path, init) => {
    const url = new URL(path.replace("ID", id), app.url)

    const byServer = await comparable(await fetch(url, init))
    const byHandler = await comparable(await app.app.handler(new Request(url, init)))

    expect(byHandler).toEqual(byServer)
  })

  test("takes over a request id, or makes one", async () => {
    const given = await app.app.handler(new Request(`${app.url}/nope`, { headers: { "x-request-id": "mine" } }))
    const made = await app.app.handler(new Request(`${app.url}/nope`))

    expect(given.headers.get("x-request-id")).toBe("mine")
    expect(made.headers.get("x-request-id")).toMatch(/^[\w-]{22}$/)
  })

  test("reads a body no further than to the limit", async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(500))
      },
    })

    const answer = await app.app.handler(streamed(endless))

    expect(answer.status).toBe(413)
    expect(pulled).toBeLessThan(10)
  })

  test("answers a body that breaks off as a malformed request", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"na')),
      pull: (controller) => controller.error(new Error("connection reset")),
    })

    const answer = await app.app.handler(streamed(broken))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: "BAD_REQUEST" } })
  })
})

function streamed(body: ReadableStream): Request {
  return new Request(`${app.url}/things`, { method: "POST", body, headers: signedIn, duplex: "half" } as RequestInit)
}

test("a session provider finds a header however it spells its name", async () => {
  const token = {
    read: (headers: { get(name: string): string | null }) =>
      headers.get("Authorization") === "Bearer ann" ? ann : null,
  }
  await using own = await testApp({ resources: [things], config: { sessions: token } })
  const init = { method: "POST", body: '{"name":"two"}', headers: { ...json, authorization: "Bearer ann" } }

  const byServer = await fetch(`${own.url}/things`, init)
  const byHandler = await own.app.handler(new Request(`${own.url}/things`, init))

  expect([byServer.status, byHandler.status]).toEqual([201, 201])
})
