import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cookieOf, type IdentityApp, identityApp, PASSWORD, signIn } from "../support/worlds/identity-app.ts"

let app: IdentityApp
beforeAll(async () => {
  app = await identityApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: "POST", body, headers })
const sessionOf = async (headers: Record<string, string>) => (await app.fetch("/auth/get-session", { headers })).body

describe("signing up", () => {
  test("makes a user with a lower-case address, signs them in and notes the change", async () => {
    const body = { email: "Eva@Example.com", name: "Eva", password: PASSWORD }
    const { status, body: answer, headers } = await post("/auth/sign-up/email", body)

    expect(status).toBe(200)
    expect(answer.user).toMatchObject({ email: "eva@example.com", name: "Eva", role: "user", emailVerified: false })
    expect(await sessionOf({ cookie: cookieOf(headers) })).toMatchObject({ user: { id: answer.user.id, role: "user" } })
    expect(
      await app.database.query(`select kind, after->>'email' as email from _kit_changes where record = $1`, [
        answer.user.id,
      ]),
    ).toEqual([{ kind: "create", email: "eva@example.com" }])
  })

  test("ignores fields that are not for the sender to decide", async () => {
    const claims = { role: "admin", emailVerified: true, banned: true, id: "01a1e009-7a27-7000-859c-64b1d0e0f932" }

    const { status, body } = await post("/auth/sign-up/email", {
      email: "claims@example.com",
      name: "C",
      password: PASSWORD,
      ...claims,
    })

    expect(status).toBe(200)
    expect(body.user).toMatchObject({ role: "user", emailVerified: false })
    expect(body.user.id).not.toBe(claims.id)
    expect(await app.database.query("select banned from users where id = $1", [body.user.id])).toEqual([
      { banned: false },
    ])
  })

  test.each([
    ["a password that is too short", { password: "1234567" }, "PASSWORD_TOO_SHORT"],
    ["a password that is too long", { password: "x".repeat(129) }, "PASSWORD_TOO_LONG"],
    ["an address that is none", { email: "nobody" }, "VALIDATION_ERROR"],
    ["an address that is taken", { email: "taken@example.com" }, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"],
  ])("refuses %s", async (_what, wrong, reason) => {
    await app.app.users.create({ email: "taken@example.com", name: "T" }).catch(() => undefined)

    const fine = { email: "fine@example.com", name: "F", password: PASSWORD }
    const { status, body } = await post("/auth/sign-up/email", { ...fine, ...wrong })

    expect(status).toBe(reason.startsWith("USER") ? 422 : 400)
    expect(body.error).toMatchObject({ context: { reason }, requestId: expect.any(String) })
  })

  test("names the fields that are missing or wrong, as every other call does", async () => {
    const answer = await post("/auth/sign-up/email", { email: "nobody", password: PASSWORD })

    const { code, message, fieldErrors } = answer.body.error
    expect(code).toBe("VALIDATION_ERROR")
    expect(fieldErrors).toEqual([
      { path: "name", message: expect.stringMatching(/^Invalid input.*\.$/) },
      { path: "email", message: "Invalid email address." },
    ])
    expect(message).toMatch(/^name: Invalid input/)
  })

  test("holds a name to the rules of its field, and leaves nothing behind", async () => {
    const body = { email: "long@example.com", name: "x".repeat(201), password: PASSWORD }
    const answer = await post("/auth/sign-up/email", body)

    expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "name" }] } } })
    expect(await app.database.query("select 1 from users where email = 'long@example.com'")).toEqual([])
  })

  test("is refused with a sentence that says how to allow it, unless the settings do", async () => {
    await using closed = await identityApp({ config: { auth: {} } })

    const body = { email: "eva@example.com", name: "Eva", password: PASSWORD }
    const answer = await closed.fetch("/auth/sign-up/email", { method: "POST", body })

    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain("auth: { signUp: true }")
  })
})

describe("signing in", () => {
  test("gives a session by cookie and by bearer token, which sign-out ends", async () => {
    const { id, token, cookie } = await app.signIn({ email: "in@example.com", role: "editor" })

    const byCookie = await sessionOf({ cookie })
    const byToken = await sessionOf({ authorization: `Bearer ${token}` })
    await post("/auth/sign-out", undefined, { cookie })

    expect(byCookie).toMatchObject({ user: { id, role: "editor", email: "in@example.com" } })
    expect(byToken).toEqual(byCookie)
    expect(await sessionOf({ cookie })).toBeNull()
    expect(await sessionOf({ authorization: `Bearer ${token}` })).toBeNull()
  })

  test("answers the same to a wrong password and to an unknown address", async () => {
    await app.signIn({ email: "known@example.com" })

    const wrong = await post("/auth/sign-in/email", { email: "known@example.com", password: "wrong horse" })
    const unknown = await post("/auth/sign-in/email", { email: "unknown@example.com", password: "wrong horse" })

    expect(wrong).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } })
    expect({ ...unknown.body.error, requestId: "" }).toEqual({ ...wrong.body.error, requestId: "" })
  })

  test("keeps only hashes of tokens", async () => {
    const { token } = await app.signIn({ email: "hash@example.com" })

    const rows = await app.database.query("select to_jsonb(s)::text as text from _kit_sessions s")

    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ text }) => String(text).includes(token))).toBe(false)
  })

  test("a bearer token that was copied from the database opens nothing", async () => {
    await app.signIn({ email: "leak@example.com" })
    const [row] = await app.database.query("select token, id from _kit_sessions limit 1")

    expect(await sessionOf({ authorization: `Bearer ${row?.["token"]}` })).toBeNull()
    expect(await sessionOf({ authorization: `Bearer ${row?.["id"]}` })).toBeNull()
  })

  test("a session that is not to be remembered has a cookie without an age", async () => {
    await app.app.users.create({ email: "brief@example.com", name: "B", password: PASSWORD })

    const body = { email: "brief@example.com", password: PASSWORD, rememberMe: false }
    const { headers } = await post("/auth/sign-in/email", body)

    const cookie = headers.getSetCookie().find((text) => text.startsWith("kit.session_token="))
    expect(cookie).not.toMatch(/max-age/i)
    expect(await sessionOf({ cookie: cookieOf(headers) })).toMatchObject({ user: { email: "brief@example.com" } })
  })
})

describe("sessions", () => {
  test("are listed for their owner, and ended one by one", async () => {
    const first = await app.signIn({ email: "list@example.com" })
    const second = await signIn(app.fetch, "list@example.com")
    const other = await app.signIn({ email: "other@example.com" })

    const { body: listed } = await app.fetch("/auth/list-sessions", { headers: { cookie: second.cookie } })
    const id = listed.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id
    const byOther = await post("/auth/revoke-session", { id }, { cookie: other.cookie })
    const bySelf = await post("/auth/revoke-session", { id }, { cookie: second.cookie })

    expect(listed).toHaveLength(2)
    expect(JSON.stringify(listed)).not.toContain("token")
    expect([byOther.status, bySelf.status]).toEqual([404, 200])
    expect(await sessionOf({ cookie: first.cookie })).toBeNull()
    expect(await sessionOf({ cookie: second.cookie })).not.toBeNull()
  })

  test("all end at once, or all but the caller's", async () => {
    const first = await app.signIn({ email: "all@example.com" })
    const second = await signIn(app.fetch, "all@example.com")

    await post("/auth/revoke-other-sessions", undefined, { cookie: second.cookie })
    const others = [await sessionOf({ cookie: first.cookie }), await sessionOf({ cookie: second.cookie })]
    await post("/auth/revoke-sessions", undefined, { cookie: second.cookie })

    expect(others).toEqual([null, expect.objectContaining({})])
    expect(await sessionOf({ cookie: second.cookie })).toBeNull()
  })
})

describe("passwords", () => {
  test("a change ends all other sessions and gives the caller a new one", async () => {
    const first = await app.signIn({ email: "change@example.com" })
    const second = await signIn(app.fetch, "change@example.com")

    const body = { currentPassword: PASSWORD, newPassword: "another horse" }
    const changed = await post("/auth/change-password", body, { cookie: second.cookie })

    expect(changed.status).toBe(200)
    expect(await sessionOf({ cookie: first.cookie })).toBeNull()
    expect(await sessionOf({ cookie: second.cookie })).toBeNull()
    expect(await sessionOf({ cookie: cookieOf(changed.headers) })).not.toBeNull()
    await expect(signIn(app.fetch, "change@example.com")).rejects.toThrow("Invalid email or password")
    await signIn(app.fetch, "change@example.com", "another horse")
  })

  test("a reset by mail works once, and ends every session", async () => {
    const { cookie } = await app.signIn({ email: "reset@example.com" })

    const asked = await post("/auth/request-password-reset", { email: "reset@example.com", redirectTo: "/new" })
    const mail = await app.mail(app.mails.length)
    const link = /(http:\S+)/.exec(mail.text)?.[1] ?? ""
    const opened = await fetch(link, { redirect: "manual" })
    const token = new URL(opened.headers.get("location") ?? "", app.origin).searchParams.get("token")
    const reset = await post("/auth/reset-password", { token, newPassword: "a third horse" })
    const again = await post("/auth/reset-password", { token, newPassword: "a fourth horse" })

    expect(asked.body).toMatchObject({ status: true })
    expect(mail).toMatchObject({ to: ["reset@example.com"], subject: "kit: set a new password" })
    expect(opened.headers.get("location")).toContain(`${app.origin}/new`)
    expect([reset.status, again.status]).toEqual([200, 400])
    expect(await sessionOf({ cookie })).toBeNull()
    await signIn(app.fetch, "reset@example.com", "a third horse")
  })

  test("a reset for an address that nobody has is answered alike, and sends nothing", async () => {
    await app.app.users.create({ email: "somebody@example.com", name: "S", password: PASSWORD })
    const before = app.mails.length

    const unknown = await post("/auth/request-password-reset", { email: "nobody@example.com" })
    const known = await post("/auth/request-password-reset", { email: "somebody@example.com" })
    await app.mail(before + 1)

    expect(unknown.body).toEqual(known.body)
    expect(app.mails.slice(before).flatMap(({ to }) => to)).toEqual(["somebody@example.com"])
  })

  test("the mail without a page to go to holds the code, and its link is in no log", async () => {
    const logged: string[] = []
    const note = (message: string, fields?: unknown) => void logged.push(message + JSON.stringify(fields))
    const logger = { info: note, warn: note, error: note }
    await using quiet = await identityApp({ config: { logger, auth: {}, email: {} } })
    await quiet.app.users.create({ email: "kept@example.com", name: "K", password: PASSWORD })

    await quiet.fetch("/auth/request-password-reset", { method: "POST", body: { email: "kept@example.com" } })
    await quiet.app.stop()

    const [kept] = await quiet.database.query('select "to", subject, text from _kit_mail')
    const code = /Your code: (\S+)/.exec(String(kept?.["text"]))?.[1] ?? "none"
    expect(kept).toMatchObject({ to: ["kept@example.com"] })
    expect(logged.join()).toContain("mail to kept@example.com: kit: set a new password; kept for preview")
    expect(logged.join()).not.toContain(code)
  })
})

test("an address must be confirmed first where the settings say so", async () => {
  await using strict = await identityApp({ config: { auth: { signUp: true, requireVerifiedEmail: true } } })
  const body = { email: "new@example.com", name: "N", password: PASSWORD }

  const up = await strict.fetch("/auth/sign-up/email", { method: "POST", body })
  const early = await strict.fetch("/auth/sign-in/email", { method: "POST", body })
  const mail = await strict.mail(1)
  const confirmed = await fetch(/(http:\S+)/.exec(mail.text)?.[1] ?? "", { redirect: "manual" })

  expect(up.body.token).toBeNull()
  expect(early).toMatchObject({ status: 403, body: { error: { context: { reason: "EMAIL_NOT_VERIFIED" } } } })
  expect(mail.subject).toContain("confirm your email address")
  expect(confirmed.status).toBe(200)
  await signIn(strict.fetch, "new@example.com")
})

describe("admins", () => {
  test("ban and unban: a banned user has no session and gets none", async () => {
    const admin = await app.signIn({ email: "admin@example.com", role: "admin" })
    const user = await app.signIn({ email: "banned@example.com" })

    await post("/auth/admin/ban-user", { userId: user.id, banReason: "spam" }, { cookie: admin.cookie })
    const during = await sessionOf({ cookie: user.cookie })
    const refused = await post("/auth/sign-in/email", { email: "banned@example.com", password: PASSWORD })
    await post("/auth/admin/unban-user", { userId: user.id }, { cookie: admin.cookie })

    expect(during).toBeNull()
    expect(refused).toMatchObject({ status: 403, body: { error: { context: { reason: "BANNED_USER" } } } })
    await signIn(app.fetch, "banned@example.com")
  })

  test("give a role, which the next request of the user has", async () => {
    const admin = await app.signIn({ email: "admin2@example.com", role: "admin" })
    const user = await app.signIn({ email: "risen@example.com" })
    const before = await sessionOf({ cookie: user.cookie })

    await post("/auth/admin/set-role", { userId: user.id, role: "editor" }, { cookie: admin.cookie })

    expect(before.user.role).toBe("user")
    expect((await sessionOf({ cookie: user.cookie })).user.role).toBe("editor")
  })

  test.each(["ban-user", "set-role", "create-user", "remove-user", "set-user-password", "revoke-user-sessions"])(
    "alone may %s",
    async (task) => {
      const user = await app.signIn({ email: `not-${task}@example.com` })
      const body = { userId: user.id, role: "admin", newPassword: PASSWORD, email: "x@y.zz", name: "x" }

      const bySelf = await post(`/auth/admin/${task}`, body, { cookie: user.cookie })
      const byNobody = await post(`/auth/admin/${task}`, body)

      expect([bySelf.status, byNobody.status]).toEqual([403, 401])
    },
  )

  test("remove a user, and what belongs to them goes too", async () => {
    const admin = await app.signIn({ email: "admin3@example.com", role: "admin" })
    const user = await app.signIn({ email: "removed@example.com" })

    const removed = await post("/auth/admin/remove-user", { userId: user.id }, { cookie: admin.cookie })

    expect(removed.status).toBe(200)
    expect(await sessionOf({ cookie: user.cookie })).toBeNull()
    expect(await app.database.query(`select 1 from _kit_accounts where "userId" = $1`, [user.id])).toEqual([])
  })
})

test("a user changes their own name, and the change is noted", async () => {
  const { id, cookie } = await app.signIn({ email: "renamed@example.com" })

  const changed = await post("/auth/update-user", { name: "New" }, { cookie })

  expect(changed.status).toBe(200)
  expect((await sessionOf({ cookie })).user.name).toBe("New")
  expect(
    await app.database.query(
      `select kind, after->>'name' as name from _kit_changes where record = $1 order by xid, id`,
      [id],
    ),
  ).toEqual([
    { kind: "create", name: "renamed" },
    { kind: "update", name: "New" },
  ])
})

test("a provider of the settings gets the browser, with a way back to the app", async () => {
  const github = { clientId: "id-of-the-app", clientSecret: "secret-of-the-app" }
  await using social = await identityApp({ config: { auth: { providers: { github } } } })

  const body = { provider: "github", callbackURL: "/welcome" }
  const { status, body: answer } = await social.fetch("/auth/sign-in/social", { method: "POST", body })
  const unknown = await social.fetch("/auth/sign-in/social", { method: "POST", body: { provider: "google" } })

  const url = new URL(answer.url)
  expect(status).toBe(200)
  expect(url.origin + url.pathname).toBe("https://github.com/login/oauth/authorize")
  expect(url.searchParams.get("client_id")).toBe("id-of-the-app")
  expect(url.searchParams.get("redirect_uri")).toBe(`${social.url}/auth/callback/github`)
  expect(unknown.status).toBe(404)
})

describe("paths and errors", () => {
  test.each([
    ["GET", "/auth/nope", 404],
    ["GET", "/auth/sign-in/email", 405],
    ["POST", "/auth/admin/impersonate-user", 404],
    ["POST", "/auth/delete-user", 404],
    ["GET", "/auth/ok", 404],
    ["GET", "/auth", 404],
  ])("%s %s is answered in our shape", async (method, path, status) => {
    const answer = await app.fetch(path, { method })

    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ code: expect.any(String), requestId: expect.any(String) })
  })

  test.each([
    ["text in place of JSON", "nope", "text/plain", 415],
    ["a list in place of an object", "[]", "application/json", 400],
    ["broken JSON", "{", "application/json", 400],
    ["fields of wrong types", '{"email":{"ne":null},"password":[]}', "application/json", 400],
    ["a character that no column holds", '{"email":"a@b.cc","password":"\\u0000"}', "application/json", 400],
  ])("%s is refused", async (_what, body, type, status) => {
    const answer = await app.fetch("/auth/sign-in/email", { method: "POST", body, headers: { "content-type": type } })

    expect(answer.status).toBe(status)
    expect(answer.body.error.requestId).toEqual(expect.any(String))
  })

  test("secure cookies are named so where the app is at an https address", async () => {
    await using secure = await identityApp({ config: { app: { url: "https://app.example.com" } } })
    await secure.app.users.create({ email: "s@example.com", name: "S", password: PASSWORD })

    const body = { email: "s@example.com", password: PASSWORD }
    const { headers } = await secure.fetch("/auth/sign-in/email", { method: "POST", body })
    const session = await secure.fetch("/auth/get-session", { headers: { cookie: cookieOf(headers) } })

    expect(headers.getSetCookie()[0]).toMatch(/^__Secure-kit\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/)
    expect(session.body.user.email).toBe("s@example.com")
  })
})
