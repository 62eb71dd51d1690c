import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { cookieOf, type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }

/** The provider's data about the person who signs in. */
interface Profile {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly email: string
  readonly isVerified: boolean
}

let profile: Profile
let app: IdentityApp
let closed: IdentityApp
beforeAll(async () => {
  app = await identityApp({ config: { auth: { signUp: true, providers: { github } } } })
  closed = await identityApp({ config: { auth: { providers: { github } } } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await closed[Symbol.asyncDispose]()
})

// The provider is mocked; everything else is real.
beforeEach(() => {
  const real = globalThis.fetch
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input)
    if (url.startsWith("https://github.com/login/oauth/access_token")) {
      return Promise.resolve(Response.json({ access_token: "token-of-the-provider", token_type: "bearer", scope: "" }))
    }
    if (url === "https://api.github.com/user/emails") {
      return Promise.resolve(Response.json([{ email: profile.email, primary: true, verified: profile.isVerified }]))
    }
    if (url === "https://api.github.com/user") return Promise.resolve(Response.json(profile))
    return real(input, init)
  })
})
afterEach(() => vi.unstubAllGlobals())

async function comeBack(from: IdentityApp, person: Profile, cookies = "") {
  profile = person
  const body = { provider: "github", callbackURL: "/welcome", errorCallbackURL: "/sorry" }
  const started = await from.fetch("/auth/sign-in/social", { method: "POST", body, headers: { cookie: cookies } })
  const state = new URL(started.body.url).searchParams.get("state")
  const cookie = [cookies, cookieOf(started.headers)].filter(Boolean).join("; ")
  const answer = await from.fetch(`/auth/callback/github?code=abc&state=${state}`, { headers: { cookie } })
  return { status: answer.status, location: answer.headers.get("location") ?? "", cookie: cookieOf(answer.headers) }
}

const mina = { id: 7, login: "mina", name: "Mina", email: "Mina@Example.com", isVerified: true }

test("somebody who comes back from the provider has an account and a session", async () => {
  const { status, location, cookie } = await comeBack(app, mina)

  const session = await app.fetch("/auth/get-session", { headers: { cookie } })
  const accounts = await app.fetch("/auth/list-accounts", { headers: { cookie } })
  expect(status).toBe(302)
  expect(new URL(location, app.origin).href).toBe(`${app.origin}/welcome`)
  expect(session.body.user).toMatchObject({
    name: "Mina",
    email: "mina@example.com",
    emailVerified: true,
    role: "user",
  })
  expect(accounts.body).toMatchObject([{ providerId: "github", accountId: "7" }])
  const rows = await app.database.query("select to_jsonb(a)::text as text from _kit_accounts a")
  expect(rows.some(({ text }) => String(text).includes("token-of-the-provider"))).toBe(false)
})

test("who comes a second time is the same user", async () => {
  const first = await comeBack(app, { ...mina, id: 8, email: "twice@example.com" })
  const second = await comeBack(app, { ...mina, id: 8, email: "twice@example.com", name: "Other" })

  const [one, two] = [
    await app.fetch("/auth/get-session", { headers: { cookie: first.cookie } }),
    await app.fetch("/auth/get-session", { headers: { cookie: second.cookie } }),
  ]
  expect(two.body.user.id).toBe(one.body.user.id)
  expect(two.body.session.id).not.toBe(one.body.session.id)
})

test("an address that the provider has not verified takes over nobody's account", async () => {
  await app.app.users.create({ email: "victim@example.com", name: "Victim", password: PASSWORD })

  const { location, cookie } = await comeBack(app, { ...mina, id: 9, email: "victim@example.com", isVerified: false })

  expect(new URL(location, app.origin).pathname).toBe("/sorry")
  expect((await app.fetch("/auth/get-session", { headers: { cookie } })).body).toBeNull()
})

test("a state that somebody else has begun is refused", async () => {
  profile = { ...mina, id: 10, email: "forged@example.com" }
  const body = { provider: "github", callbackURL: "/welcome" }
  const started = await app.fetch("/auth/sign-in/social", { method: "POST", body })
  const state = new URL(started.body.url).searchParams.get("state")

  const answer = await app.fetch(`/auth/callback/github?code=abc&state=${state}`)

  expect(answer.headers.getSetCookie().join()).not.toContain("kit.session_token=")
  expect(await app.database.query("select 1 from users where email = 'forged@example.com'")).toEqual([])
})

test("where nobody can sign up, nobody can by way of a provider", async () => {
  const { location, cookie } = await comeBack(closed, { ...mina, id: 11, email: "stranger@example.com" })

  expect(new URL(location, closed.origin).pathname).toBe("/sorry")
  expect((await closed.fetch("/auth/get-session", { headers: { cookie } })).body).toBeNull()
  expect(await closed.database.query("select 1 from users")).toEqual([])
})
