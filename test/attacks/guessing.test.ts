// @module-tag not-about-engine

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Answer, cookieOf, type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const TRIES = 3
const PLENTY = { requests: 10_000, windowSeconds: 1 }
const rate = { signIn: PLENTY, wrongPasswords: { requests: TRIES, windowSeconds: 3600 } }
const config = { auth: { signUp: true }, limits: { rate, trustedProxies: 1 } }

let nowMs = Date.parse("2026-05-04T10:30:00Z")
let app: IdentityApp
let other: IdentityApp
beforeAll(async () => {
  app = await identityApp({ config, now: () => new Date(nowMs) })
  other = await identityApp({ config, now: () => new Date(nowMs), database: app.database })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})
// Resets the limits.
beforeEach(() => {
  nowMs += 10 * 3600 * 1000
})

let people = 0
async function someone(): Promise<string> {
  people += 1
  const email = `person${people}@example.com`
  await app.app.users.create({ email, name: "P", password: PASSWORD })
  return email
}

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `198.51.${addresses >> 8}.${addresses & 255}`
}

interface From {
  readonly address?: string
  readonly cookie?: string
  readonly at?: IdentityApp
}

function signIn(email: string, password: string, { address = newAddress(), cookie, at = app }: From = {}) {
  const headers = { "x-forwarded-for": address, ...(cookie !== undefined && { cookie }) }
  return at.fetch("/auth/sign-in/email", { method: "POST", body: { email, password }, headers })
}

/** Guesses from new addresses until the account refuses further attempts. */
async function attack(email: string): Promise<void> {
  for (let turn = 0; turn < TRIES; turn++) await signIn(email, "a wrong one")
  expect((await signIn(email, "a wrong one")).status).toBe(429)
}

const deviceIn = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .filter((cookie) => cookie.startsWith("kit.device="))
    .map((cookie) => cookie.split(";", 1)[0])
    .join("")

const statuses = async (count: number, send: () => Promise<Answer>) => {
  const all: number[] = []
  for (let turn = 0; turn < count; turn++) all.push((await send()).status)
  return all
}

describe("wrong passwords for one account", () => {
  test("have a limit over all addresses, however the account is spelled", async () => {
    const email = await someone()
    const spellings = [email, email.toUpperCase(), email.replace("p", "P")]

    const tried: number[] = []
    for (let turn = 0; turn < TRIES; turn++) {
      tried.push((await signIn(spellings[turn % 3] ?? "", "a wrong one")).status)
    }
    const refused = await signIn(email, PASSWORD)

    expect(tried).toEqual(Array.from({ length: TRIES }, () => 401))
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } })
    expect(refused.body.error.message).toMatch(/set a new password by mail/)
    expect(refused.headers.get("retry-after")).toBe("1200")
    expect(refused.headers.getSetCookie()).toEqual([])
  })

  test("are given back evenly", async () => {
    const email = await someone()
    await attack(email)

    nowMs += 1_201_000
    const [one, two] = [await signIn(email, PASSWORD), await signIn(email, "a wrong one")]

    expect([one.status, two.status]).toEqual([200, 401])
    expect((await signIn(email, PASSWORD)).status).toBe(429)
  })

  test("do not tell whether there is such an account", async () => {
    const email = await someone()
    const answers = []
    for (const tried of [email, "nobody.at.all@example.com"]) {
      const seen = []
      for (let turn = 0; turn < TRIES + 2; turn++) {
        const { status, body, headers } = await signIn(tried, "a wrong one")
        const { requestId: _, ...error } = body.error
        seen.push({ status, error, after: headers.get("retry-after"), cookies: headers.getSetCookie() })
      }
      answers.push(seen)
    }

    expect(answers[0]).toEqual(answers[1])
  })

  test("are counted for all processes together", async () => {
    const email = await someone()
    for (let turn = 0; turn < TRIES; turn++) await signIn(email, "a wrong one", { at: turn % 2 ? app : other })

    expect([await signIn(email, PASSWORD), await signIn(email, PASSWORD, { at: other })]).toMatchObject([
      { status: 429 },
      { status: 429 },
    ])
  })

  test("are counted also when they come at the same time", async () => {
    const email = await someone()

    const answers = await Promise.all(Array.from({ length: 4 * TRIES }, () => signIn(email, "a wrong one")))

    const wrong = answers.filter(({ status }) => status === 401)
    expect(wrong).toHaveLength(TRIES)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3 * TRIES)
  })

  test("are the only ones that count", async () => {
    const email = await someone()

    expect(await statuses(3 * TRIES, () => signIn(email, PASSWORD))).toEqual(
      Array.from({ length: 3 * TRIES }, () => 200),
    )
    expect(await statuses(3 * TRIES, () => signIn("no address", PASSWORD))).not.toContain(429)
    expect((await signIn(email, "a wrong one")).status).toBe(401)
  })

  test("take a bounded number of rows", async () => {
    for (let turn = 0; turn < 6; turn++) await signIn(`random${turn}@example.com`, "a wrong one")

    const [table] = await app.database.query(
      "select count(*)::int as rows, min(slot) as low, max(slot) as high from _kit_tries",
    )
    expect(Number(table?.["rows"])).toBeGreaterThan(0)
    expect(Number(table?.["low"])).toBeGreaterThanOrEqual(0)
    expect(Number(table?.["high"])).toBeLessThan(2 ** 18)
  })
})

describe("while somebody guesses, the owner still signs in", () => {
  test("with a browser that has signed in before, which has tries of its own", async () => {
    const email = await someone()
    const cookie = deviceIn(await signIn(email, PASSWORD))
    await attack(email)

    const own = await statuses(TRIES, () => signIn(email, "mistyped", { cookie }))
    const tooMany = await signIn(email, PASSWORD, { cookie })
    nowMs += 1_201_000

    expect(cookie).not.toBe("")
    expect(own).toEqual(Array.from({ length: TRIES }, () => 401))
    expect(tooMany.status).toBe(429)
    expect((await signIn(email, PASSWORD, { cookie })).status).toBe(200)
  })

  test("with the browser in which they signed up", async () => {
    const body = { email: "signed.up@example.com", name: "S", password: PASSWORD }
    const cookie = deviceIn(await app.fetch("/auth/sign-up/email", { method: "POST", body }))
    await attack(body.email)

    expect((await signIn(body.email, PASSWORD, { cookie })).status).toBe(200)
  })

  test("with a browser that has signed in to other accounts since", async () => {
    const email = await someone()
    let cookie = deviceIn(await signIn(email, PASSWORD))
    for (let turn = 0; turn < 4; turn++) cookie = deviceIn(await signIn(await someone(), PASSWORD, { cookie }))
    await attack(email)

    expect((await signIn(email, PASSWORD, { cookie })).status).toBe(200)
  })

  test("from an address where a session of theirs was opened", async () => {
    for (const address of ["203.0.113.7", "2001:db8:1:2::7"]) {
      const email = await someone()
      await signIn(email, PASSWORD, { address })
      await attack(email)

      const here = await signIn(email, PASSWORD, { address })
      const near = await signIn(email, PASSWORD, { address: address.replace(/7$/, "8") })

      expect([here.status, near.status]).toEqual([200, address.includes(":") ? 200 : 429])
    }
  })

  test("in a session that is open", async () => {
    const email = await someone()
    const { body } = await signIn(email, PASSWORD)
    await attack(email)

    const headers = { authorization: `Bearer ${body.token}`, "x-forwarded-for": newAddress() }
    const again = await app.fetch("/auth/sign-in/email", {
      method: "POST",
      body: { email, password: PASSWORD },
      headers,
    })

    expect(again.status).toBe(200)
  })

  test("by a new password that was set by mail", async () => {
    const email = await someone()
    await attack(email)
    const before = app.mails.length
    await app.fetch("/auth/request-password-reset", { method: "POST", body: { email } })
    const token = /Your code: (\S+)/.exec((await app.mail(before + 1)).text)?.[1]

    const body = { token, newPassword: "another horse" }
    const reset = await app.fetch("/auth/reset-password", { method: "POST", body })
    await attack(email)

    expect(reset.status).toBe(200)
    expect((await signIn(email, "another horse", { cookie: deviceIn(reset) })).status).toBe(200)
    expect((await signIn(email, "another horse")).status).toBe(429)
  })
})

describe("nobody passes for the owner", () => {
  test("with the cookie of another account, or one that was made up", async () => {
    const email = await someone()
    const ofAnother = deviceIn(await signIn(await someone(), PASSWORD))
    await attack(email)
    const made = [
      ofAnother,
      "kit.device=",
      "kit.device=:::::",
      `kit.device=${"a".repeat(16)}.${"b".repeat(22)}`,
      `kit.device=${`${"a".repeat(16)}.${"b".repeat(22)}:`.repeat(100)}`,
      `${ofAnother.slice(0, -1)}${ofAnother.endsWith("A") ? "B" : "A"}`,
    ]

    for (const cookie of made) expect((await signIn(email, PASSWORD, { cookie })).status).toBe(429)
  })

  test("with a session of another account", async () => {
    const email = await someone()
    const { body } = await signIn(await someone(), PASSWORD)
    await attack(email)

    const headers = { authorization: `Bearer ${body.token}`, "x-forwarded-for": newAddress() }
    const answer = await app.fetch("/auth/sign-in/email", {
      method: "POST",
      body: { email, password: PASSWORD },
      headers,
    })

    expect(answer.status).toBe(429)
  })
})

test("the cookie of a device goes to /auth alone, and no script reads it", async () => {
  const answer = await signIn(await someone(), PASSWORD)
  const { pathname } = new URL(app.url)

  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("kit.device="))
  expect(cookie).toContain(`; Path=${pathname.replace(/\/$/, "")}/auth;`)
  expect(cookie).toContain("; HttpOnly; SameSite=Lax")
})

test("a session that somebody has taken does not find out the password either", async () => {
  const email = await someone()
  const cookie = cookieOf((await signIn(email, PASSWORD)).headers)
  const change = (currentPassword: string) =>
    app.fetch("/auth/change-password", {
      method: "POST",
      body: { currentPassword, newPassword: "another horse" },
      headers: { cookie },
    })

  const tried = await statuses(TRIES, () => change("a wrong one"))
  const refused = await change(PASSWORD)
  nowMs += 1_201_000

  expect(tried).toEqual(Array.from({ length: TRIES }, () => 400))
  expect(refused.status).toBe(429)
  expect((await change(PASSWORD)).status).toBe(200)
})

test("without limits there is none, and no cookie", async () => {
  await using free = await identityApp({ config: { limits: { rate: false } } })
  await free.app.users.create({ email: "free@example.com", name: "F", password: PASSWORD })

  const wrong = await signIn("free@example.com", "a wrong one", { at: free })
  const { headers, status } = await signIn("free@example.com", PASSWORD, { at: free })

  expect([wrong.status, status]).toEqual([401, 200])
  expect(await free.database.query("select 1 from _kit_tries")).toEqual([])
  expect(headers.getSetCookie().join()).not.toContain("kit.device")
})
