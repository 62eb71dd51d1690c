import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { cookieOf, type IdentityApp, identityApp, PASSWORD, type SignedIn } from "../support/worlds/identity-app.ts"

const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }

let app: IdentityApp
let admin: SignedIn
beforeAll(async () => {
  app = await identityApp({ config: { auth: { signUp: true, providers: { github } } } })
  admin = await app.signIn({ email: "admin@example.com", role: "admin" })
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body: unknown, cookie = "") =>
  app.fetch(path, { method: "POST", body, headers: cookie === "" ? {} : { cookie } })

const BREAKS = [
  "\r\n",
  "\n",
  "\r",
  "\t",
  "\u000b",
  "\u0085",
  "\u2028",
  "\u2029",
  "\u0007",
  "\u001b",
  "\u007f",
  "\u009b",
]
const TURNS = ["\u202e", "\u202a", "\u2066", "\u2069"]
const HOSTILE = [...BREAKS, ...TURNS].map((character) => `Eva${character}Your account is locked`)

function expectRefused(answer: { status: number; body: any }, path: string): void {
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path }] } } })
}

describe("a text that could break out of its line is refused", () => {
  test("as the name of a sign-up, of an update and of a user that an admin makes", async () => {
    for (const name of HOSTILE) {
      const fine = { email: "lines@example.com", password: PASSWORD }

      expectRefused(await post("/auth/sign-up/email", { ...fine, name }), "name")
      expectRefused(await post("/auth/update-user", { name }, admin.cookie), "name")
      expectRefused(await post("/auth/admin/create-user", { ...fine, name }, admin.cookie), "name")
    }
    expect(await app.database.query("select 1 from users where email = 'lines@example.com'")).toEqual([])
  })

  test("as the picture of a sign-up and of an update", async () => {
    for (const image of ["https://example.com/\nx", "https://exa\tmple.com/", "/pic\r\nx", "/a\u2028b"]) {
      const body = { email: "lines@example.com", name: "Eva", password: PASSWORD, image }

      expectRefused(await post("/auth/sign-up/email", body), "image")
      expectRefused(await post("/auth/update-user", { image }, admin.cookie), "image")
    }
  })

  test("as the address of a sign-up", async () => {
    for (const email of [
      "a\nb@example.com",
      "a\u0007@example.com",
      "a@exam\u009bple.com",
      "a@example.com\r\nBcc: x@y.zz",
    ]) {
      expectRefused(await post("/auth/sign-up/email", { email, name: "Eva", password: PASSWORD }), "email")
    }
  })

  test("as a role", async () => {
    const { id } = await app.signIn({ email: "role@example.com" })

    expectRefused(await post("/auth/admin/set-role", { userId: id, role: "edi\ntor" }, admin.cookie), "role")
  })

  test("as the name of an API key", async () => {
    for (const name of HOSTILE) expectRefused(await post("/auth/api-keys", { name }, admin.cookie), "name")
  })

  test("from the app's own code", async () => {
    const users = app.app.system.collections["users"]
    const invalid = { code: "VALIDATION_ERROR" }

    for (const name of HOSTILE) {
      await expect(app.app.users.create({ email: "code@example.com", name })).rejects.toMatchObject(invalid)
      await expect(users?.updateById({ id: admin.id, data: { name } })).rejects.toMatchObject(invalid)
    }
    for (const data of [{ image: "/a\nb" }, { role: "a\nb" }, { email: "a\u0007b@example.com" }]) {
      await expect(users?.updateById({ id: admin.id, data })).rejects.toMatchObject(invalid)
    }
  })
})

test.each(["Eva", "Jean-Luc d'Été", "李小龍", "سارة", "a\u200db", "👩‍👩‍👧", "Eva  Maria", " Eva "])(
  "%j is a name",
  async (name) => {
    const { status } = await post("/auth/update-user", { name }, admin.cookie)

    expect(status).toBe(200)
  },
)

describe("a mail", () => {
  async function mailTo(name: string): Promise<{ text: string; html: string }> {
    const { id } = await app.signIn({ email: `mail${app.mails.length}@example.com` })
    // A name as it may have been stored before names were checked.
    await app.database.query("update users set name = $1 where id = $2", [name, id])
    const before = app.mails.length
    await post("/auth/request-password-reset", { email: `mail${before}@example.com`, redirectTo: "/new" })
    const { text, html = "" } = await app.mail(before + 1)
    return { text, html }
  }

  test("greets by name", async () => {
    const { text, html } = await mailTo("Eva <b>& Co")

    expect(text).toMatch(/^Hello Eva <b>& Co,\n\n/)
    expect(html).toMatch(/^<p>Hello Eva &lt;b&gt;&amp; Co,<\/p>/)
  })

  test.each([
    "Eva,\r\n\r\nyour account is locked. Call 555-1234.\r\n\r\nBest regards",
    "win at http://evil.test/x",
    "www.evil.test",
    "evil.test/login",
    "x".repeat(100),
  ])("has no other line, link or long text because of the name %j", async (name) => {
    const { text, html } = await mailTo(name)

    const lines = text.split("\n").filter(Boolean)
    expect(lines).toHaveLength(4)
    expect(lines[0]?.length).toBeLessThan(80)
    expect(lines[0]).not.toMatch(/evil/)
    expect(html).not.toMatch(/evil/)
    expect(html.match(/<p>/g)).toHaveLength(4)
  })
})

describe("what a provider says of somebody", () => {
  let profile: Record<string, unknown>
  beforeEach(() => {
    const real = globalThis.fetch
    vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input instanceof Request ? input.url : input)
      if (url.startsWith("https://github.com/login/oauth/access_token")) {
        return Promise.resolve(Response.json({ access_token: "token", token_type: "bearer", scope: "" }))
      }
      if (url === "https://api.github.com/user/emails") {
        return Promise.resolve(Response.json([{ email: profile["email"], primary: true, verified: true }]))
      }
      if (url === "https://api.github.com/user") return Promise.resolve(Response.json(profile))
      return real(input, init)
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  async function comeBack(person: Record<string, unknown>): Promise<any> {
    profile = person
    const started = await post("/auth/sign-in/social", { provider: "github", callbackURL: "/welcome" })
    const state = new URL(started.body.url).searchParams.get("state")
    const headers = { cookie: cookieOf(started.headers) }
    const answer = await app.fetch(`/auth/callback/github?code=abc&state=${state}`, { headers })
    const session = await app.fetch("/auth/get-session", { headers: { cookie: cookieOf(answer.headers) } })
    return session.body?.user
  }

  test("is made to fit: nobody can choose what a provider says", async () => {
    const name = `Eva\r\n\u202eYour\u2028account ${"x".repeat(300)}`
    const avatar_url = "javascript:alert(1)"

    const user = await comeBack({ id: 1, login: "e", email: "provided@example.com", name, avatar_url })

    expect(user.name).toMatch(/^Eva Your account x+$/)
    expect(user.name).toHaveLength(200)
    expect(user.image).toBeNull()
  })

  test("stays as it is where it fits", async () => {
    const avatar_url = "https://example.com/eva.png"

    const user = await comeBack({ id: 2, login: "e", email: "fits@example.com", name: "Eva Été", avatar_url })

    expect(user).toMatchObject({ name: "Eva Été", image: avatar_url })
  })
})
