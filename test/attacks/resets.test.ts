// @module-tag not-about-shortcuts

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cookieOf, type IdentityApp, identityApp, PASSWORD, signIn } from "../support/worlds/identity-app.ts"

let app: IdentityApp
let admin: { readonly cookie: string }
beforeAll(async () => {
  app = await identityApp()
  admin = await app.signIn({ email: "admin@example.com", role: "admin" })
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body: unknown, cookie?: string) =>
  app.fetch(path, { method: "POST", body, ...(cookie !== undefined && { headers: { cookie } }) })
const reset = (token: string, newPassword: string) => post("/auth/reset-password", { token, newPassword })
const outcome = async (token: string) => (await reset(token, "taken over by mail")).status

/** Requests a reset mail and returns its token. */
async function resetToken(email: string): Promise<string> {
  const before = app.mails.length
  await post("/auth/request-password-reset", { email })
  const mail = await app.mail(before + 1)
  expect([mail.to].flat()).toEqual([email])
  return /Your code: (\S+)/.exec(mail.text)?.[1] ?? ""
}

interface Person {
  readonly id: string
  readonly email: string
  readonly cookie: string
}

const users = () => app.app.system.collections["users"]
const ENDS: readonly (readonly [string, (person: Person) => Promise<unknown>])[] = [
  [
    "a change of the password",
    ({ cookie }) => post("/auth/change-password", { currentPassword: PASSWORD, newPassword: "another horse" }, cookie),
  ],
  ["another reset", async ({ email }) => reset(await resetToken(email), "another horse")],
  [
    "a password that an admin sets",
    ({ id }) => post("/auth/admin/set-user-password", { userId: id, newPassword: "another horse" }, admin.cookie),
  ],
  ["another address", ({ id, email }) => users()?.updateById({ id, data: { email: `other.${email}` } }) ?? fail()],
  ["a ban", ({ id }) => post("/auth/admin/ban-user", { userId: id }, admin.cookie)],
  ["a ban by the app", ({ id }) => users()?.updateById({ id, data: { banned: true } }) ?? fail()],
  ["the deletion of the user", ({ id }) => post("/auth/admin/remove-user", { userId: id }, admin.cookie)],
]

function fail(): never {
  throw new Error("There are no users.")
}

describe("the tokens of resets end with", () => {
  test.each(ENDS)("%s", async (name, end) => {
    const email = `${name.replace(/\W/g, "")}@example.com`.toLowerCase()
    const { id, cookie } = await app.signIn({ email })
    const tokens = [await resetToken(email), await resetToken(email)]
    await app.signIn({ email: `not.${email}` })
    const ofAnother = await resetToken(`not.${email}`)

    const done = (await end({ id, email, cookie })) as { status?: number }

    const rows = await app.database.query("select 1 from _kit_verifications where value = $1", [id])
    expect(done?.status ?? 200).toBe(200)
    expect(rows).toEqual([])
    for (const token of tokens) expect(await outcome(token)).toBe(400)
    expect(await outcome(ofAnother)).toBe(200)
  })

  test("nothing else: a new name leaves them", async () => {
    const { id } = await app.signIn({ email: "renamed@example.com" })
    const token = await resetToken("renamed@example.com")

    await users()?.updateById({ id, data: { name: "Another" } })

    expect(await outcome(token)).toBe(200)
  })
})

test("of two resets at the same time one wins, and its password is the one that holds", async () => {
  for (const turn of [1, 2, 3, 4, 5]) {
    const email = `race${turn}@example.com`
    await app.signIn({ email })
    const tokens = [await resetToken(email), await resetToken(email), await resetToken(email)]

    const answers = await Promise.all(tokens.map((token, place) => reset(token, `password number ${place}`)))

    const won = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    await signIn(app.fetch, email, `password number ${won}`)
  }
})

test("a token that has expired ends no other", async () => {
  const { id } = await app.signIn({ email: "late@example.com" })
  const early = await resetToken("late@example.com")
  await app.database.query(`update _kit_verifications set "expiresAt" = now() - interval '1 second' where value = $1`, [
    id,
  ])
  const late = await resetToken("late@example.com")

  expect([await outcome(early), await outcome(late)]).toEqual([400, 200])
})

test("a reset ends every session, and a change of the password all but a new one", async () => {
  const { cookie } = await app.signIn({ email: "sessions@example.com" })
  const other = await signIn(app.fetch, "sessions@example.com")
  const sessionOf = async (shown: string) => (await app.fetch("/auth/get-session", { headers: { cookie: shown } })).body

  await reset(await resetToken("sessions@example.com"), "a third horse")
  const afterReset = [await sessionOf(cookie), await sessionOf(other.cookie)]
  const { cookie: third } = await signIn(app.fetch, "sessions@example.com", "a third horse")
  const passwords = { currentPassword: "a third horse", newPassword: "a fourth horse" }
  const changed = await post("/auth/change-password", passwords, third)

  expect(afterReset).toEqual([null, null])
  expect(await sessionOf(third)).toBeNull()
  expect(await sessionOf(cookieOf(changed.headers))).not.toBeNull()
})
