import { type App, startNodeServer } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sendRaw } from "../../support/processes/raw-http.ts"
import { describeBodies } from "./bodies.ts"
import { describeConnections } from "./connections.ts"
import { type HostWorld, hostWorld } from "./host-world.ts"
import { describeLive } from "./live.ts"
import { describeRecords } from "./records.ts"
import type { RunningHost, StartHost } from "./running-host.ts"
import { describeUploads } from "./uploads.ts"

export interface HostFacts {
  readonly name: string
  readonly start: StartHost
  /** True if the host itself answers paths that are not percent-encoded correctly. */
  readonly refusesBadPaths?: boolean
  /** True if the host reports the address of the caller. */
  readonly tellsAddress: boolean
}

/** The running app and host that a test needs. */
export interface Served {
  readonly world: HostWorld
  readonly origin: string
  /** The URL of the base path on the host. */
  readonly url: string
}

/** Checks every promise of the HTTP API for the app inside this host. */
export function describeHost(facts: HostFacts): void {
  describe(facts.name, () => {
    let world: HostWorld
    let host: RunningHost
    beforeAll(async () => {
      world = await hostWorld({ limits: { rate: false } })
      host = await facts.start(world.app)
    })
    afterAll(async () => {
      await host.stop()
      await world[Symbol.asyncDispose]()
    })
    const served = (): Served => ({ world, origin: host.origin, url: `${host.origin}/api` })

    describeRecords(served)
    describeBodies(served)
    describeUploads(served)
    describeConnections(served)
    describeLive(served)
    describePaths(served, facts)
    describeOracle(served)
    describeMount(facts, () => world)
  })
}

function describePaths(served: () => Served, { refusesBadPaths = false }: HostFacts): void {
  test("keeps an encoded slash inside of its segment", async () => {
    const answer = await fetch(`${served().url}/files/a%2Fb/c%20d`)

    expect(await answer.json()).toEqual({ path: "a/b/c d" })
  })

  test("answers a path that is not percent-encoded correctly with 400", async () => {
    const answer = await sendRaw(served().url, { path: "/notes/%E0%A4" })

    expect(answer.status).toBe(400)
    if (!refusesBadPaths) expect(answer.body).toMatchObject({ error: { code: "BAD_REQUEST" } })
  })

  test("reads slashes that are doubled as another path", async () => {
    const inside = await sendRaw(served().url, { path: "//notes" })
    const outside = await sendRaw(served().origin, { path: "//api/notes" })

    expect([inside.status, inside.body?.error?.code]).toEqual([404, "NOT_FOUND"])
    expect(outside.status).toBe(404)
  })

  test("takes long segments to the app", async () => {
    const answer = await sendRaw(served().url, { path: `/notes/${"x".repeat(4_000)}` })

    expect([answer.status, answer.body?.error?.code]).toEqual([404, "NOT_FOUND"])
  })
}

const REQUESTS: readonly (readonly [string, string, RequestInit?])[] = [
  ["a page", "/notes?where[title][contains]=x&orderBy[title]=asc&columns[title]=true"],
  ["a page with brackets encoded", "/notes?where%5Btitle%5D%5Bcontains%5D=%C3%B6"],
  ["a plus and a space", "/notes?search=a+b%20c"],
  ["extended JSON", "/notes", { headers: { "x-extendedjson": "1" } }],
  ["an unknown field", "/notes?where[ttile]=x"],
  ["an unknown path", "/a/b/c/d"],
  ["a wrong method", "/notes", { method: "PUT", body: "{}", headers: { "content-type": "application/json" } }],
  ["a create by nobody", "/notes", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
  ["an invited origin", "/notes", { headers: { origin: "https://admin.example.com" } }],
  ["a foreign origin", "/notes", { method: "POST", headers: { origin: "https://evil.test", cookie: "a=b" } }],
  ["a head", "/notes", { method: "HEAD" }],
  ["methods", "/notes", { method: "OPTIONS" }],
  ["cookies", "/cookies"],
  ["the health check", "/health"],
]

function describeOracle(served: () => Served): void {
  test("answers as kit's own server does", async () => {
    const { world, url } = served()
    const own = await startNodeServer(world.app.handle, { port: 0, host: "127.0.0.1" })

    for (const [name, path, init] of REQUESTS) {
      const expected = await comparable(await fetch(`http://127.0.0.1:${own.port}/api${path}`, init))
      expect(await comparable(await fetch(`${url}${path}`, init)), name).toEqual(expected)
    }

    await own.stop()
  })
}

/**
 * Returns the parts of an answer that are equal for equal requests: without ids, and without headers of a connection or
 * host.
 */
async function comparable(response: Response) {
  const own = [
    "date",
    "connection",
    "keep-alive",
    "content-length",
    "x-request-id",
    "transfer-encoding",
    "x-powered-by",
  ]
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)))
  const text = (await response.text()).replaceAll(/"requestId":"[^"]*"/g, '"requestId":"…"')
  return { status: response.status, headers, cookies: response.headers.getSetCookie(), text }
}

function describeMount({ start, tellsAddress }: HostFacts, shared: () => HostWorld): void {
  test("leaves what lies outside of the base path to the host", async () => {
    await using mounted = await mount(start, shared(), {})

    const own = await fetch(`${mounted.origin}/host/ping`)
    const missing = await fetch(`${mounted.origin}/nowhere`)
    const similar = await fetch(`${mounted.origin}/apis/notes`)

    expect([own.status, await own.text()]).toEqual([200, "pong"])
    for (const answer of [missing, similar]) {
      expect([answer.status, answer.headers.get("x-kit-version")]).toEqual([404, null])
    }
  })

  test("answers at the base path itself, with and without a slash at its end", async () => {
    await using mounted = await mount(start, shared(), {})
    const shown = { name: "kit", kit: expect.any(String), health: "/api/_kit/health" }

    for (const path of ["/api", "/api/", "/api?x=1"]) {
      const answer = await fetch(`${mounted.origin}${path}`)
      const refused = await fetch(`${mounted.origin}${path}`, { method: "DELETE" })

      expect({ path, status: answer.status, body: await answer.json() }).toEqual({ path, status: 200, body: shown })
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    }
  })

  test("may have the root as its base path, beside a route of the host", async () => {
    await using mounted = await mount(start, shared(), { basePath: "/" })

    const notes = await fetch(`${mounted.origin}/notes/count`)
    const own = await fetch(`${mounted.origin}/host/ping`)
    const missing = await fetch(`${mounted.origin}/no/such/path`)
    const root = await fetch(mounted.origin)

    expect(await root.json()).toMatchObject({ health: "/_kit/health" })
    expect([notes.status, notes.headers.has("x-kit-version")]).toEqual([200, true])
    expect(await own.text()).toBe("pong")
    expect(await missing.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
  })

  test("counts callers by the address that the host or a trusted proxy tells", async () => {
    const rate = { perAddress: { requests: 1, windowSeconds: 60 } }
    await using direct = await mount(start, shared(), { limits: { rate } })
    await using behind = await mount(start, shared(), { limits: { rate, trustedProxies: 1 } })

    const from = async ({ origin }: { origin: string }, address: string) =>
      (await fetch(`${origin}/api/health`, { headers: { "x-forwarded-for": address } })).status
    const seen = [await from(direct, "192.0.2.1"), await from(direct, "192.0.2.2")]
    const forwarded = [
      await from(behind, "192.0.2.1"),
      await from(behind, "192.0.2.1"),
      await from(behind, "192.0.2.2"),
    ]

    expect(seen).toEqual([200, tellsAddress ? 429 : 200])
    expect(forwarded).toEqual([200, 429, 200])
  })

  test("answers what is under way before it stops", async () => {
    const world = await hostWorld({}, shared().database)
    const host = await start(world.app)
    const held = new Promise((resolve) => world.events.once("held", resolve))
    const answer = sendRaw(host.origin, { path: "/api/held" })
    await held

    const stopped = host.stop()
    world.events.emit("release")

    expect(await answer).toMatchObject({ status: 200, body: "done" })
    await stopped
    await world[Symbol.asyncDispose]()
    await expect(fetch(`${host.origin}/api/health`)).rejects.toThrow()
  })
}

interface Mounted extends AsyncDisposable {
  readonly origin: string
}

/** Mounts another app on the same database, in a separate host. */
async function mount(start: (app: App) => Promise<RunningHost>, { database }: HostWorld, config: object) {
  const world = await hostWorld(config, database)
  const host = await start(world.app)
  const mounted: Mounted = {
    origin: host.origin,
    [Symbol.asyncDispose]: async () => {
      await host.stop()
      await world[Symbol.asyncDispose]()
    },
  }
  return mounted
}
