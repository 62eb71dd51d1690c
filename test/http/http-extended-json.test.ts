import { collection, global } from "kit"
import superjson from "superjson"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const BIG = 9_007_199_254_740_993n
const AT = new Date("2026-05-04T10:30:00.123Z")
const open = { read: true, create: true, update: true, delete: true } as const

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), born: f.datetime() }))
  .access(open)
const things = collection("things")
  .fields(({ f }) => ({
    name: f.text().required(),
    big: f.number().bigint(),
    at: f.datetime(),
    owner: f.relation("people"),
    data: f.json(),
  }))
  .access(open)
const clock = global("clock")
  .fields(({ f }) => ({ alarm: f.datetime() }))
  .access(open)

let app: TestApp
let ownerId: string
beforeAll(async () => {
  app = await testApp({ resources: [people, things, clock] })
  ownerId = String((await app.app.system.collections["people"]?.create({ name: "Ann", born: AT }))?.["id"])
})
afterAll(() => app[Symbol.asyncDispose]())

const extended = { "x-extendedjson": "1" }
const send = (method: string, path: string, envelope: object) =>
  app.fetch(path, { method, headers: extended, body: JSON.stringify(envelope) })

describe("requests", () => {
  test("big integers and dates arrive as what they are", async () => {
    const meta = { values: { big: "BigInt", at: "Date" } }

    const answer = await send("POST", "/things", { json: { name: "a", big: String(BIG), at: AT.toISOString() }, meta })

    expect(answer.status).toBe(201)
    const rows = await app.database.query("select big::text, at from things where name = 'a'")
    expect(rows).toEqual([{ big: String(BIG), at: AT }])
  })

  test("an envelope of superjson is understood", async () => {
    const envelope = superjson.serialize({ name: "superjson", big: BIG, at: AT, owner: undefined })

    const answer = await send("POST", "/things", envelope)

    expect(answer).toMatchObject({
      status: 201,
      body: { json: { big: String(BIG), at: AT.toISOString(), owner: null } },
    })
  })

  test("undefined means that the field is not given", async () => {
    const created = await send("POST", "/things", { json: { name: "kept", big: 5 } })
    const path = `/things/${created.body.json.id}`

    const changed = await send("PATCH", path, { json: { name: null, big: 6 }, meta: { values: { name: "undefined" } } })

    expect(changed.body.json).toMatchObject({ name: "kept", big: "6" })
  })

  test.each(["0", "false", "yes", ""])("the header value %j does not ask for it", async (value) => {
    const answer = await app.fetch("/things", { headers: { "x-extendedjson": value } })

    expect(answer.body.docs).toBeDefined()
    expect(answer.headers.get("x-extendedjson")).toBeNull()
  })

  test("a plain body takes big integers as numbers and as text of digits", async () => {
    const asText = await app.fetch("/things", { method: "POST", body: `{"name":"b","big":"${BIG}"}` })
    const asNumber = await app.fetch("/things", { method: "POST", body: '{"name":"c","big":12}' })
    const inexact = await app.fetch("/things", { method: "POST", body: `{"name":"d","big":${BIG}}` })

    expect([asText.body.big, asNumber.body.big]).toEqual([String(BIG), "12"])
    expect(inexact.status).toBe(400)
  })
})

describe("answers", () => {
  const find = (query: string) => app.fetch(`/things?${query}`, { headers: extended })

  test("a page names each type once for all records", async () => {
    await app.app.system.collections["things"]?.create({ name: "page", big: BIG, at: AT, owner: ownerId })

    const answer = await find("where[name]=page&with[owner]=true")

    expect(answer.headers.get("x-extendedjson")).toBe("1")
    expect(answer.body.meta.values).toEqual({
      "docs.*.big": "BigInt",
      "docs.*.at": "Date",
      "docs.*.createdAt": "Date",
      "docs.*.updatedAt": "Date",
      "docs.*.owner.born": "Date",
      "docs.*.owner.createdAt": "Date",
      "docs.*.owner.updatedAt": "Date",
    })
    expect(answer.body.json.docs[0]).toMatchObject({
      big: String(BIG),
      at: AT.toISOString(),
      owner: { born: AT.toISOString() },
    })
  })

  test("only columns that are answered are named", async () => {
    const answer = await find("columns[name]=true&columns[at]=true")

    expect(answer.body.meta.values).toEqual({ "docs.*.at": "Date" })
  })

  test("a page without such columns, a count and the health check have no meta", async () => {
    const page = await find("columns[name]=true")
    const count = await app.fetch("/things/count", { headers: extended })
    const health = await app.fetch("/health", { headers: extended })

    expect([page.body.meta, count.body.meta]).toEqual([undefined, undefined])
    expect(health.body).toEqual({ json: { status: "ok" } })
  })

  test("one record, a created, a changed and a deleted one carry their types", async () => {
    const created = await send("POST", "/people", { json: { name: "Eve" } })
    const path = `/people/${created.body.json.id}`
    const found = await app.fetch(path, { headers: extended })
    const changed = await send("PATCH", path, { json: { born: AT }, meta: { values: { born: "Date" } } })
    const deleted = await app.fetch(path, { method: "DELETE", headers: extended })

    const own = { born: "Date", createdAt: "Date", updatedAt: "Date" }
    expect([created, found, changed].map(({ body }) => body.meta.values)).toEqual([own, own, own])
    expect(deleted.body.meta.values).toEqual({
      "data.born": "Date",
      "data.createdAt": "Date",
      "data.updatedAt": "Date",
    })
  })

  test("an empty global is null, and a written one carries its types", async () => {
    const empty = await app.fetch("/globals/clock", { headers: extended })
    await send("PATCH", "/globals/clock", { json: { alarm: AT }, meta: { values: { alarm: "Date" } } })
    const written = await app.fetch("/globals/clock", { headers: extended })

    expect(empty.body.json).toBeNull()
    expect(written.body.meta.values).toEqual({ alarm: "Date", createdAt: "Date", updatedAt: "Date" })
  })

  test("without the header dates are ISO text and big integers are text of digits", async () => {
    await app.app.system.collections["things"]?.create({ name: "plain", big: BIG, at: AT })

    const answer = await app.fetch("/things?where[name]=plain")

    expect(answer.body.docs[0]).toMatchObject({ big: String(BIG), at: AT.toISOString() })
    expect(answer.body.meta).toBeUndefined()
  })

  test("the client gets the values back as they were", async () => {
    const data = {
      name: "client",
      big: BIG,
      at: AT,
      data: { json: { meta: { values: { a: "Date" } } }, "docs.*.at": "2026" },
    }

    const created = await app.client().collections["things"]?.create(data)
    const page = await app.client().collections["things"]?.find({ where: { name: "client" } })

    expect(created).toMatchObject(data)
    expect(page?.docs[0]).toEqual(created)
  })
})
