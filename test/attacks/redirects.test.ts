// @module-tag not-about-engine

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { seededRandom } from "../support/seeded-random.ts"
import { cookieOf, type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const TRUSTED = "https://app.example.com"
const PATHS = [
  "/..//evil.test",
  "/.//evil.test",
  "/a/..//evil.test",
  "/a/b/../..//evil.test/x",
  "/%2e%2e//evil.test",
  "/%2E.//evil.test",
  "/.%2e//evil.test",
  "/%2e//evil.test",
  "/a/%2e%2e//evil.test",
  "/..///evil.test",
  "/./..//evil.test?x=1#y",
  "/..//evil.test:80@127.0.0.1/",
]

let app: IdentityApp
beforeAll(async () => {
  const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }
  const auth = { signUp: true, requireVerifiedEmail: true, trustedRedirects: [TRUSTED], providers: { github } }
  app = await identityApp({ config: { auth } })
  await app.app.users.create({ email: "eva@example.com", name: "Eva", password: PASSWORD })
  await app.app.users.create({ email: "new@example.com", name: "New", password: PASSWORD, emailVerified: false })
})
afterAll(() => app[Symbol.asyncDispose]())

let profile = 0
beforeEach(() => {
  const real = globalThis.fetch
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input)
    if (url.startsWith("https://github.com/login/oauth/access_token")) {
      return Promise.resolve(Response.json({ access_token: "token", token_type: "bearer", scope: "" }))
    }
    const email = `person${profile}@example.com`
    if (url === "https://api.github.com/user/emails") {
      return Promise.resolve(Response.json([{ email, primary: true, verified: true }]))
    }
    if (url === "https://api.github.com/user") {
      return Promise.resolve(Response.json({ id: profile, login: "p", name: "P", email }))
    }
    return real(input, init)
  })
})
afterEach(() => vi.unstubAllGlobals())

const post = (path: string, body: unknown) => app.fetch(path, { method: "POST", body })

/** Returns the origin at which a browser arrives after the app's redirect. */
const originOf = (location: string | null | undefined) => new URL(location ?? "", app.url).origin
const isInside = (location: string | null | undefined) => [app.origin, TRUSTED].includes(originOf(location))

/**
 * Each flow starts with a URL, follows the app's own redirects and mails, and returns where the browser is sent last.
 */
const WAYS: Readonly<Record<string, (url: string) => Promise<Way>>> = {
  "a sign-in": async (callbackURL) => {
    const answer = await post("/auth/sign-in/email", { email: "eva@example.com", password: PASSWORD, callbackURL })
    return { status: answer.status, locations: [answer.headers.get("location"), answer.body.url] }
  },
  "a reset by mail": async (redirectTo) => {
    const before = app.mails.length
    const asked = await post("/auth/request-password-reset", { email: "eva@example.com", redirectTo })
    return asked.status === 200 ? followMail(before) : { status: asked.status, locations: [] }
  },
  "a confirmation by mail": async (callbackURL) => {
    const before = app.mails.length
    const asked = await post("/auth/sign-in/email", { email: "new@example.com", password: PASSWORD, callbackURL })
    if (asked.status === 400) return { status: 400, locations: [] }
    const link = linkIn((await app.mail(before + 1)).text)
    // With a wrong token, the address is never confirmed, and the next case requests it again.
    return follow(`${link}`.replace(/token=[^&]*/, "token=x"))
  },
  "the link of a reset": (url) => follow(`${app.url}/auth/reset-password/x?callbackURL=${encodeURIComponent(url)}`),
  "the link of a confirmation": (url) =>
    follow(`${app.url}/auth/verify-email?token=x&callbackURL=${encodeURIComponent(url)}`),
  "a new user of a provider": (newUserCallbackURL) => comeBack({ callbackURL: "/", newUserCallbackURL }, "code=abc"),
  "a user of a provider": (callbackURL) => comeBack({ callbackURL }, "code=abc"),
  "a failure at a provider": (errorCallbackURL) => comeBack({ callbackURL: "/", errorCallbackURL }, "error=denied"),
}

interface Way {
  readonly status: number
  readonly locations: readonly (string | null | undefined)[]
}

async function comeBack(redirects: Readonly<Record<string, string>>, query: string): Promise<Way> {
  profile += 1
  const started = await post("/auth/sign-in/social", { provider: "github", ...redirects })
  if (started.status !== 200) return { status: started.status, locations: [] }
  const state = new URL(started.body.url).searchParams.get("state")
  const headers = { cookie: cookieOf(started.headers) }
  const answer = await app.fetch(`/auth/callback/github?${query}&state=${state}`, { headers })
  return { status: 200, locations: [answer.headers.get("location")] }
}

async function followMail(before: number): Promise<Way> {
  return follow(linkIn((await app.mail(before + 1)).text))
}

const linkIn = (text: string) => /(http:\S+)/.exec(text)?.[1] ?? ""

async function follow(link: string): Promise<Way> {
  const answer = await fetch(link, { redirect: "manual" })
  return { status: answer.status === 302 ? 200 : answer.status, locations: [answer.headers.get("location")] }
}

describe.each(Object.keys(WAYS))("%s", (name) => {
  const go = (url: string) => (WAYS[name] as (url: string) => Promise<Way>)(url)

  test("does not lead outside by a path that changes when it is resolved", async () => {
    for (const path of PATHS) {
      const { status, locations } = await go(path)

      expect({ path, status, location: locations.find(Boolean) }).toEqual({ path, status: 400, location: undefined })
    }
  })

  test.each([
    ["/welcome", "/welcome"],
    ["/a/../welcome?x=%2F#top", "/welcome"],
    [`${TRUSTED}/a/./b`, "/a/b"],
  ])("leads to %s", async (url, path) => {
    const { status, locations } = await go(url)

    expect(status).toBe(200)
    expect(isInside(locations[0])).toBe(true)
    expect(new URL(locations[0] ?? "", app.url).pathname).toBe(path)
  })
})

test("whatever path is accepted, a browser stays inside", async () => {
  const random = seededRandom()
  const parts = [
    "/",
    "//",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "a",
    "evil.test",
    "@",
    ":",
    "?",
    "#",
    "%2f",
    "%5c",
    "%09",
    ";",
    "\\",
    "\t",
    "\n",
    "\u3002",
    "%252e",
    "&",
    "http:",
    "https://",
    TRUSTED,
    "app.example.com",
  ]
  const address = () => {
    const count = 1 + random.below(8)
    return `${random.below(8) === 0 ? "" : "/"}${Array.from({ length: count }, () => parts[random.below(parts.length)]).join("")}`
  }
  let accepted = 0
  for (let turn = 0; turn < 200; turn++) {
    const url = address()
    const way = turn % 20 === 0 ? "a failure at a provider" : "the link of a confirmation"
    const { status, locations } = await (WAYS[way] as (url: string) => Promise<Way>)(url)

    if (status !== 200) continue
    accepted += 1
    expect({ seed: random.seed, url, isInside: isInside(locations[0]) }).toMatchObject({ isInside: true })
  }
  expect(accepted).toBeGreaterThan(10)
})

test("an address that was stored and is not allowed any more is not followed", async () => {
  const asked = await post("/auth/sign-in/social", { provider: "github", callbackURL: `${TRUSTED}/x` })
  const state = new URL(asked.body.url).searchParams.get("state")
  await app.database.query(`update _kit_verifications set value = replace(value, '${TRUSTED}', 'https://gone.test')`)

  const headers = { cookie: cookieOf(asked.headers) }
  const answer = await app.fetch(`/auth/callback/github?code=abc&state=${state}`, { headers })

  expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  expect(answer.headers.get("location")).toBeNull()
})
