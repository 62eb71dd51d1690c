// @module-tag not-about-shortcuts

import { createClient } from "kit/client"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { cookieOf, type IdentityApp, identityApp, PASSWORD, signIn } from "../support/worlds/identity-app.ts"
import { readBoot } from "./support/boot-data.ts"

const EVA = { name: "Eva", email: "eva@example.com", password: PASSWORD }

let app: IdentityApp
beforeEach(async () => {
  app = await identityApp()
})
afterEach(() => app[Symbol.asyncDispose]())

async function tokenOf({ app }: IdentityApp): Promise<string> {
  return (await app.setUpToken()) ?? "none"
}

function setUp(at: IdentityApp, body: object) {
  return at.fetch("/_kit/setup", { method: "POST", body })
}

async function emailsOf({ database }: IdentityApp): Promise<unknown[]> {
  return (await database.query("select email from users order by email")).map(({ email }) => email)
}

describe("the set-up", () => {
  test("creates an account with the role admin, and signs it in", async () => {
    const token = await tokenOf(app)

    const { status, body, headers } = await setUp(app, { token, ...EVA })

    expect(status).toBe(200)
    expect(body).toMatchObject({ token: expect.any(String), user: { ...named(EVA), role: "admin" } })
    const cookie = cookieOf(headers)
    const session = await app.fetch("/auth/get-session", { headers: { cookie } })
    expect(session.body).toMatchObject({ user: { role: "admin", emailVerified: true } })
    expect((await app.fetch("/_kit/schema", { headers: { cookie } })).body).toMatchObject({ console: true })
  })

  test("is done by the client, which is then signed in", async () => {
    const server = { baseURL: app.origin, basePath: "/api" }
    const client = createClient(server)

    const { user, token } = await client.auth.setUp({ token: await tokenOf(app), ...EVA })

    expect(user).toMatchObject({ ...named(EVA), role: "admin" })
    const signedIn = createClient({ ...server, headers: { authorization: `Bearer ${token}` } })
    expect(await signedIn.auth.session()).toMatchObject({ user: named(EVA) })
    await expect(client.auth.setUp({ token: "wrong", ...EVA })).rejects.toMatchObject({ status: 403 })
  })

  test("lets the first admin sign in where every address must be confirmed", async () => {
    await using strict = await identityApp({ config: { auth: { signUp: true, requireVerifiedEmail: true } } })

    await setUp(strict, { token: await tokenOf(strict), ...EVA })

    expect(await signIn(strict.fetch, EVA.email)).toMatchObject({ token: expect.any(String) })
    expect(strict.mails).toEqual([])
  })

  test("is done once: the token is of no use afterwards", async () => {
    const token = await tokenOf(app)
    await setUp(app, { token, ...EVA })

    const again = await setUp(app, { token, ...EVA, email: "ivan@example.com" })

    expect(again).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } })
    expect(again.body.error.message).toContain("The set-up is finished")
    expect(await app.app.setUpToken()).toBeUndefined()
    expect(await emailsOf(app)).toEqual([EVA.email])
  })

  test("of ten requests in two processes, one creates an account", async () => {
    await using other = await identityApp({ database: app.database })
    const token = await tokenOf(app)
    expect(await tokenOf(other)).toBe(token)

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        setUp(index % 2 ? app : other, { token, ...EVA, email: `person${index}@example.com` }),
      ),
    )

    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(await emailsOf(app)).toHaveLength(1)
  })

  test("stays open while others sign up themselves", async () => {
    await app.fetch("/auth/sign-up/email", { method: "POST", body: { ...EVA, email: "first@example.com" } })
    expect(await readBoot(`${app.origin}/admin`)).toMatchObject({ setUpOpen: true })

    const { status } = await setUp(app, { token: await tokenOf(app), ...EVA })

    expect(status).toBe(200)
    expect(await readBoot(`${app.origin}/admin`)).toMatchObject({ setUpOpen: false })
  })

  test.each(["admin", "editor,admin", "admin,editor"])("is closed by an account with the role %s", async (role) => {
    const token = await tokenOf(app)
    await app.app.users.create({ email: "root@example.com", name: "Root", role })

    expect(await setUp(app, { token, ...EVA })).toMatchObject({ status: 409 })
    expect(await readBoot(`${app.origin}/admin`)).toMatchObject({ setUpOpen: false })
  })

  test("stays closed when the only admin is banned", async () => {
    const token = await tokenOf(app)
    const { id } = await app.app.users.create({ email: "root@example.com", name: "Root", role: "admin" })
    await app.database.query("update users set banned = true where id = $1", [id])

    expect(await setUp(app, { token, ...EVA })).toMatchObject({ status: 409 })
  })

  test("is open again when no account has the role admin any more", async () => {
    const token = await tokenOf(app)
    await setUp(app, { token, ...EVA })
    await app.database.query("delete from users")
    await using restarted = await identityApp({ database: app.database })

    expect(await tokenOf(restarted)).toBe(token)
    expect(await setUp(app, { token, ...EVA })).toMatchObject({ status: 200 })
  })

  test("is asked of the database for a page, and never again once it is closed", async () => {
    await setUp(app, { token: await tokenOf(app), ...EVA })
    await app.database.query("delete from users")

    expect(await readBoot(`${app.origin}/admin`)).toMatchObject({ setUpOpen: false })
  })
})

describe("without the token of this app", () => {
  test("nothing shows whether the set-up is open, or which addresses have an account", async () => {
    await app.app.users.create({ email: "known@example.com", name: "Known" })
    const inputs = ["known@example.com", "unknown@example.com", "no address"].map((email) => ({ ...EVA, email }))

    const open = await Promise.all(inputs.map((input) => setUp(app, { token: "wrong", ...input })))
    await app.app.users.create({ email: "root@example.com", name: "Root", role: "admin" })
    const closed = await Promise.all(inputs.map((input) => setUp(app, { token: "wrong", ...input })))

    const shown = [...open, ...closed].map(({ status, body }) => ({ status, message: body.error.message }))
    expect(new Set(shown.map((each) => JSON.stringify(each)))).toHaveLength(1)
    expect(shown[0]).toMatchObject({ status: 403, message: expect.stringContaining("the one that the start") })
    expect(await emailsOf(app)).toEqual(["known@example.com", "root@example.com"])
  })

  test.each(["", "x", "x".repeat(43), "ž".repeat(43), "\u0000"])("%j is refused", async (token) => {
    const { status } = await setUp(app, { token, ...EVA })

    expect([400, 403]).toContain(status)
    expect(await emailsOf(app)).toEqual([])
  })

  test("the token of an app with another secret is refused", async () => {
    await using other = await identityApp({ config: { secret: "another secret, with 32 characters", auth: {} } })

    expect(await tokenOf(other)).not.toBe(await tokenOf(app))
    expect(await setUp(app, { token: await tokenOf(other), ...EVA })).toMatchObject({ status: 403 })
  })

  test("the tries are limited as those of a sign-in", async () => {
    await using limited = await identityApp({
      config: { limits: { rate: { signIn: { requests: 3, windowSeconds: 60 } } } },
    })

    const statuses: number[] = []
    for (let turn = 0; turn < 5; turn++) statuses.push((await setUp(limited, { token: "wrong", ...EVA })).status)

    expect(statuses).toEqual([403, 403, 403, 429, 429])
  })
})

describe("invalid input", () => {
  test.each([
    [{ name: "" }, "name"],
    [{ name: "  " }, "name"],
    [{ email: "no address" }, "email"],
    [{ email: "" }, "email"],
    [{ password: "short" }, "password"],
    [{ password: "x".repeat(200) }, "password"],
    [{ name: 7 }, "name"],
    [{ role: "admin" }, "role"],
    [{ token: undefined }, "token"],
  ])("%j is named by its path, and creates nothing", async (change, path) => {
    const { status, body } = await setUp(app, { token: await tokenOf(app), ...EVA, ...change })

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path }] })
    expect(await emailsOf(app)).toEqual([])
  })

  test("an option in the query string is refused", async () => {
    const body = { token: await tokenOf(app), ...EVA }

    const answer = await app.fetch("/_kit/setup?rememberMe=true", { method: "POST", body })

    expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "rememberMe" }] } } })
    expect(await emailsOf(app)).toEqual([])
  })

  test("an address that has an account is refused, and the set-up stays open", async () => {
    await app.app.users.create({ email: EVA.email, name: "Eva" })

    const { status, body } = await setUp(app, { token: await tokenOf(app), ...EVA })

    expect(status).toBe(409)
    expect(body.error.fieldErrors).toMatchObject([{ path: "email" }])
    expect(await app.app.setUpToken()).toBeDefined()
  })
})

describe("an app", () => {
  test("without a console has no set-up", async () => {
    await using plain = await identityApp({ config: { console: false } })

    expect(await setUp(plain, { token: await tokenOf(app), ...EVA })).toMatchObject({ status: 404 })
    expect(await plain.app.setUpToken()).toBeUndefined()
  })

  test("with its own sessions has no set-up", async () => {
    await using own = await identityApp({ config: { sessions: { read: () => null } } })

    expect(await setUp(own, { token: "x", ...EVA })).toMatchObject({ status: 404 })
    expect(await own.app.setUpToken()).toBeUndefined()
    expect(await readBoot(`${own.origin}/admin`)).toMatchObject({ setUpOpen: false, passwordSignIn: false })
  })
})

function named({ name, email }: { readonly name: string; readonly email: string }) {
  return { name, email }
}
