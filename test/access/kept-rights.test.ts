import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true }
let allowed = { ...open, drafts: true, field: true }

const noted = (name: string) => collection(name).fields(({ f }) => ({ title: f.text(), note: f.text() }))

// Each collection has one rule that is a function, so that its rights can change from one call to the next.
const byCreate = noted("byCreate").access({ ...open, create: () => allowed.create })
const byUpdate = noted("byUpdate").access({ ...open, update: () => allowed.update && { title: "a" } })
const byRead = noted("byRead").access({ ...open, read: () => allowed.read })
const byDrafts = noted("byDrafts")
  .options({ workflow: true })
  .access({ ...open, drafts: () => allowed.drafts })
const byField = collection("byField")
  .fields(({ f }) => ({ title: f.text(), note: f.text().access({ read: () => allowed.field }) }))
  .access(open)
const byInput = collection("byInput")
  .fields(({ f }) => ({ title: f.text(), note: f.text().access({ update: () => allowed.field }) }))
  .access(open)
const constant = noted("constant").access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [byCreate, byUpdate, byRead, byDrafts, byField, byInput, constant] })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => {
  allowed = { ...open, drafts: true, field: true }
})

function write(name: string, id = "") {
  const init = { method: id === "" ? "POST" : "PATCH", body: '{"title":"a","note":"n"}' }
  return app.fetch(`/${name}${id && `/${id}`}`, init)
}

test.each([
  ["byCreate", "create", { status: 401 }],
  ["byRead", "read", { status: 201, shown: ["id"] }],
  ["byDrafts", "drafts", { status: 201, shown: ["id"] }],
  ["byField", "field", { status: 201, shown: ["createdAt", "id", "title", "updatedAt"] }],
] as const)("a rule of %s that is a function decides about each create anew", async (name, rule, denied) => {
  const first = await write(name)
  allowed = { ...allowed, [rule]: false }
  const second = await write(name)
  allowed = { ...allowed, [rule]: true }
  const third = await write(name)

  expect([first.status, third.status]).toEqual([201, 201])
  expect(Object.keys(third.body).sort()).toEqual(Object.keys(first.body).sort())
  expect(Object.keys(first.body)).toContain("note")
  expect(second.status).toBe(denied.status)
  if ("shown" in denied) expect(Object.keys(second.body).sort()).toEqual(denied.shown)
})

test.each([
  ["byUpdate", "update", 401],
  ["byInput", "field", 403],
] as const)("a rule of %s that is a function decides about each update anew", async (name, rule, status) => {
  const { id } = (await write(name)).body

  expect((await write(name, id)).status).toBe(200)
  allowed = { ...allowed, [rule]: false }
  expect((await write(name, id)).status).toBe(status)
  allowed = { ...allowed, [rule]: true }
  expect((await write(name, id)).status).toBe(200)
})

test("rules that are constants give every caller the same, also code of the app", async () => {
  const { id } = (await write("constant")).body
  const { body } = await write("constant", id)

  expect(body).toMatchObject({ id, title: "a", note: "n" })
  expect(await app.app.system.collections["constant"]?.updateById({ id, data: { note: "m" } })).toMatchObject({
    note: "m",
  })
  expect((await write("constant", id)).body).toMatchObject({ id, note: "n" })
})
