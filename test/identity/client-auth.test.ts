import { users } from "kit"
import { createClient, KitClientError } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cookieJarFetch } from "../support/cookie-jar.ts"
import { type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const isSelf = ({ session }: { session: { user: { id: string } } | null }) => session && { id: session.user.id }

const people = users()
  .fields(({ f }) => ({
    motto: f.text(20).access({ create: true }),
    since: f.date().access({ create: true, update: false }),
    handle: f.text(20).unique().access({ create: true }),
    level: f.number().default(1).access({ update: false }),
    secret: f.text().hidden(),
    staff: f.boolean().default(false),
  }))
  .access({ read: true, update: isSelf })

const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }

let app: IdentityApp
beforeAll(async () => {
  app = await identityApp({ resources: [people], config: { auth: { signUp: true, providers: { github } } } })
})
afterAll(() => app[Symbol.asyncDispose]())

/** A client with cookies of its own, like a browser. */
function browser() {
  return createClient({ baseURL: app.url, fetch: cookieJarFetch() })
}

async function errorOf(call: Promise<unknown>): Promise<KitClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof KitClientError) return error
  throw new Error("The call has not failed with an error of the client.", { cause: error })
}

const account = (email: string, more: object = {}) => ({ email, name: "Eva", password: PASSWORD, ...more })

describe("signing up", () => {
  test("signs in, and the session has the author's fields in their types", async () => {
    const { auth } = browser()

    const signedUp = await auth.signUp(account("up@example.com", { motto: "Ahoy" }))
    const session = await auth.session()

    expect(signedUp.token).toEqual(expect.any(String))
    expect(signedUp.user).toMatchObject({ email: "up@example.com", motto: "Ahoy", createdAt: expect.any(Date) })
    expect(session).toMatchObject({ user: { email: "up@example.com", motto: "Ahoy", level: 1 } })
    expect(session?.session?.expiresAt).toBeInstanceOf(Date)
    expect(session?.user.id).toBe((signedUp.user as { id: string }).id)
    expect(Object.keys(signedUp)).toEqual(["token", "user"])
  })

  test("takes no field to which the author gave no create rule, and none that would tell of other accounts", async () => {
    const { auth } = browser()

    const claims = { staff: true, level: 9, secret: "x", handle: "eva", role: "admin", banned: true }
    await auth.signUp(account("claims@example.com", claims))

    const [stored] = await app.database.query("select * from users where email = 'claims@example.com'")
    expect(stored).toMatchObject({ staff: false, level: 1, secret: null, handle: null, role: "user", banned: false })
  })

  test("names the author's field that is wrong, and makes no account", async () => {
    const error = await errorOf(browser().auth.signUp(account("wrong@example.com", { motto: "x".repeat(21) })))

    expect(error).toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
    expect(error.getFieldError("motto")?.message).toContain("20")
    expect(await app.database.query("select 1 from users where email = 'wrong@example.com'")).toEqual([])
  })

  test("checks the author's fields before it looks for the account, so that errors do not tell of it", async () => {
    await app.app.users.create({ email: "known@example.com", name: "K" })
    const wrong = { motto: 1 }

    const known = await errorOf(browser().auth.signUp(account("known@example.com", wrong)))
    const unknown = await errorOf(browser().auth.signUp(account("unknown@example.com", wrong)))

    expect(known.fieldErrors).toEqual(unknown.fieldErrors)
    expect(known.message).toBe(unknown.message)
  })

  test("by mail gives no token, and stores the fields", async () => {
    await using quiet = await identityApp({ resources: [people], config: { auth: { signUp: "quiet" } } })
    const client = createClient({ baseURL: quiet.url, fetch: cookieJarFetch() })

    const answer = await client.auth.signUp(account("mail@example.com", { motto: "Later" }))

    const user = { name: "Eva", email: "mail@example.com", image: null, emailVerified: false }
    expect(answer).toEqual({ token: null, user })
    expect(await client.auth.session()).toBeNull()
    expect(await quiet.database.query("select motto from users where email = 'mail@example.com'")).toEqual([
      { motto: "Later" },
    ])
  })
})

describe("signing in", () => {
  test("by cookie, until signing out", async () => {
    const { id } = await app.signIn({ email: "cookie@example.com" })
    const { auth } = browser()

    expect(await auth.session()).toBeNull()
    const { user } = await auth.signIn({ email: "cookie@example.com", password: PASSWORD })
    expect(user.id).toBe(id)
    expect(await auth.session()).toMatchObject({ user: { id } })
    await auth.signOut()
    expect(await auth.session()).toBeNull()
  })

  test("by the token that it answers, which getAuthHeaders sends", async () => {
    const { id } = await app.signIn({ email: "token@example.com" })
    let token: string | undefined
    const { auth } = createClient({
      baseURL: app.url,
      getAuthHeaders: () => ({ authorization: token && `Bearer ${token}` }),
    })

    token = (await auth.signIn({ email: "token@example.com", password: PASSWORD })).token

    expect(await auth.session()).toMatchObject({ user: { id } })
    await auth.signOut()
    expect(await auth.session()).toBeNull()
  })

  test("says nothing of a ban that is over, as the session does", async () => {
    const { auth } = browser()
    await auth.signUp(account("pardoned@example.com"))
    await app.database.query(
      `update users set banned = true, "banReason" = 'Spam', "banExpires" = now() - interval '1 day'
       where email = 'pardoned@example.com'`,
    )

    const { user } = await auth.signIn({ email: "pardoned@example.com", password: PASSWORD })

    expect(user).toEqual((await auth.session())?.user)
    expect(Object.keys(user).filter((name) => name.startsWith("ban"))).toEqual([])
  })

  test("fails the same for a wrong password and an unknown address", async () => {
    await app.signIn({ email: "fails@example.com" })

    const wrong = await errorOf(browser().auth.signIn({ email: "fails@example.com", password: "wrong horse" }))
    const unknown = await errorOf(browser().auth.signIn({ email: "nobody@example.com", password: "wrong horse" }))

    expect(wrong).toMatchObject({ status: 401, context: { reason: "INVALID_EMAIL_OR_PASSWORD" } })
    expect({ ...unknown, requestId: "" }).toEqual({ ...wrong, requestId: "" })
  })

  test("with a service gives the address of its page, and only the names of services are told", async () => {
    const { auth } = browser()

    const { url } = await auth.signInWith("github", { redirectTo: "/welcome" })
    const answer = await app.fetch("/auth/providers")

    expect(new URL(url).origin).toBe("https://github.com")
    expect(await auth.providers()).toEqual(["github"])
    expect(answer.body).toEqual({ providers: ["github"] })
    expect((await errorOf(auth.signInWith("github", { redirectTo: "https://evil.example" }))).status).toBe(400)
  })

  test("needs an allowed origin, as every request with a cookie does", async () => {
    await app.signIn({ email: "origin@example.com" })
    const evil = createClient({ baseURL: app.url, fetch: cookieJarFetch("https://evil.example") })
    const { auth } = evil
    const { token } = await auth.signIn({ email: "origin@example.com", password: PASSWORD })

    expect((await errorOf(auth.signOut())).status).toBe(403)
    expect((await errorOf(auth.update({ motto: "Evil" }))).status).toBe(403)
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.fetch("/auth/get-session", { headers })).body).toMatchObject({ user: { motto: null } })
  })
})

describe("the own account", () => {
  test("has its name and the author's fields changed together, under the rules", async () => {
    const { auth } = browser()
    await auth.signUp(account("change@example.com"))

    const session = await auth.update({ name: "Eva M.", motto: "Onwards" })

    expect(session).toMatchObject({ user: { name: "Eva M.", motto: "Onwards" } })
    expect(await auth.session()).toEqual(session)
  })

  test("changes nothing if one of the fields is wrong", async () => {
    const { auth } = browser()
    await auth.signUp(account("half@example.com", { motto: "Before" }))

    const error = await errorOf(auth.update({ name: "After", motto: "x".repeat(21) }))

    expect(error.getFieldError("motto")).toBeDefined()
    expect(await auth.session()).toMatchObject({ user: { name: "Eva", motto: "Before" } })
  })

  test("keeps the fields that are not for its owner to change", async () => {
    const { auth } = browser()
    await auth.signUp(account("keeps@example.com"))

    await auth.update({ name: "Eva", level: 9, role: "admin", email: undefined, motto: "Fine" })

    const [stored] = await app.database.query("select level, role, motto from users where email = 'keeps@example.com'")
    expect(stored).toEqual({ level: 1, role: "user", motto: "Fine" })
  })

  test("cannot be changed by a caller who is not signed in", async () => {
    expect((await errorOf(browser().auth.update({ motto: "Anonymous" }))).status).toBe(401)
    expect((await errorOf(browser().auth.update({ name: "Anonymous" }))).status).toBe(401)
  })

  test("gets a new password, which ends the other sessions", async () => {
    const [first, second] = [browser(), browser()]
    await app.signIn({ email: "password@example.com" })
    await first.auth.signIn({ email: "password@example.com", password: PASSWORD })
    await second.auth.signIn({ email: "password@example.com", password: PASSWORD })

    await first.auth.changePassword({ currentPassword: PASSWORD, newPassword: "another horse" })

    expect(await first.auth.session()).toMatchObject({ user: { email: "password@example.com" } })
    expect(await second.auth.session()).toBeNull()
  })

  test("gets a new password by mail; an address without an account is answered alike", async () => {
    await app.signIn({ email: "reset@example.com" })
    const { auth } = browser()
    const before = app.mails.length

    const unknown = await auth.requestReset({ email: "nobody@example.com", redirectTo: "/new-password" })
    const known = await auth.requestReset({ email: "reset@example.com", redirectTo: "/new-password" })
    const mail = await app.mail(before + 1)
    const token = /reset-password\/([^?\s]+)/.exec(mail.text ?? "")?.[1] ?? ""
    await auth.reset({ token, password: "fresh horse" })
    await auth.signIn({ email: "reset@example.com", password: "fresh horse" })

    expect(known).toBe(unknown)
    expect(await auth.session()).toMatchObject({ user: { email: "reset@example.com" } })
    expect((await errorOf(auth.reset({ token, password: "again a horse" }))).status).toBe(400)
  })
})
