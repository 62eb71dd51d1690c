// @module-tag installed-postgres

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const MISSING_ID = "01890000-0000-7000-8000-000000000000"
const everyone = { read: true, create: true, update: true, delete: true } as const

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required(), parent: f.relation("teams") }))
  .access(everyone)

let made = 0
const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(20).required(),
    email: f.text().unique(),
    team: f.relation("teams"),
    level: f.number().integer().required().default(1),
    number: f
      .number()
      .integer()
      .default(() => ++made),
    joined: f.datetime().default("2026-01-01"),
    region: f.text(),
    code: f.text(),
    note: f.text().default("none"),
  }))
  .indexes([{ fields: ["region", "code"], unique: true }])
  .access(everyone)

const bare = collection("bare")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ timestamps: false })
  .access(everyone)

let app: TestApp
let now = new Date("2026-05-04T10:00:00.123Z")

beforeAll(async () => {
  app = await testApp({ resources: [teams, people, bare], now: () => now })
})

afterAll(() => app[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: unknown) =>
  app.fetch(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })

describe("create", () => {
  test("answers 201 with the stored record, defaults filled in", async () => {
    const created = await send("POST", "/people", { name: "Ann", region: null })
    const read = await app.fetch(`/people/${created.body.id}`)

    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(UUID_V7),
      name: "Ann",
      email: null,
      team: null,
      level: 1,
      number: made,
      joined: "2026-01-01T00:00:00.000Z",
      region: null,
      code: null,
      note: "none",
      createdAt: "2026-05-04T10:00:00.123Z",
      updatedAt: "2026-05-04T10:00:00.123Z",
    })
    expect(read.body).toEqual(created.body)
  })

  test("a given null wins over the default, and a function default is asked for each record", async () => {
    const first = await send("POST", "/people", { name: "a", note: null, joined: null })
    const second = await send("POST", "/people", { name: "b" })
    const third = await send("POST", "/people", { name: "c", number: 0 })

    expect(first.body).toMatchObject({ note: null, joined: null })
    expect(second.body.number).toBe(first.body.number + 1)
    expect(third.body.number).toBe(0)
  })

  test("a required field must be given, and null does not count", async () => {
    const missing = await send("POST", "/people", {})
    const empty = await send("POST", "/people", { name: null, level: null })

    expect(missing.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      fieldErrors: [{ path: "name", message: "Required." }],
    })
    expect(empty.body.error.fieldErrors).toEqual([
      { path: "name", message: "Required." },
      { path: "level", message: "Required." },
    ])
  })

  test("everything that is wrong is reported at once", async () => {
    const body = { nmae: "x", level: "high", joined: "soon", team: 5, email: 1, number: 1.5 }

    const answer = await send("POST", "/people", body)

    expect(answer.status).toBe(400)
    const paths = answer.body.error.fieldErrors.map((error: any) => error.path)
    expect(paths.sort()).toEqual(["email", "joined", "level", "name", "nmae", "number", "team"])
    expect(answer.body.error.fieldErrors).toContainEqual({
      path: "nmae",
      message: 'There is no field "nmae". Did you mean "name"?',
    })
  })

  test.each([["[]"], ["5"], ['"x"'], ["null"], ["[{}]"]])("the body %s is refused", async (body) => {
    const answer = await app.fetch("/people", { method: "POST", body })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })

  test.each(["id", "createdAt", "updatedAt"])("%s is kept by the server, also from system code", async (field) => {
    const value = field === "id" ? MISSING_ID : "2020-01-01"

    const created = await send("POST", "/people", { name: "x", [field]: value })
    const system = app.app.system.collections["people"]?.create({ name: "x", [field]: value })

    expect(created).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: field }] } } })
    await expect(system).rejects.toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: field }] })
  })

  test("a body in which a name stands for a prototype is a field that does not exist", async () => {
    const answer = await app.fetch("/people", { method: "POST", body: '{"name":"x","constructor":1,"toString":2}' })

    expect(answer.status).toBe(400)
    expect(({} as any).polluted).toBeUndefined()
  })
})

describe("update", () => {
  test("changes what is given and nothing else; updatedAt moves and createdAt stays", async () => {
    now = new Date("2026-05-04T10:00:00.000Z")
    const { body: before } = await send("POST", "/people", { name: "Ann", note: "old", email: "ann@x.test" })
    now = new Date("2026-05-04T11:00:00.000Z")

    const answer = await send("PATCH", `/people/${before.id}`, { note: "new", email: null })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, note: "new", email: null, updatedAt: "2026-05-04T11:00:00.000Z" })
    expect((await app.fetch(`/people/${before.id}`)).body).toEqual(answer.body)
  })

  test("an empty change moves updatedAt only, and changes nothing where there are no timestamps", async () => {
    const { body: person } = await send("POST", "/people", { name: "Ann" })
    const { body: thing } = await send("POST", "/bare", { name: "x" })
    now = new Date(now.getTime() + 1)

    const touched = await send("PATCH", `/people/${person.id}`, {})
    const same = await send("PATCH", `/bare/${thing.id}`, {})

    expect(touched.body).toEqual({ ...person, updatedAt: now.toISOString() })
    expect(same).toMatchObject({ status: 200, body: thing })
  })

  test("required fields cannot be emptied, server fields not be set, unknown ones not be named", async () => {
    const { body: person } = await send("POST", "/people", { name: "Ann" })

    const answer = await send("PATCH", `/people/${person.id}`, { name: null, id: MISSING_ID, nope: 1, level: "x" })

    const paths = answer.body.error.fieldErrors.map((error: any) => error.path)
    expect([answer.status, paths]).toEqual([400, ["name", "id", "nope", "level"]])
    expect((await app.fetch(`/people/${person.id}`)).body).toEqual(person)
  })

  test.each([MISSING_ID, "7", "files", "%27", "%2e%2e%2fteams", "x".repeat(5000)])(
    "the id %s is not found",
    async (id) => {
      const answers = [
        await app.fetch(`/bare/${id}`),
        await send("PATCH", `/bare/${id}`, { name: "x" }),
        await send("DELETE", `/bare/${id}`),
      ]

      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([404, "NOT_FOUND"]))
    },
  )

  test("an id may be written in capitals", async () => {
    const { body: thing } = await send("POST", "/bare", { name: "x" })

    const answer = await send("PATCH", `/bare/${thing.id.toUpperCase()}`, { name: "y" })

    expect(answer.body).toEqual({ id: thing.id, name: "y" })
  })
})

describe("delete", () => {
  test("removes the record and answers it", async () => {
    const { body: person } = await send("POST", "/people", { name: "Ann" })

    const deleted = await send("DELETE", `/people/${person.id}`)
    const again = await send("DELETE", `/people/${person.id}`)

    expect(deleted).toMatchObject({ status: 200, body: { success: true, data: person } })
    expect(again).toMatchObject({ status: 404, body: { error: { context: { collection: "people", id: person.id } } } })
  })

  test("a record that others point to stays, and the answer names the relation", async () => {
    const { body: team } = await send("POST", "/teams", { name: "red" })
    const { body: person } = await send("POST", "/people", { name: "Ann", team: team.id })

    const refused = await send("DELETE", `/teams/${team.id}`)
    await send("DELETE", `/people/${person.id}`)
    const allowed = await send("DELETE", `/teams/${team.id}`)

    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({
      code: "CONFLICT",
      context: { relation: { collection: "people", field: "team" } },
    })
    expect(allowed.status).toBe(200)
  })

  test("a record that points to itself can be deleted", async () => {
    const { body: team } = await send("POST", "/teams", { name: "own" })
    await send("PATCH", `/teams/${team.id}`, { parent: team.id })

    const deleted = await send("DELETE", `/teams/${team.id}`)

    expect(deleted).toMatchObject({ status: 200, body: { data: { parent: team.id } } })
  })
})

describe("conflicts", () => {
  test("a unique value that is taken is 409 with the field; null may stand many times", async () => {
    const { body: other } = await send("POST", "/people", { name: "a", email: "taken@x.test" })
    const { body: mine } = await send("POST", "/people", { name: "b" })

    const created = await send("POST", "/people", { name: "c", email: "taken@x.test" })
    const changed = await send("PATCH", `/people/${mine.id}`, { email: "taken@x.test" })
    const own = await send("PATCH", `/people/${other.id}`, { email: "taken@x.test" })

    for (const answer of [created, changed]) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: "CONFLICT", fieldErrors: [{ path: "email", message: expect.any(String) }] } },
      })
    }
    expect(own.status).toBe(200)
    expect(JSON.stringify([created.body, changed.body])).not.toMatch(/constraint|duplicate|people_/)
  })

  test("a pair that is unique together is 409 with both fields", async () => {
    await send("POST", "/people", { name: "a", region: "eu", code: "1" })
    const different = await send("POST", "/people", { name: "b", region: "eu", code: "2" })

    const same = await send("POST", "/people", { name: "c", region: "eu", code: "1" })

    expect(different.status).toBe(201)
    const message = "Another record has this combination of values already."
    expect([same.status, same.body.error.fieldErrors]).toEqual([
      409,
      [
        { path: "region", message },
        { path: "code", message },
      ],
    ])
    expect(same.body.error.message).toBe(`region, code: ${message}`)
  })

  test("of many creates with one unique value exactly one succeeds", async () => {
    const create = () => send("POST", "/people", { name: "race", email: "race@x.test" })

    const answers = await Promise.all(Array.from({ length: 12 }, create))

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)])
  })
})

describe("relations", () => {
  test("a record is named by its id or by connect", async () => {
    const { body: team } = await send("POST", "/teams", { name: "red" })

    const byId = await send("POST", "/people", { name: "a", team: team.id })
    const byConnect = await send("POST", "/people", { name: "b", team: { connect: { id: team.id } } })
    const none = await send("PATCH", `/people/${byId.body.id}`, { team: null })

    expect([byId.body.team, byConnect.body.team, none.body.team]).toEqual([team.id, team.id, null])
  })

  test("a relation to nothing is 400 with the field, and nothing is stored", async () => {
    const count = () => app.app.system.collections["people"]?.count()
    const { body: person } = await send("POST", "/people", { name: "a" })
    const before = await count()

    const created = await send("POST", "/people", { name: "b", team: MISSING_ID })
    const changed = await send("PATCH", `/people/${person.id}`, { team: { connect: { id: MISSING_ID } } })

    for (const answer of [created, changed]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { fieldErrors: [{ path: "team", message: "There is no such record." }] } },
      })
    }
    expect(await count()).toBe(before)
  })
})

describe("ids", () => {
  test("sort by the time at which they were made, also within a millisecond", async () => {
    const names = Array.from({ length: 30 }, (_, index) => String(index).padStart(2, "0"))
    await app.database.query("truncate bare")
    // Later than in any other test of this process, because ids never go back.
    now = new Date("2100-01-01T00:00:00.000Z")
    for (const name of names) {
      now = new Date(now.getTime() + (Number(name) % 3 === 0 ? 1 : 0))
      await send("POST", "/bare", { name })
    }

    const { body } = await app.fetch("/bare?orderBy[id]=asc")

    expect(body.docs.map((doc: any) => doc.name)).toEqual(names)
    expect(body.docs.every((doc: any) => UUID_V7.test(doc.id))).toBe(true)
    const lastMs = Number.parseInt(body.docs.at(-1).id.replaceAll("-", "").slice(0, 12), 16)
    expect(lastMs).toBe(now.getTime())
  })
})
