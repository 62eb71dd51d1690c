import { collection, global } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true } as const

const shelves = collection("shelves")
  .fields(({ f }) => ({
    name: f.text(20).required(),
    boxes: f.relation("boxes").hasMany({ via: "shelf" }),
    tags: f.relation("tags").manyToMany(),
    locks: f.relation("locks").hasMany({ via: "shelf" }),
    room: f.relation("rooms"),
  }))
  .access(open)
const boxes = collection("boxes")
  .fields(({ f }) => ({
    label: f.text(5).required(),
    size: f.number(),
    shelf: f.relation("shelves").required(),
    things: f.relation("things").hasMany({ via: "box" }),
  }))
  .access(open)
const things = collection("things")
  .fields(({ f }) => ({ name: f.text().required(), box: f.relation("boxes").required() }))
  .access(open)
const tags = collection("tags")
  .fields(({ f }) => ({
    name: f
      .text()
      .required()
      .validate((value) => {
        if (value === "throw") throw new Error("a mistake of the author")
        return true
      }),
  }))
  .access(open)
// A collection that callers may not write, so that nobody learns its fields from the problems of an input.
const locks = collection("locks")
  .fields(({ f }) => ({ code: f.text().required(), shelf: f.relation("shelves") }))
  .access({ read: true })
const rooms = collection("rooms")
  .fields(({ f }) => ({ number: f.number().integer().required() }))
  .access(open)
// With change hooks, the input is parsed inside the transaction.
const hooked = collection("hooked")
  .fields(({ f }) => ({ name: f.text().required(), size: f.number() }))
  .access(open)
  .hooks({ beforeChange: ({ data }) => data, afterChange: () => {} })
const healing = collection("healing")
  .fields(({ f }) => ({ name: f.text().required(), size: f.number() }))
  .access(open)
  .hooks({ beforeValidate: ({ data }) => ({ ...data, name: "healed", size: Number(data["size"]) }) })
const site = global("site")
  .fields(({ f }) => ({ title: f.text(5).required(), rooms: f.number() }))
  .access({ read: true, update: true })

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [shelves, boxes, things, tags, locks, rooms, hooked, healing, site] })
})
afterAll(() => app[Symbol.asyncDispose]())

const UNKNOWN = expect.stringContaining('There is no field "nope".')
const NOT_A_NUMBER = "Expected a number."

async function problemsOf(method: string, path: string, body: object): Promise<[path: string, message: unknown][]> {
  const answer = await app.fetch(path, { method, body: JSON.stringify(body) })
  expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"])
  return answer.body.error.fieldErrors.map(({ path: at, message }: any) => [at, message])
}

async function idOf(path: string, body: object): Promise<string> {
  return (await app.fetch(path, { method: "POST", body: JSON.stringify(body) })).body.id
}

describe("the problems of an input are reported together", () => {
  test.each(["hooked", "tags"])("of a create in %s", async (name) => {
    const problems = await problemsOf("POST", `/${name}`, { nope: 1 })

    expect(problems).toEqual([
      ["nope", UNKNOWN],
      ["name", "Required."],
    ])
  })

  test("of an update of a collection with hooks", async () => {
    const id = await idOf("/hooked", { name: "a" })

    const problems = await problemsOf("PATCH", `/hooked/${id}`, { nope: 1, name: null, size: "x", id: "y" })

    expect(problems).toEqual([
      ["nope", UNKNOWN],
      ["name", "Required."],
      ["size", NOT_A_NUMBER],
      ["id", "This field is kept by the server."],
    ])
  })

  test("but only the fields that nobody may write, where a hook can heal the rest", async () => {
    const refused = await problemsOf("POST", "/healing", { nope: 1, size: "7" })
    const healed = await idOf("/healing", { size: "7" })

    expect(refused).toEqual([["nope", UNKNOWN]])
    expect(healed).toEqual(expect.any(String))
  })

  test("of a global, before and after its first write", async () => {
    const input = { nope: 1, title: "too long", rooms: "x" }
    const expected = [
      ["nope", UNKNOWN],
      ["title", "Must have at most 5 characters."],
      ["rooms", NOT_A_NUMBER],
    ]

    const first = await problemsOf("PATCH", "/globals/site", input)
    await app.fetch("/globals/site", { method: "PATCH", body: JSON.stringify({ title: "ok" }) })
    const second = await problemsOf("PATCH", "/globals/site", input)

    expect([first, second]).toEqual([expected, expected])
  })

  test.each(["hooked", "tags"])("of every update of a batch of %s", async (name) => {
    const ids = await Promise.all(["a", "b", "c"].map((title) => idOf(`/${name}`, { name: title })))
    const [first, second, third] = ids

    const problems = await problemsOf("POST", `/${name}/update-batch`, {
      updates: [
        { id: first, data: { nope: 1, name: null } },
        { id: second, data: { name: "fine" } },
        { id: third, data: { name: 5 } },
      ],
    })

    expect(problems).toEqual([
      ["updates.0.data.nope", UNKNOWN],
      ["updates.0.data.name", "Required."],
      ["updates.2.data.name", "Expected text."],
    ])
  })

  test("of updates far behind each other in a batch", async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, (_, at) => idOf("/tags", { name: `far ${at}` })))

    const problems = await problemsOf("POST", "/tags/update-batch", {
      updates: ids.map((id, at) => ({ id, data: at === 120 || at === 149 ? { nope: 1 } : { name: "near" } })),
    })

    expect(problems).toEqual([
      ["updates.120.data.nope", UNKNOWN],
      ["updates.149.data.nope", UNKNOWN],
    ])
  })

  test("of an update of many records with hooks", async () => {
    await idOf("/hooked", { name: "many" })

    const problems = await problemsOf("PATCH", "/hooked", { where: { name: "many" }, data: { nope: 1, size: "x" } })

    expect(problems).toEqual([
      ["nope", UNKNOWN],
      ["size", NOT_A_NUMBER],
    ])
  })
})

describe("the problems of nested writes are reported together", () => {
  test("with each other and with those of the record", async () => {
    const problems = await problemsOf("POST", "/shelves", {
      nope: 1,
      room: { create: { number: "x" } },
      tags: { create: [{}, { name: "fine" }, { name: 5 }] },
      boxes: { create: [{ label: "a", things: { create: [{ nope: 1 }] } }, { label: "too long", size: "x" }, 5] },
    })

    expect(problems).toEqual([
      ["nope", UNKNOWN],
      ["name", "Required."],
      ["room.create.number", expect.any(String)],
      ["boxes.create.0.things.create.0.nope", UNKNOWN],
      ["boxes.create.0.things.create.0.name", "Required."],
      ["boxes.create.1.label", "Must have at most 5 characters."],
      ["boxes.create.1.size", NOT_A_NUMBER],
      ["boxes.create.2", "Expected an object with the fields of the record."],
      ["tags.create.0.name", "Required."],
      ["tags.create.2.name", "Expected text."],
    ])
  })

  test("if only the nested records are wrong, and nothing is written", async () => {
    const problems = await problemsOf("POST", "/shelves", {
      name: "half",
      tags: { create: [{ name: "left over" }, { nope: 1 }] },
      boxes: { create: [{}, { label: "b", size: "x" }] },
    })

    expect(problems.map(([path]) => path).sort()).toEqual([
      "boxes.create.0.label",
      "boxes.create.1.size",
      "tags.create.1.name",
      "tags.create.1.nope",
    ])
    expect((await app.fetch("/tags/count?where[name]=left over")).body).toEqual({ count: 0 })
  })

  test("in updates of related records", async () => {
    const shelf = await idOf("/shelves", { name: "s", boxes: { create: [{ label: "a" }, { label: "b" }] } })
    const { body } = await app.fetch(`/boxes?where[shelf]=${shelf}&orderBy[label]=asc`)
    const [first, second] = body.docs

    const problems = await problemsOf("PATCH", `/shelves/${shelf}`, {
      boxes: {
        update: [
          { id: first.id, data: { nope: 1 } },
          { id: second.id, data: { label: null } },
        ],
      },
    })

    expect(problems).toEqual([
      ["boxes.update.0.data.nope", UNKNOWN],
      ["boxes.update.1.data.label", "Required."],
    ])
  })

  test("without those of a collection that the caller may not write", async () => {
    const problems = await problemsOf("POST", "/shelves", { nope: 1, name: "s", locks: { create: [{ cod: 1 }] } })

    expect(problems).toEqual([["nope", UNKNOWN]])
  })

  test("without an error of the author's code in a related record", async () => {
    const problems = await problemsOf("POST", "/shelves", { nope: 1, name: "s", tags: { create: [{ name: "throw" }] } })

    expect(problems).toEqual([["nope", UNKNOWN]])
  })

  test("up to a hundred", async () => {
    const create = Array.from({ length: 500 }, () => ({ nope: 1 }))

    const problems = await problemsOf("POST", "/shelves", { name: "s", tags: { create } })

    expect(problems).toHaveLength(100)
  })
})
