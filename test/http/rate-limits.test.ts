// @module-tag not-about-shortcuts

import type { KitConfig, Session } from "kit"
import { describe, expect, test } from "vitest"
import { sendRaw } from "../support/processes/raw-http.ts"
import { fixture } from "../support/worlds/fixture.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const SIGN_IN = "/auth/sign-in/email"
const PLENTY = { requests: 1000, windowSeconds: 1 }

async function limitedApp(rate: NonNullable<KitConfig["limits"]>["rate"], limits: KitConfig["limits"] = {}) {
  let nowMs = Date.parse("2026-05-04T10:30:00Z")
  const config = { limits: { ...limits, ...(rate !== undefined && { rate }) } }
  const app = await testApp({ resources: fixture, config, now: () => new Date(nowMs) })
  const clock = {
    advance: (seconds: number) => {
      nowMs += seconds * 1000
    },
  }
  return { ...app, clock, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Sends the requests in order, and returns for each whether the limit allowed it. */
async function tryAll(requests: readonly (() => Promise<{ status: number }>)[]): Promise<boolean[]> {
  const passed: boolean[] = []
  for (const send of requests) passed.push((await send()).status !== 429)
  return passed
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value)

function signIn(app: TestApp, { email, path = SIGN_IN, headers = {} }: SignIn) {
  const body = JSON.stringify({ email, password: "guess" })
  return sendRaw(app.url, { method: "POST", path, body, headers: { "content-type": "application/json", ...headers } })
}

interface SignIn {
  readonly email: string
  readonly path?: string
  readonly headers?: Record<string, string>
}

describe("attempts to sign in", () => {
  test("are ten a minute for one identity, unless set", async () => {
    await using app = await limitedApp(undefined)
    const attempt = () => signIn(app, { email: "eva@example.com" })

    const first = await tryAll(times(11, attempt))
    const refused = await attempt()
    const other = await signIn(app, { email: "jan@example.com" })
    app.clock.advance(6)
    const later = await tryAll(times(2, attempt))
    app.clock.advance(60)
    const muchLater = await tryAll(times(11, attempt))

    expect(first).toEqual([...times(10, true), false])
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "RATE_LIMITED", message: "Too many requests. Try again in 6 s." } },
      headers: {
        "retry-after": "6",
        "ratelimit-limit": "10",
        "ratelimit-remaining": "0",
        "ratelimit-reset": "60",
      },
    })
    expect(other.status).not.toBe(429)
    expect(later).toEqual([true, false])
    expect(muchLater).toEqual([...times(10, true), false])
  })

  test("are told apart neither by the spelling of the identity nor by that of the path", async () => {
    await using app = await limitedApp({ signIn: { requests: 1, windowSeconds: 60 } })
    const spellings: SignIn[] = [
      { email: "eva@example.com" },
      { email: "EVA@example.com" },
      { email: " eva@example.com " },
      { email: "eva@example.com", path: "/auth/sign%2Din/email" },
      { email: "eva@example.com", path: "/auth/sign%252din/email" },
    ]
    const paths = [
      "/auth/Sign-In/email",
      "/auth//sign-in/email",
      "/auth/sign-in/email/",
      "/%61uth/sign-in/email",
      "/auth/./sign-in/email",
      "/auth\\sign-in\\email",
      "/auth/sign-in/email?x=1",
      "/auth/sign-in%2Femail",
    ]

    const same = await tryAll(spellings.map((spelling) => () => signIn(app, spelling)))
    app.clock.advance(60)
    await signIn(app, { email: "eva@example.com" })
    const others = await tryAll(paths.map((path) => () => signIn(app, { email: "eva@example.com", path })))

    // The limit of the address is five, and a refused attempt does not count for an identity.
    expect(same).toEqual([true, false, false, false, false])
    expect(others).toEqual(times(8, false))
  })

  test.each([
    "/auth/sign-in/email",
    "/auth/sign-in/social",
    "/auth/sign-up/email",
    "/auth/request-password-reset",
    "/auth/reset-password",
    "/auth/change-password",
    "/auth/send-verification-email",
  ])("at %s are limited", async (path) => {
    await using app = await limitedApp({ signIn: { requests: 1, windowSeconds: 60 } })

    const passed = await tryAll(times(2, () => signIn(app, { email: "eva@example.com", path })))

    expect(passed).toEqual([true, false])
  })

  test.each(["/auth/get-session", "/auth/sign-out", "/auth/sign-inside", "/posts/query", "/auth"])(
    "are not what %s takes",
    async (path) => {
      await using app = await limitedApp({ signIn: { requests: 1, windowSeconds: 60 } })

      const passed = await tryAll(times(8, () => signIn(app, { email: "eva@example.com", path })))

      expect(passed).toEqual(times(8, true))
    },
  )

  test("of one address have a ceiling, whoever it wants to be", async () => {
    await using app = await limitedApp({ signIn: { requests: 2, windowSeconds: 60 } })
    const guests = Array.from({ length: 12 }, (_, index) => () => signIn(app, { email: `guest${index}@example.com` }))

    const passed = await tryAll(guests)

    expect(passed).toEqual([...times(10, true), false, false])
  })

  test.each([
    ["no JSON", "application/json", (index: number) => `{"email":"${index}"`],
    ["a list", "application/json", (index: number) => `["${index}@example.com"]`],
    ["an identity that is no text", "application/json", (index: number) => `{"email":{"x":${index}}}`],
    ["a form", "application/x-www-form-urlencoded", (index: number) => `{"email":"${index}","x":"&email=eva"}`],
  ])("with %s count as one identity", async (_name, type, bodyOf) => {
    await using app = await limitedApp({ signIn: { requests: 2, windowSeconds: 60 } })
    const send = (index: number) => () =>
      sendRaw(app.url, { method: "POST", path: SIGN_IN, body: bodyOf(index), headers: { "content-type": type } })

    const passed = await tryAll([send(1), send(2), send(3)])

    expect(passed).toEqual([true, true, false])
  })

  test("in extended JSON count for the identity inside, whatever stands beside it", async () => {
    await using app = await limitedApp({ signIn: { requests: 2, windowSeconds: 60 } })
    const headers = { "content-type": "application/json", "x-extendedjson": "1" }
    const send = (index: number) => () => {
      const body = JSON.stringify({ json: { email: "eva@example.com" }, email: `decoy${index}@example.com` })
      return sendRaw(app.url, { method: "POST", path: SIGN_IN, body, headers })
    }

    const passed = await tryAll([() => signIn(app, { email: "Eva@example.com" }), send(1), send(2)])

    expect(passed).toEqual([true, true, false])
  })

  test("with a long body are refused before it is read to its end", async () => {
    await using app = await limitedApp(undefined)

    const answer = await signIn(app, { email: "x".repeat(100_000) })

    expect(answer).toMatchObject({ status: 413, body: { error: { code: "PAYLOAD_TOO_LARGE" } } })
    expect((await app.fetch("/health")).status).toBe(200)
  })

  test("as a Request are limited by their identity, where nobody knows the address", async () => {
    await using app = await limitedApp({ signIn: { requests: 1, windowSeconds: 60 } })
    const attempt = (email: string) => () =>
      app.app.handler(
        new Request(`http://localhost/api${SIGN_IN}`, {
          method: "POST",
          body: JSON.stringify({ email }),
          headers: { "content-type": "application/json" },
        }),
      )
    const guests = Array.from({ length: 8 }, (_, index) => attempt(`guest${index}@example.com`))

    expect(await tryAll(times(2, attempt("eva@example.com")))).toEqual([true, false])
    expect(await tryAll(guests)).toEqual(times(8, true))
  })

  test("are not counted when limits are off", async () => {
    await using app = await limitedApp(false)

    const passed = await tryAll(times(60, () => signIn(app, { email: "eva@example.com" })))

    expect(passed).toEqual(times(60, true))
  })
})

describe("a user", () => {
  const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }
  const bob: Session = { user: { id: "01890000-0000-7000-8000-00000000000b" } }

  test("has a limit over all paths and sessions, and anonymous callers have none", async () => {
    await using app = await limitedApp({ perUser: { requests: 3, windowSeconds: 30 } })
    const elsewhere = { ...ann, session: { id: "another", expiresAt: new Date("2100-01-01") } }

    const passed = await tryAll([
      () => app.fetch("/posts", { session: ann }),
      () => app.fetch("/posts/count", { session: elsewhere }),
      () => app.fetch("/globals/settings", { session: ann }),
      () => app.fetch("/posts", { session: ann }),
      () => app.fetch("/posts", { session: bob }),
      () => app.fetch("/posts"),
    ])
    app.clock.advance(10)
    const later = await tryAll(times(2, () => app.fetch("/posts", { session: ann })))

    expect(passed).toEqual([true, true, true, false, true, true])
    expect(later).toEqual([true, false])
  })

  test("who is over the limit writes nothing", async () => {
    await using app = await limitedApp({ perUser: { requests: 1, windowSeconds: 30 } })
    const create = () => app.fetch("/posts", { method: "POST", body: '{"title":"x"}', session: ann })

    const passed = await tryAll([create, create])

    expect(passed).toEqual([true, false])
    expect(await app.database.query("select count(*)::int as count from posts")).toEqual([{ count: 1 }])
  })
})

describe("an address", () => {
  const get = (app: TestApp, forwarded?: string) => () =>
    sendRaw(app.url, { path: "/health", headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } })

  test("has a limit over all callers behind it", async () => {
    await using app = await limitedApp({ perAddress: { requests: 2, windowSeconds: 10 }, signIn: PLENTY })
    const cookie = sessions.sign({ user: { id: "x" } })

    const passed = await tryAll([
      get(app),
      () => sendRaw(app.url, { path: "/posts", headers: { cookie } }),
      () => sendRaw(app.url, { path: "/nope" }),
      get(app),
    ])
    app.clock.advance(5)
    const later = await tryAll([get(app), get(app)])

    expect(passed).toEqual([true, true, false, false])
    expect(later).toEqual([true, false])
  })

  test("is not what a header says, unless a proxy is trusted", async () => {
    await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 10 } })

    const passed = await tryAll([get(app, "192.0.2.1"), get(app, "192.0.2.2"), get(app, "192.0.2.3, 192.0.2.4")])

    expect(passed).toEqual([true, false, false])
  })

  test("is the one that the trusted proxy has seen, whatever the caller claims before it", async () => {
    await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 10 } }, { trustedProxies: 1 })

    const passed = await tryAll([
      get(app, "192.0.2.1"),
      get(app, "10.0.0.1, 192.0.2.1"),
      get(app, "10.0.0.2,192.0.2.1"),
      get(app, "192.0.2.1:4711"),
      get(app, "::ffff:192.0.2.1"),
      get(app, "[::FFFF:c000:201]:80"),
      get(app, "192.0.2.2"),
    ])

    expect(passed).toEqual([true, false, false, false, false, false, true])
  })

  test("is counted from the right past as many proxies as there are", async () => {
    await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 10 } }, { trustedProxies: 2 })

    const passed = await tryAll([
      get(app, "192.0.2.1, 10.0.0.1"),
      get(app, "203.0.113.9, 192.0.2.1, 10.0.0.1"),
      get(app, "192.0.2.2, 10.0.0.1"),
    ])

    expect(passed).toEqual([true, false, true])
  })

  test.each(["rubbish", "", "unknown", "192.0.2", "1.2.3.4.5", "::1::2", "<script>", ", ,"])(
    "that is malformed (%j) is the one of the connection",
    async (forwarded) => {
      await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 10 } }, { trustedProxies: 1 })

      const passed = await tryAll([get(app), get(app, forwarded)])

      expect(passed).toEqual([true, false])
    },
  )

  test("of IPv6 is its network of 64 bits, in every spelling", async () => {
    await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 10 } }, { trustedProxies: 1 })

    const passed = await tryAll([
      get(app, "2001:db8::1"),
      get(app, "2001:DB8:0:0:ffff::2"),
      get(app, "2001:0db8:0000:0000:1:2:3:4"),
      get(app, "[2001:db8::5]:443"),
      get(app, "2001:db8:0:1::1"),
      get(app, "2001:db9::1"),
    ])

    expect(passed).toEqual([true, false, false, false, true, true])
  })

  test("that is over its limit is told so in the form it asked for, and other headers stay", async () => {
    await using app = await limitedApp({ perAddress: { requests: 1, windowSeconds: 90 } })
    await app.fetch("/health")

    const answer = await app.fetch("/health", { headers: { "x-extendedjson": "1", "x-request-id": "trace-7" } })

    expect(answer.status).toBe(429)
    expect(answer.body.json.error).toMatchObject({ code: "RATE_LIMITED", requestId: "trace-7" })
    expect(answer.headers.get("retry-after")).toBe("90")
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
  })
})

test("without a setting only attempts to sign in have a limit", async () => {
  await using app = await limitedApp(undefined)

  const passed = await tryAll(times(300, () => app.fetch("/health")))

  expect(passed).toEqual(times(300, true))
})
