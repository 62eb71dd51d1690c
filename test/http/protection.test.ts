// @module-tag not-about-shortcuts

import { signedCookieSessions } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { exchange, type RawAnswer } from "../support/processes/raw-http.ts"
import { type Attack, type AttackWorld, attackWorld } from "../support/worlds/attack-world.ts"
import { fixture } from "../support/worlds/fixture.ts"
import { sessions, testApp } from "../support/worlds/test-app.ts"

const APP = "https://app.example.com"
const INVITED = "https://admin.example.com"
const FOREIGN = [
  "https://evil.test",
  "null",
  "",
  `${APP}.evil.test`,
  `${APP}@evil.test`,
  "https://evil.test#app.example.com",
  "https://evil.test/app.example.com",
  "https://evil-app.example.com",
  "https://sub.app.example.com",
  "https://example.com",
  `${APP}:8443`,
  `${APP}:443`,
  `${APP}/`,
  `${APP}.`,
  "http://app.example.com",
  "HTTPS://APP.EXAMPLE.COM",
  "//app.example.com",
  `${APP}, https://evil.test`,
  `https://evil.test, ${APP}`,
  "http://localhost:3000",
  "http://127.0.0.1",
  "file://",
]

let behindProxy: AttackWorld
let direct: AttackWorld
beforeAll(async () => {
  behindProxy = await attackWorld({ app: { url: APP }, cors: { origins: [INVITED] } })
  direct = await attackWorld()
})
afterAll(async () => {
  await behindProxy[Symbol.asyncDispose]()
  await direct[Symbol.asyncDispose]()
})

const create = (world: AttackWorld, headers: Record<string, string>): Promise<RawAnswer> =>
  world.attack({ method: "POST", path: "/posts", body: '{"title":"x"}', as: world.alice, headers })
const REFUSED = { status: 403, body: { error: { code: "FORBIDDEN", message: /another origin/ } } }

function expectRefused(answer: RawAnswer): void {
  expect(answer.status).toBe(REFUSED.status)
  expect(answer.body.error.code).toBe(REFUSED.body.error.code)
  expect(answer.body.error.message).toMatch(REFUSED.body.error.message)
}

describe("a write with a cookie, behind a proxy", () => {
  test.each(FOREIGN)("from a page of %j is refused", async (origin) => {
    expectRefused(await create(behindProxy, { origin }))
  })

  test.each([APP, INVITED])("from a page of %s is done", async (origin) => {
    expect((await create(behindProxy, { origin })).status).toBe(201)
  })

  test("is not let in by a host that the caller chooses", async () => {
    const origin = "https://evil.test"

    const byHost = await create(behindProxy, { origin, host: "evil.test" })
    const byForwarding = await create(behindProxy, { origin, "x-forwarded-host": "evil.test" })

    expectRefused(byHost)
    expectRefused(byForwarding)
  })
})

describe("a write with a cookie, without an address of the app", () => {
  test.each(FOREIGN)("from a page of %j is refused", async (origin) => {
    expectRefused(await create(direct, { origin }))
  })

  test.each(["http", "https"])("from a page of the same host and port is done, by %s", async (scheme) => {
    const { host } = new URL(direct.app.url)

    expect((await create(direct, { origin: `${scheme}://${host}` })).status).toBe(201)
  })

  test.each(["example.com", "EXAMPLE.com"])("knows its host %s in any case", async (host) => {
    expect((await create(direct, { host, origin: "https://example.com" })).status).toBe(201)
  })

  test.each([
    ["example.com", "https://example.com:8443"],
    ["example.com:8443", "https://example.com"],
    ["example.com", "https://user@example.com"],
    ["example.com", "ftp://example.com"],
  ])("to the host %s from %s is refused", async (host, origin) => {
    expectRefused(await create(direct, { host, origin }))
  })

  test("as a Request is judged by the host of its address", async () => {
    const send = (origin: string) => {
      const headers = { origin, cookie: sessions.sign(direct.alice), "content-type": "application/json" }
      const init = { method: "POST", body: '{"title":"x"}', headers }
      return direct.app.app.handler(new Request("https://example.com/api/posts", init))
    }

    expect((await send("https://example.com")).status).toBe(201)
    expect((await send("https://evil.test")).status).toBe(403)
  })
})

describe("a write with a cookie and without an origin", () => {
  test.each(["same-origin", "none"])("is done for %s", async (site) => {
    expect((await create(behindProxy, { "sec-fetch-site": site })).status).toBe(201)
  })

  test.each(["same-site", "cross-site", "rubbish", ""])("is refused for %j", async (site) => {
    expectRefused(await create(behindProxy, { "sec-fetch-site": site }))
  })

  test("is done where no browser sends it", async () => {
    expect((await create(behindProxy, {})).status).toBe(201)
  })

  test("is judged by its origin if it has one, whatever else it says", async () => {
    expectRefused(await create(behindProxy, { origin: "https://evil.test", "sec-fetch-site": "same-origin" }))
  })
})

describe("every path", () => {
  const id = "01890000-0000-7000-8000-00000000000a"
  const writes: readonly [string, string][] = [
    ["POST", "/posts"],
    ["PATCH", "/posts"],
    ["PATCH", `/posts/${id}`],
    ["DELETE", `/posts/${id}`],
    ["POST", `/posts/${id}/restore`],
    ["POST", `/posts/${id}/purge`],
    ["POST", "/posts/update-batch"],
    ["POST", "/posts/delete-many"],
    ["POST", "/posts/query"],
    ["PATCH", "/globals/settings"],
    ["POST", "/posts/upload"],
    ["POST", "/realtime"],
    ["POST", "/auth/sign-out"],
    ["POST", "/search"],
    ["PUT", "/nope/at/all"],
    ["PROPFIND", "/posts"],
  ]

  test.each(writes)(
    "%s %s refuses the cookies of a foreign page, before it looks for an endpoint",
    async (method, path) => {
      const attack: Attack = { method, path, as: behindProxy.admin, headers: { origin: "https://evil.test" } }

      const answer = await behindProxy.attack({ ...attack, body: '{"title":"x"}' })

      expectRefused(answer)
    },
  )

  test.each(["GET", "HEAD", "OPTIONS"])("%s is no write", async (method) => {
    const answer = await direct.attack({ method, path: "/posts", as: direct.alice, headers: { origin: "null" } })

    expect(answer.status).toBeLessThan(300)
  })

  test("a cookie of any name counts, and without one the caller is nobody", async () => {
    const send = (headers: Record<string, string>) =>
      direct.attack({ method: "POST", path: "/posts", body: '{"title":"x"}', headers })

    expectRefused(await send({ origin: "https://evil.test", cookie: "theme=dark" }))
    expect((await send({ origin: "https://evil.test" })).status).toBe(401)
  })

  test("a method in a header overrides nothing", async () => {
    const headers = { "x-http-method-override": "GET", origin: "https://evil.test" }

    expectRefused(await create(direct, headers))
  })
})

test("a refused body is not read", async () => {
  const { hostname, port } = new URL(direct.app.url)
  const head = [
    "POST /api/posts HTTP/1.1",
    "host: example.com",
    "origin: https://evil.test",
    `cookie: ${sessions.sign(direct.alice)}`,
    "content-type: application/json",
    "content-length: 1000000",
  ]

  const answer = await exchange({ hostname, port: Number(port) }, Buffer.from(`${head.join("\r\n")}\r\n\r\n{`))

  expect(answer.status).toBe(403)
  expect(answer.headers["connection"]).toBe("close")
})

describe("the type of a body", () => {
  const id = "01890000-0000-7000-8000-00000000000a"
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", undefined]
  const writes: readonly [string, string][] = [
    ["POST", "/posts"],
    ["PATCH", "/posts"],
    ["PATCH", `/posts/${id}`],
    ["POST", "/posts/update-batch"],
    ["POST", "/posts/delete-many"],
    ["POST", "/posts/query"],
    ["PATCH", "/globals/settings"],
  ]

  test.each(writes)("%s %s takes JSON only, also from its own pages", async (method, path) => {
    const { origin } = new URL(direct.app.url)
    for (const type of types) {
      const headers = {
        origin,
        cookie: sessions.sign(direct.admin),
        ...(type !== undefined && { "content-type": type }),
      }
      // Sent as raw bytes: an attack's body is JSON unless its headers say otherwise.
      const answer = await rawWrite(direct, { method, path, headers, body: '{"title":"x"}' })

      expect({ type, status: answer.status }).toEqual({ type, status: 415 })
    }
  })
})

function rawWrite(
  world: AttackWorld,
  request: Required<Pick<Attack, "method" | "path" | "headers">> & { body: string },
) {
  const { hostname, port, host, pathname } = new URL(world.app.url)
  const headers = { host, connection: "close", "content-length": String(request.body.length), ...request.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${request.method} ${pathname}${request.path} HTTP/1.1\r\n${lines.join("")}\r\n${request.body}`
  return exchange({ hostname, port: Number(port) }, Buffer.from(text))
}

describe("on the developer's machine", () => {
  const LOCAL = ["http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:3000", "https://shop.localhost"]

  test("pages of every local origin may write with cookies in development", async () => {
    await using app = await testApp({ resources: fixture, mode: "development" })
    const send = (origin: string) =>
      app.fetch("/posts", {
        method: "POST",
        body: '{"title":"x"}',
        headers: { origin, cookie: sessions.sign({ user: { id: "x" } }) },
      })

    for (const origin of LOCAL) expect({ origin, status: (await send(origin)).status }).toEqual({ origin, status: 201 })
    for (const origin of [
      "http://localhost.evil.test",
      "http://evil-localhost",
      "http://127.0.0.1.evil.test",
      "null",
    ]) {
      expect({ origin, status: (await send(origin)).status }).toEqual({ origin, status: 403 })
    }
  })

  test.each(LOCAL)("%s is foreign otherwise", async (origin) => {
    expectRefused(await create(behindProxy, { origin }))
  })
})

describe("headers of every answer", () => {
  const ALWAYS = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  }

  test.each([
    ["a page", { path: "/posts" }, 200],
    ["an error", { path: "/posts/nope" }, 404],
    ["a refusal", { method: "POST", path: "/posts", headers: { cookie: "a=b", origin: "null" } }, 403],
    ["a request that cannot be read", { path: "/posts", headers: { "x-long": "x".repeat(70_000) } }, 431],
  ])("%s may be used for nothing but its data", async (_name, attack: Attack, status) => {
    const answer = await direct.attack(attack)

    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(ALWAYS)
    expect(answer.headers["strict-transport-security"]).toBeUndefined()
  })

  test("an app whose address has https wants to be asked by nothing else", async () => {
    const answer = await behindProxy.attack({ path: "/posts" })

    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000")
  })
})

test("a cookie signed by somebody else is refused in the same way", async () => {
  const forged = signedCookieSessions({ secret: "a secret of somebody else" }).sign(direct.admin)

  expectRefused(await create(direct, { cookie: forged, origin: "https://evil.test" }))
})
