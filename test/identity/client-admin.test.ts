import { users } from "kit"
import { createClient, KitClientError } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cookieJarFetch } from "../support/cookie-jar.ts"
import { type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

// Without a read rule, users can read only their own record. The hooks must not run for the list of the admins.
const people = users()
  .fields(({ f }) => ({ note: f.text() }))
  .hooks({ afterRead: ({ row }) => ({ ...row, name: "changed by a hook" }) })

let app: IdentityApp
beforeAll(async () => {
  app = await identityApp({ resources: [people] })
})
afterAll(() => app[Symbol.asyncDispose]())

function browser() {
  return createClient({ baseURL: app.url, fetch: cookieJarFetch() })
}

async function signedIn(email: string, role: string) {
  await app.app.users.create({ email, name: email.split("@")[0] ?? "", password: PASSWORD, role })
  const client = browser()
  await client.auth.signIn({ email, password: PASSWORD })
  return client
}

async function errorOf(call: Promise<unknown>): Promise<KitClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof KitClientError) return error
  throw new Error("The call has not failed with an error of the client.", { cause: error })
}

describe("the list of users", () => {
  test("has everyone by name for an admin, whatever the read rules are, and no field of the author", async () => {
    const { auth } = await signedIn("lister@list.example", "admin")
    await app.app.users.create({ email: "b@list.example", name: "Berta" })
    await app.app.users.create({ email: "a@list.example", name: "Anna", role: "editor" })

    const { users: found, total } = await auth.admin.list({ search: "list.EXAMPLE" })

    expect(found.map(({ name }) => name)).toEqual(["Anna", "Berta", "lister"])
    expect(total).toBe(3)
    expect(found[0]).toEqual({
      ...{ id: expect.any(String), name: "Anna", email: "a@list.example", emailVerified: true, image: null },
      ...{ role: "editor", banned: false, banReason: null, banExpires: null, createdAt: expect.any(Date) },
    })
  })

  test("is searched by a part of the name or the address, literally, and read page by page", async () => {
    const { auth } = await signedIn("pager@pages.example", "admin")
    await app.app.users.create({ email: "one@pages.example", name: "100% One" })
    await app.app.users.create({ email: "two@pages.example", name: "Two" })

    expect((await auth.admin.list({ search: "0% o" })).users.map(({ name }) => name)).toEqual(["100% One"])
    expect((await auth.admin.list({ search: "two@pages" })).users.map(({ name }) => name)).toEqual(["Two"])
    const second = await auth.admin.list({ search: "pages.example", limit: 1, offset: 1 })
    expect(second.users.map(({ name }) => name)).toEqual(["Two"])
    expect(second.total).toBe(3)
  })

  test("is refused to everybody else, and a misspelt or wrong option too", async () => {
    const user = await signedIn("plain@refused.example", "user")
    const admin = await signedIn("admin@refused.example", "admin")

    expect(await errorOf(user.auth.admin.list())).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect(await errorOf(browser().auth.admin.list())).toMatchObject({ status: 401, code: "UNAUTHORIZED" })
    const misspelt = await errorOf(admin.auth.admin.list({ serach: "x" } as object))
    expect(misspelt.message).toContain('Did you mean "search"?')
    expect(await errorOf(admin.auth.admin.list({ limit: 0.5 }))).toMatchObject({ status: 400 })
  })
})

describe("an admin", () => {
  test("creates an account, with which its owner signs in", async () => {
    const { auth } = await signedIn("maker@make.example", "admin")

    const { id } = await auth.admin.create({
      ...{ name: "New", email: "new@make.example", password: PASSWORD, role: "editor" },
    })

    const { user } = await browser().auth.signIn({ email: "new@make.example", password: PASSWORD })
    expect(user).toMatchObject({ id, name: "New", role: "editor" })
  })

  test("sets a role", async () => {
    const { auth } = await signedIn("setter@role.example", "admin")
    const owner = await signedIn("owner@role.example", "user")
    const id = String((await owner.auth.session())?.user.id)

    await auth.admin.setRole({ id, role: "editor" })

    expect(await owner.auth.session()).toMatchObject({ user: { role: "editor" } })
  })

  test("bans for a while with a reason, which the list shows, and lifts the ban", async () => {
    const { auth } = await signedIn("judge@ban.example", "admin")
    const owner = await signedIn("owner@ban.example", "user")
    const id = String((await owner.auth.session())?.user.id)

    await auth.admin.ban({ id, reason: "Spam", expiresInSeconds: 3600 })
    const during = await owner.auth.session()
    const [banned] = (await auth.admin.list({ search: "owner@ban" })).users
    await auth.admin.unban({ id })
    const [pardoned] = (await auth.admin.list({ search: "owner@ban" })).users

    expect(during).toBeNull()
    expect(banned).toMatchObject({ banned: true, banReason: "Spam", banExpires: expect.any(Date) })
    expect(pardoned).toMatchObject({ banned: false, banReason: null, banExpires: null })
    await owner.auth.signIn({ email: "owner@ban.example", password: PASSWORD })
  })

  test("cannot misspell a member, so that no ban lasts longer than was meant", async () => {
    const { auth } = await signedIn("speller@ban.example", "admin")
    const id = String((await auth.session())?.user.id)

    const bans = auth.admin.ban({ id, expiresIn: 60 } as { id: string })
    const created = auth.admin.create({ name: "X", email: "x@ban.example", rolle: "admin" } as never)

    expect((await errorOf(bans)).message).toContain('There is no "expiresIn" here')
    expect((await errorOf(created)).message).toContain('There is no "rolle" here')
  })
})

test("signing out elsewhere ends all sessions but the caller's", async () => {
  const here = await signedIn("both@sessions.example", "user")
  const there = browser()
  await there.auth.signIn({ email: "both@sessions.example", password: PASSWORD })

  await here.auth.signOutElsewhere()

  expect(await there.auth.session()).toBeNull()
  expect(await here.auth.session()).toMatchObject({ user: { email: "both@sessions.example" } })
})
