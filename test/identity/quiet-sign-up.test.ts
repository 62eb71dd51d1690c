// @module-tag not-about-engine

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { findConfigMistakes } from "../../packages/kit/src/app/config/settings/find-config-mistakes.ts"
import {
  type Answer,
  cookieOf,
  type IdentityApp,
  identityApp,
  PASSWORD,
  signIn,
} from "../support/worlds/identity-app.ts"

const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }

let app: IdentityApp
beforeAll(async () => {
  app = await identityApp({ config: { auth: { signUp: "quiet", providers: { github } } } })
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body: unknown) => app.fetch(path, { method: "POST", body })
const signUp = (email: string, more: object = {}) =>
  post("/auth/sign-up/email", { email, name: " Eva ", password: "one more horse", ...more })

/** Returns everything that a caller can observe, except the time. */
function seen({ status, body, headers }: Answer, email: string) {
  const names = [...headers.keys()].filter((name) => name !== "date")
  const text = JSON.stringify(body)
    .replaceAll(email, "…")
    .replace(/"requestId":"[^"]*"/, "")
  return { status, text, names, cookies: headers.getSetCookie() }
}

const mailAfter = (before: number) => app.mail(before + 1)

describe("a quiet sign-up", () => {
  test("answers the same whether there was an account", async () => {
    await app.app.users.create({ email: "known@example.com", name: "K", password: PASSWORD })

    const known = seen(await signUp("known@example.com"), "known@example.com")
    const fresh = seen(await signUp("fresh@example.com"), "fresh@example.com")
    const again = seen(await signUp("fresh@example.com"), "fresh@example.com")

    expect(known).toEqual(fresh)
    expect(again).toEqual(fresh)
    expect(known.status).toBe(200)
    expect(known.cookies).toEqual([])
  })

  test("answers what was sent, and nothing of an account", async () => {
    const { body } = await signUp("Answer@Example.com", { image: "/eva.png", role: "admin" })

    const user = { name: "Eva", email: "answer@example.com", image: "/eva.png", emailVerified: false }
    expect(body).toEqual({ token: null, user })
  })

  test("tells the owner of the account by mail, and changes nothing", async () => {
    await app.app.users.create({ email: "owner@example.com", name: "Olga", password: PASSWORD })
    const before = app.mails.length

    await signUp("owner@example.com", { name: "Not Olga" })
    const mail = await mailAfter(before)

    expect([mail.to].flat()).toEqual(["owner@example.com"])
    expect(mail.subject).toContain("you have an account already")
    expect(mail.text).toMatch(/^Hello Olga,\n\nSomeone tried to sign up with your email address\./)
    await signIn(app.fetch, "owner@example.com")
  })

  test("fills nobody's mailbox", async () => {
    await app.app.users.create({ email: "full@example.com", name: "F", password: PASSWORD })
    const mine = () => app.mails.filter(({ to }) => [to].flat().includes("full@example.com"))

    for (let turn = 0; turn < 5; turn++) await signUp("full@example.com")
    await app.app.users.create({ email: "last@example.com", name: "L", password: PASSWORD })
    const before = app.mails.length
    await signUp("last@example.com")
    await mailAfter(before)

    expect(mine()).toHaveLength(3)
  })

  test("lets a new person in once the address is confirmed", async () => {
    const before = app.mails.length
    await signUp("person@example.com")
    const early = await post("/auth/sign-in/email", { email: "person@example.com", password: "one more horse" })
    const link = /(http:\S+)/.exec((await mailAfter(before)).text)?.[1] ?? ""
    const confirmed = await fetch(link, { redirect: "manual" })

    expect([early.status, confirmed.status]).toEqual([401, 200])
    await signIn(app.fetch, "person@example.com", "one more horse")
  })

  test("cannot be asked by a sign-in that follows it", async () => {
    await app.app.users.create({ email: "old@example.com", name: "O", password: PASSWORD })
    await signUp("old@example.com")
    await signUp("new@example.com")
    const follow = (email: string) => post("/auth/sign-in/email", { email, password: "one more horse" })

    const [old, fresh, none] = [
      seen(await follow("old@example.com"), "old@example.com"),
      seen(await follow("new@example.com"), "new@example.com"),
      seen(await follow("none@example.com"), "none@example.com"),
    ]

    expect(old).toEqual(fresh)
    expect(none).toEqual(fresh)
    expect(old.text).toContain("has not been confirmed yet")
  })

  test("of the same address at the same time answers the same, and makes one user", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUp("race@example.com")))

    const [first, ...others] = answers.map((answer) => seen(answer, "race@example.com"))
    for (const another of others) expect(another).toEqual(first)
    const users = await app.database.query("select 1 from users where email = 'race@example.com'")
    expect(users).toHaveLength(1)
  })

  test.each([{ email: "no address" }, { password: "short" }, { name: "two\nlines" }, { callbackURL: "//evil.test" }])(
    "refuses %j for every address alike",
    async (wrong) => {
      await app.app.users.create({ email: `w${app.mails.length}${Object.keys(wrong)[0]}@example.com`, name: "W" })

      const known = await signUp(`w${app.mails.length}${Object.keys(wrong)[0]}@example.com`, wrong)
      const fresh = await signUp("nobody@example.com", wrong)

      expect(known.status).toBe(400)
      expect(known.body.error.fieldErrors ?? known.body.error.message).toEqual(
        fresh.body.error.fieldErrors ?? fresh.body.error.message,
      )
    },
  )
})

test("a new password that was set by mail confirms the address", async () => {
  await app.app.users.create({ email: "unsure@example.com", name: "U", password: PASSWORD, emailVerified: false })
  const before = app.mails.length
  await post("/auth/request-password-reset", { email: "unsure@example.com" })
  const token = /Your code: (\S+)/.exec((await mailAfter(before)).text)?.[1]

  const reset = await post("/auth/reset-password", { token, newPassword: "another horse" })

  expect(reset.status).toBe(200)
  await signIn(app.fetch, "unsure@example.com", "another horse")
})

describe("a provider that has not checked the address", () => {
  let email = ""
  beforeEach(() => {
    const real = globalThis.fetch
    vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input instanceof Request ? input.url : input)
      if (url.startsWith("https://github.com/login/oauth/access_token")) {
        return Promise.resolve(Response.json({ access_token: "token", token_type: "bearer", scope: "" }))
      }
      if (url === "https://api.github.com/user/emails") {
        return Promise.resolve(Response.json([{ email, primary: true, verified: false }]))
      }
      const id = email.length
      if (url === "https://api.github.com/user")
        return Promise.resolve(Response.json({ id, login: "p", name: "P", email }))
      return real(input, init)
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  test("opens no session, and does not tell who has an account", async () => {
    await app.app.users.create({ email: "linked@example.com", name: "L", password: PASSWORD })
    const locations = []
    for (const tried of ["linked@example.com", "unlinked@example.com"]) {
      email = tried
      const body = { provider: "github", callbackURL: "/welcome", errorCallbackURL: "/sorry" }
      const started = await post("/auth/sign-in/social", body)
      const state = new URL(started.body.url).searchParams.get("state")
      const headers = { cookie: cookieOf(started.headers) }
      const answer = await app.fetch(`/auth/callback/github?code=abc&state=${state}`, { headers })
      locations.push(answer.headers.get("location"))
      expect(answer.headers.getSetCookie().join()).not.toContain("kit.session_token=")
    }

    expect(locations).toEqual(["/sorry?error=email_not_verified", "/sorry?error=email_not_verified"])
  })
})

test("where addresses are confirmed, a sign-up answers the same also without being quiet", async () => {
  await using strict = await identityApp({ config: { auth: { signUp: true, requireVerifiedEmail: true } } })
  await strict.app.users.create({ email: "known@example.com", name: "K", password: PASSWORD })
  const up = (email: string) =>
    strict.fetch("/auth/sign-up/email", { method: "POST", body: { email, name: "N", password: PASSWORD } })

  const [known, fresh] = [await up("known@example.com"), await up("fresh@example.com")]

  expect(seen(known, "known@example.com")).toEqual(seen(fresh, "fresh@example.com"))
})

test.each([
  [{ auth: { signUp: "loud" } }, 'the setting "auth.signUp" must be true, false or "quiet".'],
  [{ auth: { signUp: "quiet", requireVerifiedEmail: false } }, 'the setting "auth.signUp" cannot be "quiet" while'],
])("%j is refused", (config, sentence) => {
  expect(findConfigMistakes(config)[0]).toContain(sentence)
})
