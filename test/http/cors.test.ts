// @module-tag not-about-engine

import { createApp, defineConfig } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RawAnswer } from "../support/processes/raw-http.ts"
import { type AttackWorld, attackWorld } from "../support/worlds/attack-world.ts"
import { fixture } from "../support/worlds/fixture.ts"
import { testApp } from "../support/worlds/test-app.ts"

const INVITED = "https://admin.example.com"
const APP = "capacitor://localhost"
const PATHS = [
  "/posts",
  "/posts/count",
  "/posts/nope",
  "/globals/settings",
  "/health",
  "/_kit/ready",
  "/auth/x",
  "/no/such/path",
]

let open: AttackWorld
let closed: AttackWorld
// With several locales, answers would also vary by Accept-Language.
const locales = { default: "en", all: ["en"] }

beforeAll(async () => {
  open = await attackWorld({ locales, cors: { origins: [INVITED, APP] }, limits: { bodyBytes: 1000 } })
  closed = await attackWorld({ locales })
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await closed[Symbol.asyncDispose]()
})

const corsHeadersOf = ({ headers }: RawAnswer) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control"))
const allowedHeadersOf = ({ headers }: RawAnswer) => headers["access-control-allow-headers"]?.split(", ").sort()
const OWN_HEADERS = [
  "accept-language",
  "authorization",
  "content-type",
  "if-match",
  "x-api-key",
  "x-extendedjson",
  "x-kit-hash",
  "x-kit-version",
  "x-kit-write",
  "x-request-id",
]
const preflight = { "access-control-request-method": "PATCH", "access-control-request-headers": "content-type" }

describe("an invited origin", () => {
  test.each([INVITED, APP])("%s may read answers", async (origin) => {
    const answer = await open.attack({ path: "/posts", headers: { origin } })

    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "cross-origin-resource-policy": "cross-origin",
      vary: "Origin",
    })
    expect(answer.headers["access-control-expose-headers"]?.split(", ")).toEqual(
      expect.arrayContaining([
        "x-request-id",
        "x-revision",
        "x-extendedjson",
        "x-kit-hash",
        "retry-after",
        "ratelimit-reset",
      ]),
    )
  })

  test.each(PATHS)("may read what %s answers, errors too", async (path) => {
    const answer = await open.attack({ path, headers: { origin: INVITED } })

    expect(answer.headers["access-control-allow-origin"]).toBe(INVITED)
  })

  test("may read why a body was refused", async () => {
    const headers = { origin: INVITED }

    const answer = await open.attack({
      method: "POST",
      path: "/posts",
      as: open.alice,
      body: "x".repeat(2000),
      headers,
    })

    expect(answer).toMatchObject({ status: 413, headers: { "access-control-allow-origin": INVITED } })
  })

  test("learns by a preflight what it may send", async () => {
    const answer = await open.attack({ method: "OPTIONS", path: "/posts", headers: { origin: INVITED, ...preflight } })

    expect(answer).toMatchObject({ status: 204, text: "" })
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": INVITED,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, HEAD, PATCH, POST",
      "access-control-max-age": "600",
      vary: "Origin, Access-Control-Request-Headers",
    })
    expect(allowedHeadersOf(answer)).toEqual(OWN_HEADERS)
    expect(answer.headers["content-length"]).toBeUndefined()
  })

  test("learns the methods of the path it asks for", async () => {
    const headers = { origin: INVITED, ...preflight }

    const record = await open.attack({ method: "OPTIONS", path: "/posts/x", headers })
    const nothing = await open.attack({ method: "OPTIONS", path: "/no/such/path", headers })

    expect(record.headers["access-control-allow-methods"]).toBe("DELETE, GET, HEAD, PATCH")
    expect(nothing.status).toBe(404)
  })

  const ask = (names: string) =>
    open.attack({
      method: "OPTIONS",
      path: "/posts",
      headers: { origin: INVITED, ...preflight, "access-control-request-headers": names },
      withinMs: 100,
    })

  test("may send the headers that it asks for", async () => {
    const answer = await ask("content-type,x-tenant, X-Trace-Id ,sentry-trace")

    expect(allowedHeadersOf(answer)).toEqual([...OWN_HEADERS, "sentry-trace", "x-tenant", "x-trace-id"].sort())
  })

  test.each(["x-kit-act-as", "X-Kit-Peer", "x-kit-writer", "host", "Cookie", "*", "a b", "x-evil:1", "ä", "", ","])(
    "may not send %j",
    async (name) => {
      const answer = await ask(`x-tenant,${name},x-other`)

      expect(allowedHeadersOf(answer)).toEqual([...OWN_HEADERS, "x-other", "x-tenant"].sort())
    },
  )

  test("gets only the headers of the API if it asks for too many", async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `x-header-${index}`).join(",")

    for (const names of [many, `x-evil${" ".repeat(50_000)},y`]) {
      expect(allowedHeadersOf(await ask(names))).toEqual(OWN_HEADERS)
    }
  })

  test("gets no answer back that quotes the method it asked for", async () => {
    const headers = { origin: INVITED, ...preflight, "access-control-request-method": "BREW" }

    const answer = await open.attack({ method: "OPTIONS", path: "/posts", headers })

    expect(JSON.stringify(answer.headers)).not.toMatch(/BREW/)
  })
})

describe("a foreign origin", () => {
  const FOREIGN = [
    "https://evil.test",
    "null",
    `${INVITED}.evil.test`,
    `${INVITED}@evil.test`,
    `${INVITED}:444`,
    `${INVITED}/`,
    "http://admin.example.com",
    "https://ADMIN.example.com",
    "http://localhost:3000",
    "*",
  ]

  test.each(PATHS)("is not let in by %s, whatever it asks", async (path) => {
    for (const origin of FOREIGN) {
      for (const method of ["GET", "OPTIONS", "POST", "DELETE"]) {
        const answer = await open.attack({ method, path, headers: { origin, ...preflight } })

        expect({ origin, method, headers: corsHeadersOf(answer) }).toEqual({ origin, method, headers: [] })
        expect(answer.headers["vary"]).toBe("Origin")
        expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin")
      }
    }
  })
})

describe("without a configuration", () => {
  test.each([INVITED, "http://localhost:5173"])("%s may read nothing", async (origin) => {
    const answer = await closed.attack({ path: "/posts", headers: { origin } })

    expect(corsHeadersOf(answer)).toEqual([])
    expect(answer.headers["vary"]).toBeUndefined()
  })

  test("OPTIONS answers the methods of a path", async () => {
    const known = await closed.attack({ method: "OPTIONS", path: "/posts" })
    const unknown = await closed.attack({ method: "OPTIONS", path: "/no/such/path" })

    expect(known).toMatchObject({ status: 204, text: "", headers: { allow: "GET, HEAD, PATCH, POST" } })
    expect(unknown.status).toBe(404)
  })

  test("a Request by OPTIONS is answered alike", async () => {
    const answer = await closed.app.app.handler(new Request("http://x.test/api/posts", { method: "OPTIONS" }))

    expect(answer.status).toBe(204)
    expect(answer.headers.get("allow")).toBe("GET, HEAD, PATCH, POST")
  })
})

test("in development every local origin may read answers", async () => {
  await using app = await testApp({ resources: fixture, mode: "development" })

  const local = await app.fetch("/posts", { headers: { origin: "http://localhost:5173" } })
  const foreign = await app.fetch("/posts", { headers: { origin: "http://localhost.evil.test" } })

  expect(local.headers.get("access-control-allow-origin")).toBe("http://localhost:5173")
  expect(foreign.headers.get("access-control-allow-origin")).toBeNull()
  expect(foreign.headers.get("vary")).toBe("Origin")
})

describe("mistakes in the settings", () => {
  const start = (config: object) => createApp({ resources: [], config: defineConfig(config), root: "/nowhere" })

  test.each([
    "*",
    "https://*.example.com",
    "https://app.example.com/",
    "https://app.example.com/path",
    "https://app.example.com:443",
    "https://App.example.com",
    "https://user@app.example.com",
    "app.example.com",
    "null",
    "",
    5,
  ])("the origin %j is none, and the start says so", async (origin) => {
    const message = `the setting "cors.origins" must be a list of exact origins such as ["https://app.example.com"]`

    await expect(start({ cors: { origins: [INVITED, origin] } })).rejects.toThrow(message)
    await expect(start({ cors: { origins: [INVITED, origin] } })).rejects.toThrow(`${JSON.stringify(origin)} is none`)
  })

  test.each([
    [{ cors: { origins: INVITED } }, "cors.origins"],
    [{ cors: { origin: [INVITED] } }, 'no setting "cors.origin". Did you mean "origins"?'],
    [{ app: { url: "app.example.com" } }, 'app.url" must be an address such as "https://app.example.com"'],
    [{ app: { url: "ftp://app.example.com" } }, "app.url"],
    [{ limits: { trustedProxies: -1 } }, 'limits.trustedProxies" must be a whole number from 0'],
    [
      { limits: { rate: true } },
      'limits.rate" must be false, or an object with perUser, perAddress, signIn and wrongPasswords',
    ],
    [{ limits: { rate: { perIp: { requests: 1, windowSeconds: 1 } } } }, "limits.rate"],
    [{ limits: { rate: { signIn: { requests: 0, windowSeconds: 1 } } } }, "limits.rate"],
    [{ limits: { rate: { signIn: { requests: 5 } } } }, "limits.rate"],
  ])("%j is refused", async (config, message) => {
    await expect(start(config)).rejects.toThrow(message)
  })
})
