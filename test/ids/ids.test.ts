import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true } as const

let locked = ""
const told: unknown[] = []

function isNotLocked({ id }: { readonly id?: string | undefined }): boolean {
  return id !== locked
}

const papers = collection("papers")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: isNotLocked, create: true, update: isNotLocked, delete: isNotLocked, restore: true, purge: true })
  .hooks({ beforeRead: ({ id }) => void told.push(id) })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), desk: f.relation("desks").unique() }))
  .access(OPEN)

const desks = collection("desks")
  .fields(({ f }) => ({ name: f.text(), people: f.relation("people").hasMany({ via: "desk" }) }))
  .access(OPEN)

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text(), lead: f.relation("people") }))
  .access(OPEN)

const tasks = collection("tasks")
  .fields(({ f }) => ({
    name: f.text(),
    blocks: f.relation("tasks"),
    parent: f.relation("tasks").onDelete("cascade"),
  }))
  .access(OPEN)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [papers, people, desks, teams, tasks] })
})

beforeEach(() => app.database.query("truncate papers, people, desks, teams, tasks"))

afterAll(() => app[Symbol.asyncDispose]())

function send(method: string, path: string, body?: unknown) {
  return app.fetch(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

async function add(name: string, data: Record<string, unknown>): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

test("rules and hooks are told an id as it is stored, however the caller spells it", async () => {
  locked = await add("papers", { name: "a" })
  const spelled = locked.toUpperCase()

  const read = await app.fetch(`/papers/${spelled}`)
  const updated = await send("PATCH", `/papers/${spelled}`, { name: "b" })
  const batched = await send("POST", "/papers/update-batch", { updates: [{ id: spelled, data: { name: "b" } }] })
  const deleted = await send("DELETE", `/papers/${spelled}`)
  locked = ""
  await app.fetch(`/papers/${spelled}`)

  expect([read, updated, batched, deleted].map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(told).toEqual([spelled.toLowerCase()])
})

test.each([
  ["an operation", { create: {} }],
  ["nothing", { disconnect: true }],
  ["null", null],
  ["another text", "first"],
])("connectOrCreate by a unique relation takes an id, not %s", async (_name, desk) => {
  const lead = { connectOrCreate: { where: { desk }, create: { name: "new" } } }

  const { status, body } = await send("POST", "/teams", { lead })

  expect(status).toBe(400)
  expect(body.error.fieldErrors).toMatchObject([{ path: "lead.connectOrCreate.where.desk" }])
  expect(await app.database.query("select * from people")).toEqual([])
})

test("connectOrCreate finds a record by its unique relation", async () => {
  const desk = await add("desks", { name: "window" })
  const person = await add("people", { name: "Ann", desk })

  const { body } = await send("POST", "/teams", {
    lead: { connectOrCreate: { where: { desk: desk.toUpperCase() }, create: { name: "new" } } },
  })

  expect(body.lead).toBe(person)
})

test("a record that has gone with another one holds nothing back", async () => {
  const root = await add("tasks", { name: "root" })
  const child = await add("tasks", { name: "child", blocks: root })
  await add("tasks", { name: "grandchild", blocks: root, parent: child })

  const { status, body } = await send("POST", "/tasks/delete-many", { where: { name: { in: ["root", "child"] } } })

  expect({ status, body }).toEqual({ status: 200, body: { success: true, count: 2 } })
  expect(await app.database.query("select * from tasks")).toEqual([])
})
