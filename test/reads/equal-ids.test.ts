// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true } as const
const CLIENT = { id: "client", timestamps: false } as const

const rooms = collection("rooms")
  .fields(({ f }) => ({
    name: f.text(),
    next: f.relation("rooms"),
    guests: f.relation("guests").hasMany({ via: "room" }),
    keys: f.relation("keys").manyToMany({ through: "locks" }),
  }))
  .access(OPEN)
  .options(CLIENT)

const keys = collection("keys")
  .fields(({ f }) => ({ name: f.text(), rooms: f.relation("rooms").manyToMany({ through: "locks" }) }))
  .access(OPEN)
  .options(CLIENT)

const guests = collection("guests")
  .fields(({ f }) => ({
    room: f.relation("rooms").onDelete("cascade"),
    bill: f.relation("bills"),
    host: f.relation("guests").onDelete("setNull"),
  }))
  .access(OPEN)
  .options(CLIENT)

const bills = collection("bills")
  .fields(({ f }) => ({ isOpen: f.boolean(), room: f.relation("rooms") }))
  .access({ ...OPEN, read: () => ({ isOpen: true }) })
  .options(CLIENT)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [rooms, keys, guests, bills] })
})

beforeEach(() => app.database.query('truncate rooms, keys, guests, bills, "locks.links", "_kit_changes"'))

afterAll(() => app[Symbol.asyncDispose]())

function send(method: string, path: string, body?: unknown) {
  return app.fetch(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

async function changes(): Promise<string[]> {
  const rows = await app.database.query('select resource, record, kind from "_kit_changes"')
  await app.database.query('truncate "_kit_changes"')
  return rows.map(({ resource, record, kind }) => `${kind} ${resource}/${record}`).sort()
}

test("a record is held back by one of another collection that has its id", async () => {
  await send("POST", "/rooms", { id: "1" })
  await send("POST", "/bills", { id: "1", room: "1" })

  const single = await send("DELETE", "/rooms/1")
  const many = await send("POST", "/rooms/delete-many", { where: { id: "1" } })

  const error = { context: { relation: { collection: "bills", field: "room" } } }
  expect(single).toMatchObject({ status: 409, body: { error } })
  expect(many).toMatchObject({ status: 409, body: { error } })
})

test("a record that goes takes others with it that have its id", async () => {
  await send("POST", "/rooms", { id: "1" })
  await send("POST", "/guests", { id: "2" })
  await send("POST", "/guests", { id: "1", room: "1", host: "2" })
  await send("PATCH", "/guests/2", { host: "1" })
  await changes()

  const gone = await send("DELETE", "/rooms/1")

  expect(gone).toMatchObject({ status: 200 })
  expect(await changes()).toEqual(["delete guests/1", "delete rooms/1", "update guests/2"])
  expect((await app.fetch("/guests")).body.docs).toMatchObject([{ id: "2", host: null }])
})

test("a record may not point to one that the caller cannot read because another one has its id", async () => {
  await app.app.system.collections["bills"]?.create({ id: "1", isOpen: false })
  const withGuest = (bill: string) => ({ id: "1", guests: { create: [{ id: "g", bill }] } })

  const hidden = await send("POST", "/rooms", withGuest("1"))
  const missing = await send("POST", "/rooms", withGuest("2"))

  expect(hidden.status).toBe(400)
  expect(hidden.body.error.fieldErrors).toEqual(missing.body.error.fieldErrors)
  expect((await app.fetch("/guests")).body.docs).toEqual([])
})

test("a change of links is noted at both ends, whatever their ids", async () => {
  await send("POST", "/keys", { id: "1" })
  await changes()

  await send("POST", "/rooms", { id: "1", keys: ["1"] })
  const connected = await changes()
  await send("PATCH", "/rooms/1", { keys: { disconnect: ["1"] } })
  const parted = await changes()
  await send("PATCH", "/keys/1", { rooms: ["1"] })
  await changes()
  await send("DELETE", "/rooms/1")

  expect(connected).toEqual(["create rooms/1", "update keys/1"])
  expect(parted).toEqual(["update keys/1", "update rooms/1"])
  expect(await changes()).toEqual(["delete rooms/1", "update keys/1"])
})
