// @module-tag not-about-engine
// @module-tag experiment

import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  cookieOf,
  hashAsInProduction,
  type IdentityApp,
  identityApp,
  PASSWORD,
  signIn,
} from "../support/worlds/identity-app.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(200) }))
  .access({ read: ({ session }) => session !== null })

const TRUSTED = "https://app.example.com"

let app: IdentityApp
beforeAll(async () => {
  const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }
  const auth = { signUp: true, trustedRedirects: [TRUSTED], providers: { github } }
  app = await identityApp({ resources: [notes], config: { auth } })
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: "POST", body, headers })
const statusOf = async (headers: Record<string, string>) => (await app.fetch("/notes", { headers })).status

describe("the time of an answer does not tell who has an account", () => {
  beforeEach(hashAsInProduction)

  const ROUND = 12
  // Answers that come in steps vary less, and take longer.
  const ROUND_IN_STEPS = 5
  const MAX_ROUNDS = 16
  // The limit over 200 attempts is 10 %; fewer attempts vary more.
  const SPREAD = 0.25

  /**
   * Returns the difference of the two delays. Other load on the machine affects both, and matters less with more
   * attempts.
   */
  async function spreadOf(known: Ask, unknown: Ask, tries = ROUND): Promise<number> {
    const times: [number[], number[]] = [[], []]
    let spread = 1
    await known()
    await unknown()
    for (let round = 0; round < MAX_ROUNDS && spread >= SPREAD; round++) {
      for (let turn = 0; turn < tries; turn++) {
        times[0].push(await timed(known))
        times[1].push(await timed(unknown))
      }
      spread = difference(quartile(times[0]), quartile(times[1]))
    }
    return spread
  }

  type Ask = () => Promise<unknown>

  // Load on the machine affects mostly the slower attempts.
  const quartile = (list: number[]) => list.toSorted((left, right) => left - right)[Math.floor(list.length / 4)] ?? 0
  const difference = (one: number, other: number) => Math.abs(one - other) / Math.max(one, other)

  async function timed(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now()
    await work()
    return performance.now() - start
  }

  test.each([
    ["signing in", "/auth/sign-in/email", { password: "wrong horse" }],
    ["asking for a new password", "/auth/request-password-reset", {}],
  ])("%s", async (_what, path, rest) => {
    await app.app.users.create({ email: `timed${path.length}@example.com`, name: "T", password: PASSWORD })
    const ask = (email: string) => () => post(path, { email, ...rest })

    const spread = await spreadOf(ask(`timed${path.length}@example.com`), ask("nobody.at.all@example.com"))

    expect(spread).toBeLessThan(SPREAD)
  })

  test("signing up, where that is quiet", async () => {
    await using quiet = await identityApp({ config: { auth: { signUp: "quiet" } } })
    await quiet.app.users.create({ email: "timed@example.com", name: "T", password: PASSWORD })
    let people = 0
    const signUp = (email: string) =>
      quiet.fetch("/auth/sign-up/email", { method: "POST", body: { email, name: "T", password: PASSWORD } })

    const spread = await spreadOf(
      () => signUp("timed@example.com"),
      () => {
        people += 1
        return signUp(`timed${people}@example.com`)
      },
      ROUND_IN_STEPS,
    )

    expect(spread).toBeLessThan(SPREAD)
  })
})

describe("a session is nobody else's", () => {
  test("a cookie that was set before is not taken over by signing in", async () => {
    const attacker = await app.signIn({ email: "attacker@example.com" })
    await app.app.users.create({ email: "victim@example.com", name: "V", password: PASSWORD })

    const body = { email: "victim@example.com", password: PASSWORD }
    const { headers } = await post("/auth/sign-in/email", body, { cookie: attacker.cookie })

    expect(cookieOf(headers)).not.toContain(attacker.token)
    const preset = await app.fetch("/auth/get-session", { headers: { cookie: attacker.cookie } })
    expect(preset.body.user.email).toBe("attacker@example.com")
  })

  test.each([
    ["a sign-out", (cookie: string) => post("/auth/sign-out", undefined, { cookie })],
    [
      "a change of the password",
      (cookie: string) =>
        post("/auth/change-password", { currentPassword: PASSWORD, newPassword: "another horse" }, { cookie }),
    ],
    [
      "the deletion of the user",
      async (cookie: string) => {
        const { body } = await app.fetch("/auth/get-session", { headers: { cookie } })
        return app.app.system.collections["users"]?.deleteById({ id: body.user.id })
      },
    ],
  ])("a cookie and a token are worth nothing after %s", async (what, end) => {
    const email = `${what.replace(/\W/g, "")}@example.com`
    const first = await app.signIn({ email })
    const second = await signIn(app.fetch, email)
    const shown = [{ cookie: first.cookie }, { authorization: `Bearer ${first.token}` }]
    const before = await Promise.all(shown.map(statusOf))

    await end(what === "a sign-out" ? first.cookie : second.cookie)

    expect(before).toEqual([200, 200])
    expect(await Promise.all(shown.map(statusOf))).toEqual([401, 401])
  })
})

describe("no redirect leads outside", () => {
  const OUTSIDE = [
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "https:evil.test",
    "https:/evil.test",
    "https:///evil.test",
    "http://evil.test",
    "//evil.test@127.0.0.1",
    `${TRUSTED}.evil.test`,
    `${TRUSTED}@evil.test`,
    "https://app.example.com:8443/x",
    "http://app.example.com/x",
    "/%2f%2fevil.test",
    "/%5cevil.test",
    "/\tevil.test",
    "/\n/evil.test",
    " //evil.test",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.test",
    "/x\u0000",
  ]
  const PLACES: readonly (readonly [string, (url: string) => Promise<{ status: number; headers: Headers }>])[] = [
    [
      "callbackURL of a sign-in",
      (url) => post("/auth/sign-in/email", { email: "a@b.cc", password: PASSWORD, callbackURL: url }),
    ],
    ["redirectTo of a reset", (url) => post("/auth/request-password-reset", { email: "a@b.cc", redirectTo: url })],
    ["callbackURL of a provider", (url) => post("/auth/sign-in/social", { provider: "github", callbackURL: url })],
    ["errorCallbackURL", (url) => post("/auth/sign-in/social", { provider: "github", errorCallbackURL: url })],
    ["newUserCallbackURL", (url) => post("/auth/sign-in/social", { provider: "github", newUserCallbackURL: url })],
    ["the link of a reset", (url) => app.fetch(`/auth/reset-password/token?callbackURL=${encodeURIComponent(url)}`)],
    [
      "the link of a confirmation",
      (url) => app.fetch(`/auth/verify-email?token=x&callbackURL=${encodeURIComponent(url)}`),
    ],
  ]

  test.each(PLACES)("%s", async (_name, ask) => {
    for (const url of OUTSIDE) {
      const answer = await ask(url)

      expect({ url, status: answer.status, location: answer.headers.get("location") }).toEqual({
        url,
        status: 400,
        location: null,
      })
    }
  })

  test("a list of addresses is none, and a query that says it twice is refused", async () => {
    const listed = await post("/auth/sign-in/social", { provider: "github", callbackURL: ["/a", "//evil.test"] })
    const twice = await app.fetch("/auth/verify-email?token=x&callbackURL=/a&callbackURL=//evil.test")

    expect([listed.status, twice.status]).toEqual([400, 400])
    expect(twice.headers.get("location")).toBeNull()
  })

  test.each(["/welcome", "/welcome?next=%2Fhome#top", `${TRUSTED}/welcome`])("%s is fine", async (url) => {
    const answer = await app.fetch(`/auth/reset-password/token?callbackURL=${encodeURIComponent(url)}`)

    const target = new URL(answer.headers.get("location") ?? "", app.origin)
    expect(answer.status).toBe(302)
    expect([app.origin, TRUSTED]).toContain(target.origin)
  })

  test("the Host header of a stranger gets into no mail", async () => {
    await app.app.users.create({ email: "host@example.com", name: "H", password: PASSWORD })
    const before = app.mails.length

    const request = new Request("http://evil.test/api/auth/request-password-reset", {
      method: "POST",
      headers: { "content-type": "application/json", host: "evil.test", "x-forwarded-host": "evil.test" },
      body: JSON.stringify({ email: "host@example.com", redirectTo: "/new" }),
    })
    await app.app.handler(request)
    const mail = await app.mail(before + 1)

    expect(mail.text).toContain("/reset-password/")
    expect(mail.text + mail.html).not.toContain("evil.test")
  })
})

test("a name cannot break out of a mail", async () => {
  const name = '<img src=x onerror="alert(1)">'
  await app.app.users.create({ email: "html@example.com", name, password: PASSWORD })
  const before = app.mails.length

  await post("/auth/request-password-reset", { email: "html@example.com" })
  const mail = await app.mail(before + 1)

  expect(mail.html).not.toContain("<img")
})
