// @module-tag not-about-engine

import type { AppMode, KitConfig } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RawAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { cookieOf, type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const EMAIL = "eva@example.com"
const credentials = JSON.stringify({ email: EMAIL, password: PASSWORD })
const WARNING = "x-kit-warning"

async function appWithUser(options: Parameters<typeof identityApp>[0]): Promise<IdentityApp> {
  const secret = "kW3v9Xq2Lr8TzB5nYp7Hd4Jc6Gs1Mf0Q"
  const app = await identityApp({ ...options, config: { secret, ...options?.config } })
  await app.app.users.create({ email: EMAIL, name: "Eva", password: PASSWORD })
  return app
}

function signInRaw(app: IdentityApp, headers: Record<string, string>): Promise<RawAnswer> {
  return sendRaw(app.url, {
    method: "POST",
    path: "/auth/sign-in/email",
    body: credentials,
    headers: { "content-type": "application/json", ...headers },
  })
}

describe("the session cookie", () => {
  test.each<[AppMode, KitConfig, boolean]>([
    ["production", {}, true],
    ["production", { app: { url: "https://app.example.com" } }, true],
    ["production", { app: { url: "http://app.example.com" } }, false],
    ["local", {}, false],
    ["local", { app: { url: "https://app.example.com" } }, true],
    ["development", {}, false],
  ])("in %s with %j is for https only: %s", async (mode, config, isSecure) => {
    await using app = await appWithUser({ mode, config })

    const { headers } = await app.fetch("/auth/sign-in/email", { method: "POST", body: credentials })
    const session = await app.fetch("/auth/get-session", { headers: { cookie: cookieOf(headers) } })

    for (const cookie of headers.getSetCookie()) {
      expect([cookie, /; Secure(;|$)/.test(cookie), cookie.startsWith("__Secure-kit.")]).toEqual([
        cookie,
        isSecure,
        isSecure,
      ])
    }
    expect(headers.getSetCookie().length).toBeGreaterThan(0)
    expect(session.body.user.email).toBe(EMAIL)
  })
})

describe("a sign-in in production", () => {
  const logged: { message: string; fields: unknown }[] = []
  let app: IdentityApp
  beforeAll(async () => {
    const quiet = () => {}
    const warn = (message: string, fields: unknown) => void logged.push({ message, fields })
    app = await appWithUser({ mode: "production", config: { logger: { info: quiet, warn, error: quiet } } })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test("over http says in the answer and in the log that browsers drop its cookie", async () => {
    logged.length = 0

    const answer = await signInRaw(app, { host: "news.example.com", origin: "http://news.example.com" })

    expect(answer).toMatchObject({ status: 200, body: { user: { email: EMAIL }, token: expect.any(String) } })
    expect(answer.headers[WARNING]).toBe(
      "Browsers drop the cookie of this response: it is Secure, and the request came over http. Use https.",
    )
    expect(logged).toEqual([
      {
        message: expect.stringMatching(
          /^Browsers drop the cookie .* over http.*X-Forwarded-Proto.*app\.url.*http:\/\//,
        ),
        fields: { host: "news.example.com", requestId: answer.headers["x-request-id"] },
      },
    ])
  })

  test.each([
    ["on this machine", { host: "localhost:3000" }],
    ["on this machine, by address", { host: "127.0.0.1:3000" }],
    ["behind a proxy that takes https", { host: "news.example.com", "x-forwarded-proto": "https" }],
    ["behind two proxies", { host: "news.example.com", "x-forwarded-proto": "https, http" }],
    ["behind a proxy that sends Forwarded", { host: "news.example.com", forwarded: "for=192.0.2.1;proto=https" }],
    ["of a browser that reached it over https", { host: "news.example.com", "sec-fetch-site": "same-origin" }],
  ])("%s gets no warning", async (_where, headers) => {
    logged.length = 0

    const answer = await signInRaw(app, headers)

    expect(answer.status).toBe(200)
    expect(answer.headers[WARNING]).toBeUndefined()
    expect(logged).toEqual([])
  })

  test("behind a proxy that takes http gets the warning", async () => {
    const answer = await signInRaw(app, { host: "news.example.com", "x-forwarded-proto": "http" })

    expect(answer.headers[WARNING]).toEqual(expect.any(String))
  })

  test("through a host with https gets no warning, and with http it gets one", async () => {
    const init = { method: "POST", body: credentials, headers: { "content-type": "application/json" } }

    const secure = await app.app.handler(new Request("https://news.example.com/api/auth/sign-in/email", init))
    const plain = await app.app.handler(new Request("http://news.example.com/api/auth/sign-in/email", init))

    expect([secure.status, secure.headers.get(WARNING)]).toEqual([200, null])
    expect([plain.status, plain.headers.get(WARNING)]).toEqual([200, expect.any(String)])
  })

  test("that fails, and a sign-out, set no cookie and get no warning", async () => {
    logged.length = 0
    const host = "news.example.com"

    const wrong = await sendRaw(app.url, {
      method: "POST",
      path: "/auth/sign-in/email",
      body: JSON.stringify({ email: EMAIL, password: "wrong horse" }),
      headers: { "content-type": "application/json", host },
    })
    const out = await sendRaw(app.url, {
      method: "POST",
      path: "/auth/sign-out",
      body: "{}",
      headers: { "content-type": "application/json", host },
    })

    expect([wrong.status, out.status]).toEqual([401, 200])
    expect([wrong.headers[WARNING], out.headers[WARNING]]).toEqual([undefined, undefined])
    expect(logged).toEqual([])
  })
})

test("rates count a sign-in in production over https without a warning, too", async () => {
  await using app = await appWithUser({ mode: "production", config: { limits: {} } })
  const init = { method: "POST", body: credentials, headers: { "content-type": "application/json" } }

  const secure = await app.app.handler(new Request("https://news.example.com/api/auth/sign-in/email", init), {
    peerAddress: "192.0.2.1",
  })

  expect([secure.status, secure.headers.get(WARNING)]).toEqual([200, null])
})
