import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type IdentityApp, identityApp, type SignedIn } from "../support/worlds/identity-app.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(200), owner: f.relation("users") }))
  .access({
    read: ({ session }) => session && (session.user.role === "editor" || { owner: session.user.id }),
    create: ({ session }) => session && { owner: session.user.id },
  })

let moment = Date.parse("2026-05-04T10:00:00Z")
let app: IdentityApp
let eva: SignedIn
beforeAll(async () => {
  app = await identityApp({ resources: [notes], now: () => new Date(moment) })
  eva = await app.signIn({ email: "eva@example.com" })
})
afterAll(() => app[Symbol.asyncDispose]())

const asEva = () => ({ cookie: eva.cookie })
const makeKey = async (body: unknown = { name: "import" }) =>
  app.fetch("/auth/api-keys", { method: "POST", body, headers: asEva() })

test("a key is shown once, and only its hash is kept", async () => {
  const { status, body } = await makeKey()

  const { body: listed } = await app.fetch("/auth/api-keys", { headers: asEva() })
  const rows = await app.database.query("select to_jsonb(k)::text as text from _kit_api_keys k")

  expect(status).toBe(201)
  expect(body.key).toMatch(/^kit_[\w-]{43}$/)
  expect(listed[0]).toEqual({
    id: body.id,
    name: "import",
    prefix: body.key.slice(0, 10),
    createdAt: expect.any(String),
    lastUsedAt: null,
    expiresAt: null,
  })
  expect(rows.some(({ text }) => String(text).includes(body.key))).toBe(false)
})

test.each([
  ["Authorization", (key: string) => ({ authorization: `Bearer ${key}` })],
  ["x-api-key", (key: string) => ({ "x-api-key": key })],
])("a key in %s acts as its user", async (_name, headersFor) => {
  const { key } = (await makeKey()).body

  const body = { text: "by key", owner: eva.id }
  const created = await app.fetch("/notes", { method: "POST", body, headers: headersFor(key) })
  const listed = await app.fetch("/notes", { headers: headersFor(key) })

  expect(created.status).toBe(201)
  expect(listed.body.docs.length).toBeGreaterThan(0)
})

test("a key has the role that its user has now", async () => {
  const ivan = await app.signIn({ email: "ivan@example.com" })
  const made = await app.fetch("/auth/api-keys", {
    method: "POST",
    body: { name: "role" },
    headers: { cookie: ivan.cookie },
  })
  const headers = { "x-api-key": made.body.key }
  await app.app.system.collections["notes"]?.create({ text: "of eva", owner: eva.id })
  const before = await app.fetch("/notes/count", { headers })

  await app.app.system.collections["users"]?.updateById({ id: ivan.id, data: { role: "editor" } })

  expect(before.body.count).toBe(0)
  expect((await app.fetch("/notes/count", { headers })).body.count).toBeGreaterThan(0)
})

test("a key neither makes nor lists nor deletes keys, nor sessions", async () => {
  const { key, id } = (await makeKey()).body
  const headers = { authorization: `Bearer ${key}` }

  const answers = await Promise.all([
    app.fetch("/auth/api-keys", { headers }),
    app.fetch("/auth/api-keys", { method: "POST", body: { name: "more" }, headers }),
    app.fetch(`/auth/api-keys/${id}`, { method: "DELETE", headers }),
    app.fetch("/auth/list-sessions", { headers }),
    app.fetch("/auth/revoke-other-sessions", { method: "POST", headers }),
  ])
  const change = { currentPassword: "correct horse", newPassword: "another horse" }
  const changed = await app.fetch("/auth/change-password", { method: "POST", body: change, headers })

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  expect(changed.status).toBe(401)
})

test("a deleted key is nothing at once, and only its owner deletes it", async () => {
  const { key, id } = (await makeKey()).body
  const other = await app.signIn({ email: "other@example.com" })
  const use = () => app.fetch("/notes", { headers: { "x-api-key": key } })
  const remove = (cookie: string) => app.fetch(`/auth/api-keys/${id}`, { method: "DELETE", headers: { cookie } })

  const before = await use()
  const byOther = await remove(other.cookie)
  const bySelf = await remove(eva.cookie)

  expect([before.status, byOther.status, bySelf.status]).toEqual([200, 404, 200])
  expect((await use()).status).toBe(401)
})

test("a key ends when it says so", async () => {
  const expiresAt = new Date(moment + 60_000).toISOString()
  const { key } = (await makeKey({ name: "short", expiresAt })).body
  const use = () => app.fetch("/notes", { headers: { "x-api-key": key } })

  const before = await use()
  moment += 60_000

  expect(before.status).toBe(200)
  expect((await use()).status).toBe(401)
})

test("the last use is noted, at most once a minute", async () => {
  const [key, other] = [(await makeKey()).body, (await makeKey()).body]
  const use = ({ key: secret }: { key: string }) => app.fetch("/notes", { headers: { "x-api-key": secret } })
  const lastUse = async ({ id }: { id: string }) => {
    const [row] = await app.database.query(`select "lastUsedAt" as at from _kit_api_keys where id = $1`, [id])
    return (row?.["at"] as Date | null)?.getTime()
  }
  const noted = (of: { id: string }, at: number) => expect.poll(() => lastUse(of)).toBe(at)
  const start = moment

  await use(key)
  await noted(key, start)
  moment = start + 30_000
  await use(key)
  // The effects after the second use are stored, and none of that use itself.
  await use(other)
  await noted(other, start + 30_000)
  const second = await lastUse(key)
  moment = start + 61_000
  await use(key)

  expect(second).toBe(start)
  await noted(key, start + 61_000)
})

test("the key of a banned user, and that of one who is gone, is nothing", async () => {
  const doomed = await app.signIn({ email: "doomed@example.com" })
  const made = await app.fetch("/auth/api-keys", {
    method: "POST",
    body: { name: "x" },
    headers: { cookie: doomed.cookie },
  })
  const use = () => app.fetch("/notes", { headers: { "x-api-key": made.body.key } })
  const users = app.app.system.collections["users"]
  const before = await use()

  await users?.updateById({ id: doomed.id, data: { banned: true } })
  const banned = await use()
  await users?.updateById({ id: doomed.id, data: { banned: false } })
  const unbanned = await use()
  await users?.deleteById({ id: doomed.id })

  expect([before.status, banned.status, unbanned.status]).toEqual([200, 401, 200])
  expect((await use()).status).toBe(401)
  expect(await app.database.query(`select 1 from _kit_api_keys where "userId" = $1`, [doomed.id])).toEqual([])
})

test.each([
  ["no name", {}, "name"],
  ["an empty name", { name: " " }, "name"],
  ["a long name", { name: "x".repeat(101) }, "name"],
  ["a name that no column holds", { name: "a\u0000b" }, "name"],
  ["a past end", { name: "x", expiresAt: "2020-01-01" }, "expiresAt"],
  ["an end that is none", { name: "x", expiresAt: "soon" }, "expiresAt"],
  ["a field that is none", { name: "x", userId: "me" }, "userId"],
])("%s is refused", async (_what, body, path) => {
  const answer = await makeKey(body)

  expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path }] } } })
})

test.each(["kit_", "kit_short", `kit_${"a".repeat(43)}`, `kit_${"a".repeat(10_240)}`, "rubbish", ""])(
  "the key %j is nobody's",
  async (key) => {
    expect((await app.fetch("/notes", { headers: { "x-api-key": key } })).status).toBe(401)
  },
)
