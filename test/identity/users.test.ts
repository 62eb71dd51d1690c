import { AppMistakesError, type Collection, collection, createApp, type Global, global, users } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type IdentityApp, identityApp, PASSWORD, type SignedIn } from "../support/worlds/identity-app.ts"
import { sessions } from "../support/worlds/test-app.ts"

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    author: f.relation("users"),
    readers: f.relation("users").manyToMany(),
  }))
  .access({ read: true, create: true, update: true, delete: true })

const MISSING = "01a1e009-7a27-7000-859c-000000000000"

async function world(resources: Parameters<typeof identityApp>[0] & object) {
  const app = await identityApp(resources)
  return {
    app,
    alice: await app.signIn({ email: "alice@example.com" }),
    bob: await app.signIn({ email: "bob@example.com" }),
    admin: await app.signIn({ email: "admin@example.com", role: "admin" }),
  }
}

type World = Awaited<ReturnType<typeof world>>

const as = ({ cookie }: SignedIn) => ({ cookie })

describe("users without a file of the author's", () => {
  let app: IdentityApp
  let alice: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ;({ app, alice, bob } = await world({ resources: [articles] }))
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test("read themselves and nobody else", async () => {
    const own = await app.fetch(`/users/${alice.id}`, { headers: as(alice) })
    const other = await app.fetch(`/users/${bob.id}`, { headers: as(alice) })
    const list = await app.fetch("/users", { headers: as(alice) })
    const anonymous = await app.fetch("/users")

    expect(own.body).toMatchObject({ id: alice.id, email: "alice@example.com", role: "user" })
    expect([other.status, anonymous.status]).toEqual([404, 401])
    expect(list.body.docs.map(({ id }: { id: string }) => id)).toEqual([alice.id])
  })

  test("are targets of relations, and hydrate as null for those who may not read them", async () => {
    const body = { title: "By Bob", author: bob.id }
    const { status, body: created } = await app.fetch("/articles", { method: "POST", body, headers: as(bob) })

    const path = `/articles/${created.id}?with[author]=true`
    const [byBob, byAlice] = [
      await app.fetch(path, { headers: as(bob) }),
      await app.fetch(path, { headers: as(alice) }),
    ]

    expect(status).toBe(201)
    expect(byBob.body.author).toMatchObject({ email: "bob@example.com" })
    expect(byAlice.body.author).toBeNull()
  })

  test("an unreadable one and a missing one are the same to whoever points to them", async () => {
    const point = (id: string) =>
      app.fetch("/articles", {
        method: "POST",
        body: { title: "x", author: { connect: { id } } },
        headers: as(alice),
      })

    const [unreadable, missing] = [await point(bob.id), await point(MISSING)]

    expect(unreadable.status).toBe(400)
    expect({ ...unreadable.body.error, requestId: "" }).toEqual({ ...missing.body.error, requestId: "" })
  })

  test.each([
    ["POST", "/users", { name: "Mallory", email: "m@example.com" }],
    ["PATCH", "/users/self", { name: "Mallory" }],
    ["DELETE", "/users/self", undefined],
    ["PATCH", "/users", { where: { id: "self" }, data: { name: "x" } }],
    ["POST", "/users/delete-many", { where: { id: "self" } }],
  ])("%s %s is denied", async (method, path, body) => {
    const own = JSON.parse(JSON.stringify({ path, body }).replaceAll("self", alice.id))

    const answer = await app.fetch(own.path, { method, body: own.body, headers: as(alice) })

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } })
  })

  test("the other tables of identity are no collections", async () => {
    for (const name of ["_kit_sessions", "_kit_accounts", "_kit_verifications", "_kit_api_keys", "_kit_mail"]) {
      expect((await app.fetch(`/${name}`, { headers: as(alice) })).status).toBe(404)
    }
  })

  test("one that something still points to stays", async () => {
    await app.app.system.collections["articles"]?.create({ title: "Held", author: bob.id })

    const removal = app.app.system.collections["users"]?.deleteById({ id: bob.id })

    await expect(removal).rejects.toMatchObject({ code: "CONFLICT" })
    expect((await app.fetch("/users", { headers: as(bob) })).body.docs).toHaveLength(1)
  })
})

describe("users that the author has extended", () => {
  const extended = users()
    .fields(({ f }) => ({ bio: f.textarea(), pin: f.text().hidden() }))
    .access({
      read: true,
      create: true,
      update: ({ session }) => session && { id: session.user.id },
      delete: ({ session }) => session && { id: session.user.id },
    })
    .hooks({
      beforeChange: ({ data, operation }) =>
        operation === "create" ? { ...data, bio: data["bio"] ?? "new here" } : data,
      afterRead: ({ row }) => ({ ...row, name: String(row["name"]).toUpperCase() }),
    })

  let app: IdentityApp
  let people: World
  beforeAll(async () => {
    people = await world({ resources: [extended, articles] })
    app = people.app
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test("write the author's fields by rule", async () => {
    const { alice, bob } = people
    const patch = (who: SignedIn) =>
      app.fetch(`/users/${alice.id}`, { method: "PATCH", body: { bio: "Hello" }, headers: as(who) })

    const [byBob, bySelf] = [await patch(bob), await patch(alice)]

    expect([byBob.status, bySelf.status]).toEqual([403, 200])
    expect(bySelf.body).toMatchObject({ bio: "Hello", name: "ALICE" })
    const session = await app.fetch("/auth/get-session", { headers: as(alice) })
    expect(session.body.user).toMatchObject({ bio: "Hello", name: "alice" })
  })

  test.each(["name", "email", "emailVerified", "image", "role", "banned", "banReason", "banExpires"])(
    "never write %s",
    async (field) => {
      const { alice } = people
      const value = field === "emailVerified" || field === "banned" ? true : "admin"
      const before = await rowOf(alice.id)
      const refused = (answer: { status: number; body: { error: { fieldErrors: { path: string }[] } } }) => {
        expect(answer.status).toBe(403)
        expect(answer.body.error.fieldErrors[0]?.path).toMatch(new RegExp(`${field}$`))
      }

      refused(await send("PATCH", `/users/${alice.id}`, { [field]: value }))
      refused(await send("POST", "/users", { [field]: value }))
      refused(await send("PATCH", "/users", { where: { id: alice.id }, data: { [field]: value } }))
      refused(await send("POST", "/users/update-batch", { updates: [{ id: alice.id, data: { [field]: value } }] }))

      expect(await rowOf(alice.id)).toEqual(before)
    },
  )

  test("nor by way of a record that points to them", async () => {
    const { alice } = people
    const before = await rowOf(alice.id)
    const article = await send("POST", "/articles", { title: "Mine", author: alice.id, readers: [alice.id] })

    const answers = [
      await send("POST", "/articles", { title: "x", author: { create: { name: "M", email: "m@example.com" } } }),
      await send("PATCH", `/articles/${article.body.id}`, {
        readers: { update: [{ id: alice.id, data: { role: "admin" } }] },
      }),
      await send("PATCH", `/articles/${article.body.id}`, { readers: { create: [{ name: "M", role: "admin" }] } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await rowOf(alice.id)).toEqual(before)
    expect(await app.database.query("select 1 from users where email = 'm@example.com'")).toEqual([])
  })

  test("keep address and bans to admins, where everybody may read users", async () => {
    const { alice, bob, admin } = people
    const anonymous = await app.fetch(`/users/${bob.id}`)
    const byAdmin = await app.fetch(`/users/${bob.id}`, { headers: as(admin) })
    const searched = await app.fetch("/users?where[email][startsWith]=b", { headers: as(alice) })
    const sorted = await app.fetch("/users?orderBy[email]=asc")

    expect(Object.keys(anonymous.body).sort()).toEqual(["bio", "createdAt", "id", "image", "name", "role", "updatedAt"])
    expect(byAdmin.body.email).toBe("bob@example.com")
    expect([searched.status, sorted.status]).toEqual([400, 400])
  })

  test("are made by sign-up with the author's hooks, and hidden fields stay hidden", async () => {
    const body = { email: "new@example.com", name: "New", password: PASSWORD, bio: "mine", pin: "1" }

    const { status, body: answer } = await app.fetch("/auth/sign-up/email", { method: "POST", body })

    expect(status).toBe(200)
    expect(answer.user).toMatchObject({ bio: "new here", name: "New" })
    expect(answer.user).not.toHaveProperty("pin")
  })

  test("delete themselves by rule, and are signed out by it", async () => {
    const carol = await app.signIn({ email: "carol@example.com" })

    const deleted = await app.fetch(`/users/${carol.id}`, { method: "DELETE", headers: as(carol) })

    expect(deleted.status).toBe(200)
    expect((await app.fetch("/auth/get-session", { headers: as(carol) })).body).toBeNull()
  })

  test("system code writes roles and names", async () => {
    const { bob } = people

    await app.app.system.collections["users"]?.updateById({ id: bob.id, data: { role: "editor", name: "Robert" } })

    expect(await rowOf(bob.id)).toMatchObject({ role: "editor", name: "Robert" })
  })

  const send = (method: string, path: string, body: unknown) =>
    app.fetch(path, { method, body, headers: as(people.alice) })
  const rowOf = async (id: string) => (await app.database.query("select * from users where id = $1", [id]))[0]
})

test("an author says who else may read the private fields", async () => {
  const open = users()
    .access({ read: true })
    .privateAccess({
      email: ({ session }) => session !== null,
      emailVerified: ({ session }) => session && { id: session.user.id },
    })
  await using app = await identityApp({ resources: [open] })
  const eva = await app.signIn({ email: "eva@example.com" })
  const max = await app.signIn({ email: "max@example.com" })

  const anonymous = await app.fetch(`/users/${eva.id}`)
  const signedIn = await app.fetch(`/users/${eva.id}`, { headers: as(eva) })
  const other = await app.fetch(`/users/${eva.id}`, { headers: as(max) })

  expect(anonymous.body).not.toHaveProperty("email")
  expect(signedIn.body.email).toBe("eva@example.com")
  expect(signedIn.body).toHaveProperty("emailVerified")
  expect(other.body).not.toHaveProperty("emailVerified")
  expect(signedIn.body).not.toHaveProperty("banned")
})

describe("mistakes of the author", () => {
  const mistakesOf = async (resource: Collection<any> | Global<any>, config = {}) => {
    const { definition } = resource
    const error: unknown = await createApp({
      resources: [{ file: "src/collections/users.ts", definition }],
      config: { db: { url: "postgres://nobody@127.0.0.1:1/none" }, secret: "x".repeat(32), ...config },
      root: "/nowhere",
    }).catch((thrown: unknown) => thrown)
    if (!(error instanceof AppMistakesError)) throw error
    return error.message
  }
  const plain = collection("users").fields(({ f }) => ({ name: f.text() }))

  test.each([
    ["a collection of that name", plain, "Write users() in place of collection(…)"],
    ["a global of that name", global("users").fields(({ f }) => ({ a: f.text() })), "belongs to identity"],
    [
      "a required field without a default",
      users().fields(({ f }) => ({ bio: f.text().required() })),
      'field "bio" is required, so nobody could sign up. Give it a .default(…), or leave out .required().',
    ],
    ["a field that every user has", users().fields(({ f }) => ({ role: f.text() })), 'field "role" is one that every'],
    ["soft delete", users().options({ softDelete: true }), 'users cannot have the option "softDelete"'],
  ])("%s", async (_what, resource, message) => {
    expect(await mistakesOf(resource)).toContain(message)
  })

  test("users() where the settings have sessions of their own, and settings that contradict each other", async () => {
    expect(await mistakesOf(users(), { sessions })).toContain('Write collection("users")')
    expect(await mistakesOf(plain, { sessions, auth: {} })).toContain('"auth" has no effect beside "sessions"')
    expect(await mistakesOf(plain, { sessions, dev: { signIns: [] } })).toContain('"dev.signIns" has no effect beside')
  })

  test.each([
    [{ auth: { signup: true } }, 'there is no setting "auth.signup". Did you mean "signUp"?'],
    [{ auth: { sessionDays: 0 } }, '"auth.sessionDays" must be a whole number from 1 to 365'],
    [{ auth: { trustedRedirects: ["https://a.test/x"] } }, '"auth.trustedRedirects" must be a list of exact origins'],
    [{ auth: { providers: { github: { clientId: "x" } } } }, '"auth.providers" must be an object such as'],
    [{ auth: { providers: { githb: { clientId: "x", clientSecret: "y" } } } }, 'Did you mean "github"?'],
    [{ email: { transport: {} } }, '"email.transport" must be an object with a function send'],
    [
      { dev: { signIns: [{ email: "a@b.cc" }] } },
      '"dev.signIns" must be a list such as [{ email: "editor@example.com",',
    ],
    [{ dev: { signIns: [{ email: "a@b.cc", password: "x", role: "y" }] } }, '"dev.signIns" must be a list such as'],
    [{ dev: { signins: [] } }, 'there is no setting "dev.signins". Did you mean "signIns"?'],
    [{ app: { url: "example.com" } }, '"app.url" must be an address such as'],
  ])("the setting %j", async (config, message) => {
    expect(await mistakesOf(users(), config)).toContain(message)
  })
})

test("with sessions of the author's own there is no /auth, no table of identity, and users is a name like any other", async () => {
  const own = collection("users")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: true })
  await using app = await identityApp({ resources: [own], config: { sessions } })

  expect((await app.fetch("/users")).body.docs).toEqual([])
  expect((await app.fetch("/auth/get-session")).status).toBe(404)
  expect(await app.database.query("select to_regclass('_kit_sessions') as name")).toEqual([{ name: null }])
  await expect(app.app.users.create({ email: "a@b.cc", name: "A" })).rejects.toThrow("There are no users")
})
