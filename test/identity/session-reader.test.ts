// @module-tag not-about-shortcuts

import { createHmac } from "node:crypto"
import { collection, users } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import {
  IDENTITY_SECRET,
  type IdentityApp,
  identityApp,
  type SignedIn,
  signIn,
} from "../support/worlds/identity-app.ts"

const DAY_MS = 24 * 60 * 60 * 1000

const extended = users()
  .fields(({ f }) => ({
    bio: f.textarea(),
    team: f.text(40).default("desk"),
    since: f.datetime(),
    tags: f.array(f.text()),
    secret: f.text().hidden().default("hidden-value"),
    salary: f
      .number()
      .access({ read: ({ session }) => session?.user.role === "admin" })
      .default(7),
  }))
  .access({ read: true })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(200) }))
  .access({ read: ({ session }) => session !== null })

let app: IdentityApp
let eva: SignedIn
beforeAll(async () => {
  app = await identityApp({ resources: [extended, notes] })
  eva = await app.signIn({ email: "eva@example.com", role: "editor" })
})
afterAll(() => app[Symbol.asyncDispose]())

const statusOf = async (headers: Record<string, string>, on = app) => (await on.fetch("/notes", { headers })).status

describe("a session", () => {
  test("shows what every user has and the author's open fields, and nothing hidden", async () => {
    const since = new Date("2020-01-02T03:04:05.678Z")
    await app.app.system.collections["users"]?.updateById({
      id: eva.id,
      data: { bio: "Writes.", since, tags: ["a", "b"], secret: "hidden-value" },
    })

    const { body } = await app.fetch("/auth/get-session", { headers: { cookie: eva.cookie } })

    expect(body).toEqual({
      session: { id: expect.any(String), expiresAt: expect.any(String) },
      user: {
        id: eva.id,
        name: "eva",
        email: "eva@example.com",
        emailVerified: true,
        image: null,
        role: "editor",
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        bio: "Writes.",
        team: "desk",
        since: since.toISOString(),
        tags: ["a", "b"],
      },
    })
  })

  test("is read alike by our reader and by the library", async () => {
    const options = { resources: [extended, notes], database: app.database }
    await using ownWay = await onPath("0", () => identityApp(options))
    await using library = await onPath("1", () => identityApp(options))

    for (const headers of [{ cookie: eva.cookie }, { authorization: `Bearer ${eva.token}` }]) {
      const [ours, theirs] = [
        await ownWay.fetch("/auth/get-session", { headers }),
        await library.fetch("/auth/get-session", { headers }),
      ]
      expect(ours.body.user.id).toBe(eva.id)
      expect(theirs.body).toEqual(ours.body)
    }
  })

  test("is taken from the signed cookie among others, and from a signed bearer token", async () => {
    const signed = eva.cookie.split("=").slice(1).join("=")

    expect(await statusOf({ cookie: `a=b; ${eva.cookie}; kit.session_tokenx=1` })).toBe(200)
    expect(await statusOf({ authorization: `bearer ${decodeURIComponent(signed)}` })).toBe(200)
    expect(await statusOf({ authorization: `Bearer ${signed}` })).toBe(200)
  })
})

describe("no session is given for", () => {
  const sign = (token: string, secret: string) =>
    encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`)
  const forgeries: readonly (readonly [string, () => Record<string, string>])[] = [
    ["rubbish", () => ({ cookie: "kit.session_token=rubbish" })],
    ["no value", () => ({ cookie: "kit.session_token=" })],
    ["a token without its signature", () => ({ cookie: `kit.session_token=${eva.token}` })],
    ["another secret", () => ({ cookie: `kit.session_token=${sign(eva.token, "another secret of somebody")}` })],
    ["half a signature", () => ({ cookie: eva.cookie.slice(0, -10) })],
    [
      "a signed token that nobody has",
      () => ({ cookie: `kit.session_token=${sign("x".repeat(32), IDENTITY_SECRET)}` }),
    ],
    ["another cookie's name", () => ({ cookie: `x${eva.cookie}` })],
    ["the secure name of it", () => ({ cookie: `__Secure-${eva.cookie}` })],
    ["broken percent-encoding", () => ({ cookie: "kit.session_token=%E0%A4%A" })],
    ["10 KB of cookie", () => ({ cookie: `kit.session_token=${"a".repeat(10_240)}` })],
    ["bearer rubbish", () => ({ authorization: "Bearer rubbish" })],
    ["10 KB of token", () => ({ authorization: `Bearer ${"x".repeat(10_240)}` })],
    ["a token of the right form", () => ({ authorization: `Bearer ${"x".repeat(32)}` })],
    ["a JWT without an algorithm", () => ({ authorization: "Bearer eyJhbGciOiJub25lIn0.eyJ1c2VyIjp7fX0." })],
    ["a forged bearer signature", () => ({ authorization: `Bearer ${eva.token}.AAAA` })],
    ["another scheme", () => ({ authorization: `Basic ${eva.token}` })],
  ]

  test.each(forgeries)("%s", async (_name, headers) => {
    expect(await statusOf(headers())).toBe(401)
  })
})

describe("a session that has ended is none", () => {
  test("by its time", async () => {
    const { id, cookie } = await app.signIn({ email: "late@example.com" })
    await app.database.query(`update _kit_sessions set "expiresAt" = now() - interval '1 second' where "userId" = $1`, [
      id,
    ])

    expect(await statusOf({ cookie })).toBe(401)
  })

  test("by a ban, until it is over", async () => {
    const { id, cookie } = await app.signIn({ email: "naughty@example.com" })
    const change = (data: object) => app.app.system.collections["users"]?.updateById({ id, data: { ...data } })
    const before = await statusOf({ cookie })

    await change({ banned: true, banExpires: new Date(Date.now() + DAY_MS) })
    const during = await statusOf({ cookie })
    await change({ banExpires: new Date(Date.now() - 1000) })

    expect([before, during, await statusOf({ cookie })]).toEqual([200, 401, 200])
  })

  test("by the deletion of its user, at once", async () => {
    const { id, cookie } = await app.signIn({ email: "gone@example.com" })
    const before = await statusOf({ cookie })

    await app.app.system.collections["users"]?.deleteById({ id })

    expect([before, await statusOf({ cookie })]).toEqual([200, 401])
  })

  test("not by a write that was rolled back", async () => {
    const { id, cookie } = await app.signIn({ email: "kept@example.com" })

    await app.app.system
      .transaction(async ({ collections }) => {
        await collections["users"]?.deleteById({ id })
        throw new Error("no")
      })
      .catch(() => undefined)

    expect(await statusOf({ cookie })).toBe(200)
  })
})

describe("with two instances on one database", () => {
  let moment = Date.now()
  let other: IdentityApp
  beforeAll(async () => {
    // Uses our own reader: a test can set its clock, but not that of the library.
    const options = { resources: [extended, notes], database: app.database, now: () => new Date(moment) }
    other = await onPath("0", () => identityApp(options))
  })
  afterAll(() => other[Symbol.asyncDispose]())

  const endings: readonly (readonly [string, (user: SignedIn) => Promise<unknown>])[] = [
    ["a sign-out", ({ cookie }) => app.fetch("/auth/sign-out", { method: "POST", headers: { cookie } })],
    ["a revocation", ({ cookie }) => app.fetch("/auth/revoke-sessions", { method: "POST", headers: { cookie } })],
    ["a ban", async ({ id }) => app.app.system.collections["users"]?.updateById({ id, data: { banned: true } })],
    ["a deletion", async ({ id }) => app.app.system.collections["users"]?.deleteById({ id })],
  ]

  test.each(endings)("%s on one of them is known to the other within 2 s", async (what, end) => {
    const user = await app.signIn({ email: `${what.replace(/\W/g, "")}@example.com` })
    const headers = { cookie: user.cookie }
    const before = await statusOf(headers, other)

    await end(user)
    moment += 1_999
    const remembered = await statusOf(headers, other)
    moment += 1
    const known = await statusOf(headers, other)

    expect([before, remembered, known]).toEqual([200, 200, 401])
    expect(await statusOf(headers, app)).toBe(401)
  })

  test("a role that one of them gives is known to the other within 2 s", async () => {
    const user = await app.signIn({ email: "rising@example.com" })
    const role = async () =>
      (await other.fetch("/auth/get-session", { headers: { cookie: user.cookie } })).body.user.role
    const before = await role()

    await app.app.system.collections["users"]?.updateById({ id: user.id, data: { role: "chief" } })
    moment += 2_000

    expect([before, await role()]).toEqual(["user", "chief"])
  })

  test("a session in use is renewed once a day, and one that nobody uses ends", async () => {
    const user = await app.signIn({ email: "daily@example.com" })
    const headers = { cookie: user.cookie }
    const end = async () => {
      const [row] = await app.database.query(`select "expiresAt" as at from _kit_sessions where "userId" = $1`, [
        user.id,
      ])
      return Number(row?.["at"])
    }
    const first = await end()

    moment = first - 6 * DAY_MS - 60_000
    await statusOf(headers, other)
    const early = await end()
    moment = first - 6 * DAY_MS + 60_000
    await statusOf(headers, other)
    await expect.poll(end).toBe(moment + 7 * DAY_MS)
    moment += 7 * DAY_MS

    expect(early).toBe(first)
    expect(await statusOf(headers, other)).toBe(401)
  })
})

test("a session costs one statement in 2 s, and a forged one none", async () => {
  await using proxy = await startDatabaseProxy()
  // The clock is frozen, so that the two seconds do not pass on a machine that stalls.
  const start = new Date()
  const options = { resources: [extended, notes], database: proxy.database, now: () => start }
  await using counted = await onPath("0", () => identityApp({ ...options, config: { db: { url: proxy.url } } }))
  const user = await counted.signIn({ email: "counted@example.com" })
  const costOf = async (headers: Record<string, string>) => {
    const before = proxy.statements()
    await counted.fetch("/auth/get-session", { headers })
    return proxy.statements() - before
  }

  const costs = [
    await costOf({ cookie: user.cookie }),
    await costOf({ cookie: user.cookie }),
    await costOf({ cookie: user.cookie.slice(0, -8) }),
    await costOf({ authorization: "Bearer rubbish" }),
    await costOf({}),
  ]

  expect(costs).toEqual([1, 0, 0, 0, 0])
})

test("a database that is away is 503, not a caller without a session", async () => {
  await using proxy = await startDatabaseProxy()
  const options = { resources: [extended, notes], database: proxy.database, config: { db: { url: proxy.url } } }
  await using cut = await onPath("0", () => identityApp(options))
  const user = await cut.signIn({ email: "cut@example.com" })

  await proxy.cut()
  const answer = await cut.fetch("/auth/get-session", { headers: { cookie: user.cookie } })

  expect(answer).toMatchObject({ status: 503, body: { error: { code: "SERVICE_UNAVAILABLE" } } })
})

async function onPath<Result>(path: "0" | "1", start: () => Promise<Result>): Promise<Result> {
  const before = process.env["KIT_GENERAL_PATH"]
  process.env["KIT_GENERAL_PATH"] = path
  try {
    return await start()
  } finally {
    if (before === undefined) delete process.env["KIT_GENERAL_PATH"]
    else process.env["KIT_GENERAL_PATH"] = before
  }
}

test("signing in again does not end the other sessions of a user", async () => {
  const again = await signIn(app.fetch, "eva@example.com")

  expect(again.token).not.toBe(eva.token)
  expect([await statusOf({ cookie: eva.cookie }), await statusOf({ cookie: again.cookie })]).toEqual([200, 200])
})
