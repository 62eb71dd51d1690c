import { resolve } from "node:path"
import type { Session } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { fingerprint } from "../support/worlds/attack-world.ts"

const as = (id: string): Session => ({ user: { id } })
const [olga, hans, gina, eve] = ["olga", "hans", "gina", "eve"].map(as) as [Session, Session, Session, Session]

let app: TestApp
let database: TestDatabase
/** The organisation of Olga, with Hans as a host, a listed house and one that is not. */
let org: string
let house: string
let shed: string
/** Eve's own membership, of her own organisation. */
let eveOwn: string

beforeAll(async () => {
  app = await testApp({ root: resolve("test/tenants/rental") })
  database = openTestDatabase(app.databaseUrl)
})
afterAll(async () => {
  await database.drop()
  await app.stop()
})

beforeEach(async () => {
  org = await made(olga, "/organisations", { name: "Lake houses", createdBy: "olga" })
  await made(olga, "/memberships", { organisation: org, user: "olga", role: "owner" })
  await made(olga, "/invitations", { organisation: org, user: "hans" })
  await made(hans, "/memberships", { organisation: org, user: "hans" })
  house = await made(hans, "/properties", { title: "House", organisation: org, isListed: true, doorCode: "1234" })
  shed = await made(hans, "/properties", { title: "Shed", organisation: org })
  const own = await made(eve, "/organisations", { name: "Eve's", createdBy: "eve" })
  eveOwn = await made(eve, "/memberships", { organisation: own, user: "eve", role: "owner" })
})

async function send(session: Session, method: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json" }
  const init = { as: session, method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await app.fetch(path, init)
  const text = await response.text()
  return { status: response.status, body: text === "" ? null : JSON.parse(text) }
}

async function made(session: Session, path: string, body: unknown): Promise<string> {
  const answer = await send(session, "POST", path, body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.id
}

const asOwner = { user: "eve", role: "owner" }

/** The requests of Eve. Each must leave the database as it was. */
const TAKEOVERS: Record<string, () => readonly [method: string, path: string, body: unknown]> = {
  "a membership of her own": () => ["POST", "/memberships", { organisation: org, ...asOwner }],
  "a move of her own membership": () => ["PATCH", `/memberships/${eveOwn}`, { organisation: org }],
  "a membership with an invitation nested in it": () => [
    "POST",
    "/memberships",
    { organisation: org, user: "eve", invitations: { create: { organisation: org, user: "eve" } } },
  ],
  "a membership nested in the organisation": () => [
    "PATCH",
    `/organisations/${org}`,
    { memberships: { create: asOwner } },
  ],
  "a batch": () => ["POST", "/memberships/update-batch", { updates: [{ id: eveOwn, data: { organisation: org } }] }],
  "an agency that manages the house": () => ["POST", "/agencies", { manager: "eve", properties: { connect: [house] } }],
}

describe("an organisation is not taken over", () => {
  test.each(Object.entries(TAKEOVERS))("by %s", async (_name, takeover) => {
    const before = await fingerprint({ database })

    const answer = await send(eve, ...takeover())

    expect(answer.status).toBe(403)
    expect(await fingerprint({ database })).toEqual(before)
    expect((await send(eve, "PATCH", `/properties/${house}`, { title: "Eve's" })).status).toBe(403)
  })

  test("by bringing an old membership back", async () => {
    const own = await made(olga, "/memberships", { organisation: org, ...asOwner })
    const { body } = await send(eve, "GET", `/memberships/${eveOwn}`)
    await send(eve, "PATCH", `/memberships/${own}`, { organisation: body.organisation })
    const before = await fingerprint({ database })

    // Eve has moved it to her own organisation, and now wants it as it was.
    const reverted = await send(eve, "POST", `/memberships/${own}/revert`, { version: 1 })

    expect(reverted.status).toBe(403)
    expect(await fingerprint({ database })).toEqual(before)
  })
})

describe("guests and hosts", () => {
  const stay = { from: "2026-08-01", to: "2026-08-04" }

  test("a guest books a listed house in her own name, and nothing else", async () => {
    const book = (property: string, guest: string) => send(gina, "POST", "/bookings", { property, guest, ...stay })

    expect((await book(house, "eve")).status).toBe(403)
    expect((await book(shed, "gina")).status).toBe(400)
    expect(await book(house, "gina")).toMatchObject({ status: 201, body: { status: "asked" } })
    expect((await send(gina, "PATCH", `/properties/${house}`, { title: "Gina's" })).status).toBe(403)
  })

  test("a booking is seen by its guest and by the hosts, and changed by each in their own fields", async () => {
    const id = await made(gina, "/bookings", { property: house, guest: "gina", wish: "A late key", ...stay })
    const path = `/bookings/${id}`

    expect((await send(eve, "GET", path)).status).toBe(404)
    expect((await send(gina, "PATCH", path, { status: "confirmed" })).status).toBe(403)
    expect((await send(gina, "PATCH", path, { hostNote: "x" })).status).toBe(403)
    expect((await send(gina, "PATCH", path, { wish: "An early key" })).status).toBe(200)
    expect((await send(hans, "PATCH", path, { status: "confirmed", hostNote: "Kind" })).status).toBe(200)
    expect((await send(hans, "GET", path)).body).toMatchObject({ wish: "An early key", hostNote: "Kind" })
    const seen = (await send(gina, "GET", path)).body
    expect(seen).toMatchObject({ status: "confirmed" })
    expect(seen).not.toHaveProperty("hostNote")
  })

  test("the code of the door is for hosts, and for guests whose booking is confirmed", async () => {
    const code = async (session: Session) => (await send(session, "GET", `/properties/${house}`)).body.doorCode
    const id = await made(gina, "/bookings", { property: house, guest: "gina", ...stay })

    expect([await code(eve), await code(gina), await code(hans)]).toEqual([undefined, undefined, "1234"])
    await send(hans, "PATCH", `/bookings/${id}`, { status: "confirmed" })
    expect([await code(eve), await code(gina)]).toEqual([undefined, "1234"])
  })

  test("a house that is not listed is for its hosts alone", async () => {
    const seen = async (session: Session) => (await send(session, "GET", `/properties/${shed}`)).status

    expect([await seen(gina), await seen(eve), await seen(hans), await seen(olga)]).toEqual([404, 404, 200, 200])
  })

  test("an owner removes a host, who then has no say any more", async () => {
    const { body } = await send(olga, "GET", `/memberships?where[organisation]=${org}&where[user]=hans`)

    expect((await send(hans, "PATCH", `/properties/${shed}`, { title: "Barn" })).status).toBe(200)
    expect((await send(olga, "DELETE", `/memberships/${body.docs[0].id}`)).status).toBe(200)
    expect((await send(hans, "PATCH", `/properties/${shed}`, { title: "Ruin" })).status).toBe(404)
    expect((await send(hans, "POST", `/memberships/${body.docs[0].id}/restore`)).status).toBeGreaterThanOrEqual(403)
  })
})
