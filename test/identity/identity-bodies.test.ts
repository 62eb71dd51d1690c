import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type IdentityApp, identityApp, PASSWORD, type SignedIn } from "../support/worlds/identity-app.ts"

let app: IdentityApp
let admin: SignedIn
let reader: SignedIn

beforeAll(async () => {
  app = await identityApp()
  admin = await app.signIn({ email: "admin@example.com", role: "admin" })
  reader = await app.signIn({ email: "reader@example.com" })
})
afterAll(() => app[Symbol.asyncDispose]())

function post(path: string, body: object, who?: SignedIn) {
  const headers = who ? { authorization: `Bearer ${who.token}` } : {}
  return app.fetch(path, { method: "POST", body, headers })
}

const FINE = { name: "Eva", email: "eva@example.com", password: PASSWORD }

describe("what identity refuses, naming the member", () => {
  test.each([
    ["an empty name", { name: "" }, "name"],
    ["a name of white space", { name: " \t\u00a0" }, "name"],
    ["a name that is too long", { name: "x".repeat(201) }, "name"],
    ["an empty address", { email: "" }, "email"],
    ["an empty password", { password: "" }, "password"],
    ["a picture that is a script", { image: "javascript:alert(1)" }, "image"],
    ["a picture that is no address", { image: "eva" }, "image"],
    ["a picture of another origin without its protocol", { image: "//example.com/eva.png" }, "image"],
    ["an empty picture", { image: "" }, "image"],
  ])("at sign-up: %s", async (_what, wrong, path) => {
    const { status, body } = await post("/auth/sign-up/email", { ...FINE, ...wrong })

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path }] })
    expect(await app.database.query("select 1 from users where email = $1", [FINE.email])).toEqual([])
  })

  test.each([
    ["/auth/update-user", { name: "  " }, "name"],
    ["/auth/update-user", { image: "data:text/html,x" }, "image"],
    ["/auth/admin/create-user", { ...FINE, name: "" }, "name"],
    ["/auth/admin/create-user", { ...FINE, role: " " }, "role"],
    ["/auth/admin/create-user", { ...FINE, role: [] }, "role"],
    ["/auth/admin/create-user", { ...FINE, password: "short" }, "password"],
    ["/auth/admin/create-user", { ...FINE, password: "" }, "password"],
    ["/auth/admin/set-role", { userId: ":reader", role: "" }, "role"],
    ["/auth/admin/set-role", { userId: "nobody", role: "editor" }, "userId"],
    ["/auth/admin/ban-user", { userId: ":reader", banExpiresIn: -5 }, "banExpiresIn"],
    ["/auth/admin/unban-user", { userId: "" }, "userId"],
    ["/auth/admin/revoke-user-sessions", { userId: "nobody" }, "userId"],
    ["/auth/admin/remove-user", { userId: 5 }, "userId"],
    ["/auth/admin/set-user-password", { userId: "nobody", newPassword: PASSWORD }, "userId"],
  ])("%s %j", async (path, given, member) => {
    const body = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === ":reader" ? reader.id : value]),
    )

    const byAdmin = await post(path, body, admin)
    const byNobody = await post(path, body)

    expect(byAdmin.status).toBe(400)
    expect(byAdmin.body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: member }] })
    expect(byNobody.status).toBe(401)
  })

  test("from those who may not call it, nothing is looked at", async () => {
    const answer = await post("/auth/admin/set-role", { userId: "nobody", role: "" }, reader)

    expect(answer.status).toBe(403)
  })

  test("in process: an empty name", async () => {
    await expect(app.app.users.create({ ...FINE, name: " " })).rejects.toMatchObject({
      fieldErrors: [{ path: "name" }],
    })
  })
})

test.each([
  ["a password of white space", { password: " ".repeat(8) }],
  ["a picture on the web", { image: "https://example.com/eva.png" }],
  ["a picture of the app", { image: "/api/media/files/eva.png" }],
  ["a name with spaces around it", { name: " Eva " }],
])("sign-up takes %s", async (what, given) => {
  const email = `${what.replaceAll(" ", ".")}@example.com`

  const { status, body } = await post("/auth/sign-up/email", { ...FINE, email, ...given })

  expect(status).toBe(200)
  expect(body.user).toMatchObject({ name: "Eva", email })
})

test("a user takes their picture away", async () => {
  await post("/auth/update-user", { image: "https://example.com/eva.png" }, reader)

  const { status } = await post("/auth/update-user", { image: null }, reader)

  expect(status).toBe(200)
  expect(await app.database.query("select image from users where id = $1", [reader.id])).toEqual([{ image: null }])
})
