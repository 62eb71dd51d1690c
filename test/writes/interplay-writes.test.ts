import { ApiError, collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const everyone = { read: true, create: true, update: true, delete: true, purge: true } as const

const folders = collection("folders")
  .fields(({ f }) => ({
    name: f.text(),
    files: f.relation("files").hasMany({ via: "folder" }),
    marks: f.relation("marks").manyToMany({ through: "marking" }),
    cards: f.relation("cards").hasMany({ via: "folder" }),
  }))
  .options({ revision: true })
  .access(everyone)

const files = collection("files")
  .fields(({ f }) => ({
    name: f.text().unique(),
    folder: f.relation("folders").onDelete("setNull"),
    pages: f.relation("pages").hasMany({ via: "file" }),
  }))
  .options({ revision: true, softDelete: true })
  .access(everyone)
  .hooks({
    beforeValidate: ({ data }) => {
      if (data["name"] === "bad") throw new ApiError("CONFLICT")
    },
    beforeChange: ({ operation, data }) => void heard.push(`files before ${operation} ${Object.keys(data).join()}`),
    afterChange: ({ operation, row, original }) =>
      void heard.push(`files after ${operation} ${original?.["folder"] === row["folder"] ? "stayed" : "moved"}`),
    beforeDelete: ({ operation }) => void heard.push(`files ${operation}`),
  })

const pages = collection("pages")
  .fields(({ f }) => ({ text: f.text(), file: f.relation("files").required().onDelete("cascade") }))
  .options({ revision: true })
  .access(everyone)
  .hooks({
    beforeDelete: ({ operation, original }) => {
      heard.push(`pages ${operation}`)
      if (original["text"] === "kept") throw new ApiError("CONFLICT")
    },
  })

const marks = collection("marks")
  .fields(({ f }) => ({
    name: f.text().unique(),
    folders: f.relation("folders").manyToMany({ through: "marking" }),
  }))
  .options({ softDelete: true })
  .access(everyone)

const cards = collection("cards")
  .fields(({ f }) => ({
    text: f.text(),
    folder: f.relation("folders").onDelete("cascade"),
    mark: f.relation("marks"),
    stamps: f.relation("stamps").manyToMany(),
    stamp: f.relation("stamps"),
  }))
  .access(everyone)
  .hooks({ beforeDelete: ({ original }) => void heard.push(`cards delete ${original["text"]}`) })

// The records that callers see have no id.
const stamps = collection("stamps")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)
  .hooks({ afterRead: ({ row }) => ({ shown: row["name"] }) })

const links = collection("links")
  .fields(({ f }) => ({ next: f.relation("links").onDelete("cascade") }))
  .access(everyone)
  .hooks({
    afterChange: ({ operation }) => void heard.push(`links ${operation}`),
    afterDelete: () => void heard.push("links delete"),
  })

const heard: string[] = []
let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [folders, files, pages, marks, cards, stamps, links] })
})

beforeEach(async () => {
  const tables = "folders, files, pages, marks, cards, stamps"
  await app.database.query(`truncate ${tables}, "marking.links", "_kit_changes" cascade`)
  heard.length = 0
})

afterAll(() => app[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: unknown) =>
  app.fetch(path, { method, session: ann, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function add(name: string, data: Record<string, unknown> = {}): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

async function revisionOf(name: string, id: string): Promise<unknown> {
  return (await app.database.query(`select revision from ${name} where id = '${id}'`))[0]?.["revision"]
}

// Returns the changes since the last call.
async function changes(): Promise<string[]> {
  const rows = await app.database.query('select resource, kind from "_kit_changes" order by xid, id')
  await app.database.query('truncate "_kit_changes"')
  return rows.map(({ resource, kind }) => `${resource} ${kind}`)
}

test("set leaves deleted records alone, and cannot bring them in", async () => {
  const folder = await add("folders")
  const [gone, kept] = [await add("files", { name: "gone", folder }), await add("files", { name: "kept", folder })]
  const [oldMark, mark] = [await add("marks", { name: "old" }), await add("marks", { name: "new" })]
  await send("PATCH", `/folders/${folder}`, { marks: [oldMark, mark] })
  await send("DELETE", `/files/${gone}`)
  await send("DELETE", `/marks/${oldMark}`)

  const deletedOnes = [
    await send("PATCH", `/folders/${folder}`, { files: [gone, kept] }),
    await send("PATCH", `/folders/${folder}`, { files: { connect: [gone] } }),
    await send("PATCH", `/folders/${folder}`, { marks: [oldMark] }),
    await send("PATCH", `/folders/${folder}`, { marks: { disconnect: [oldMark] } }),
    await send("POST", "/cards", { mark: oldMark }),
  ]
  const emptied = await send("PATCH", `/folders/${folder}`, { files: [], marks: [] })

  expect(deletedOnes.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  expect(emptied.status).toBe(200)
  expect((await app.fetch(`/files/${kept}`)).body.folder).toBeNull()
  await send("POST", `/files/${gone}/restore`)
  expect((await app.fetch(`/files/${gone}`)).body.folder).toBe(folder)
})

test("the link of a deleted record comes back with it, and goes when it is purged", async () => {
  const mark = await add("marks", { name: "m" })
  const folder = await add("folders", { marks: { connect: [mark] } })
  const linked = async () => (await app.fetch(`/folders/${folder}?with[marks][_count]=true`)).body

  await send("DELETE", `/marks/${mark}`)
  expect(await linked()).toMatchObject({ marks: [], _count: { marks: 0 } })
  await send("POST", `/marks/${mark}/restore`)
  expect(await linked()).toMatchObject({ marks: [{ id: mark }], _count: { marks: 1 } })
  await send("DELETE", `/marks/${mark}`)
  await send("POST", `/marks/${mark}/purge`)
  expect(await app.database.query('select * from "marking.links"')).toEqual([])
})

test("connectOrCreate makes a new record where the one it names is deleted", async () => {
  const mark = await add("marks", { name: "m" })
  await send("DELETE", `/marks/${mark}`)

  const made = await send("POST", "/folders", {
    marks: { connectOrCreate: [{ where: { name: "m" }, create: { name: "m" } }] },
  })

  expect(made.status).toBe(201)
  expect(await send("POST", `/marks/${mark}/restore`)).toMatchObject({
    status: 409,
    body: { error: { fieldErrors: [{ path: "name" }] } },
  })
})

test("hooks of related records take part in nested writes, and a throw takes everything back", async () => {
  const refused = await send("POST", "/folders", { name: "x", files: { create: [{ name: "good" }, { name: "bad" }] } })
  expect(refused.status).toBe(409)
  expect(heard).toEqual(["files before create name,folder", "files after create moved"])
  expect(await app.database.query("select id from folders union all select id from files")).toEqual([])
  expect(await changes()).toEqual([])

  const folder = (await send("POST", "/folders", { name: "x", files: { create: [{ name: "good" }] } })).body.id
  const [file] = (await app.fetch("/files")).body.docs
  heard.length = 0
  await send("PATCH", `/folders/${folder}`, { files: { disconnect: [file.id] } })
  expect(heard).toEqual(["files before update folder", "files after update moved"])
})

test("a record that lets go of a deleted one is an update: hooks, revision and change", async () => {
  const folder = await add("folders")
  const file = await add("files", { name: "a", folder })
  const deleted = await add("files", { name: "b", folder })
  await send("DELETE", `/files/${deleted}`)
  await changes()
  heard.length = 0

  expect((await send("DELETE", `/folders/${folder}`)).status).toBe(200)

  expect(heard).toEqual(Array(2).fill(["files before update folder", "files after update moved"]).flat())
  expect(await changes()).toEqual(["files update", "files update", "folders delete"])
  expect([await revisionOf("files", file), await revisionOf("files", deleted)]).toEqual([2, 3])
})

test("hooks of records that a delete takes along run, and a throw keeps everything", async () => {
  const file = await add("files", { name: "a" })
  await add("pages", { text: "one", file })
  const last = await add("pages", { text: "kept", file })
  await send("DELETE", `/files/${file}`)
  heard.length = 0
  await changes()

  const refused = await send("POST", `/files/${file}/purge`)
  expect(refused.status).toBe(409)
  expect(heard).toEqual(["files purge", "pages delete", "pages delete"])
  expect((await app.fetch("/pages")).body.totalDocs).toBe(2)
  expect(await changes()).toEqual([])

  await send("PATCH", `/pages/${last}`, { text: "free" })
  await changes()
  expect((await send("POST", `/files/${file}/purge`)).status).toBe(200)
  expect(await changes()).toEqual(["pages delete", "pages delete", "files purge"])
})

test("a bulk delete does to others what a single one does", async () => {
  const [one, two] = [await add("folders", { name: "x" }), await add("folders", { name: "x" })]
  await add("cards", { text: "a", folder: one })
  await add("cards", { text: "b", folder: two })
  await add("files", { name: "a", folder: two })
  heard.length = 0
  await changes()

  const { body } = await send("POST", "/folders/delete-many", { where: { name: "x" } })

  expect(body).toEqual({ success: true, count: 2 })
  expect(heard.toSorted()).toEqual([
    "cards delete a",
    "cards delete b",
    "files after update moved",
    "files before update folder",
  ])
  expect((await changes()).toSorted()).toEqual([
    "cards delete",
    "cards delete",
    "files update",
    "folders delete",
    "folders delete",
  ])
})

test("records of a circle that leave together are deleted, not changed", async () => {
  const first = await add("links")
  const second = await add("links", { next: first })
  await send("PATCH", `/links/${first}`, { next: second })
  heard.length = 0

  expect((await send("DELETE", `/links/${first}`)).status).toBe(200)

  expect(heard).toEqual(["links delete", "links delete"])
})

test("a revision grows by one with each kind of write, and single answers tell it", async () => {
  const made = await send("POST", "/folders", { name: "x", files: { create: [{ name: "a" }] } })
  const folder = made.body.id
  const file = (await app.fetch("/files")).body.docs[0].id
  const update = { files: { update: [{ id: file, data: { name: "b" } }] } }
  const patched = await send("PATCH", `/folders/${folder}`, update)
  const seen = [made, patched, await app.fetch(`/folders/${folder}?columns[name]=true`)]
  expect(seen.map(({ headers }) => headers.get("x-revision"))).toEqual(["1", "2", "2"])
  expect(await revisionOf("files", file)).toBe(2)

  await send("PATCH", `/folders/${folder}`, { files: [file] })
  expect(await revisionOf("files", file)).toBe(2)
  await send("PATCH", "/files", { where: { name: "b" }, data: { name: "c" } })
  await send("POST", "/files/update-batch", { updates: [{ id: file, data: { name: "d" }, expectedRevision: 3 }] })
  const removed = await send("DELETE", `/files/${file}`)
  const restored = await send("POST", `/files/${file}/restore`)
  expect([removed, restored].map(({ headers }) => headers.get("x-revision"))).toEqual(["5", "6"])
  expect([await revisionOf("folders", folder), await revisionOf("files", file)]).toEqual([3, 6])
})

test("a change of links is a change of the records at both ends", async () => {
  const mark = await add("marks", { name: "m" })
  const folder = await add("folders")
  await changes()

  await send("PATCH", `/folders/${folder}`, { marks: [mark] })
  await send("PATCH", `/marks/${mark}`, { folders: { disconnect: [folder] } })

  expect(await changes()).toEqual(["folders update", "marks update", "marks update", "folders update"])
})

test("a nested write knows the new record, whatever its hooks show of it", async () => {
  const made = await send("POST", "/cards", {
    text: "x",
    stamps: { create: [{ name: "a" }] },
    stamp: { create: { name: "b" } },
  })

  expect(made.status).toBe(201)
  const [card] = (await app.fetch("/cards?with[stamps]=true&with[stamp]=true")).body.docs
  expect(card).toMatchObject({ stamps: [{ shown: "a" }], stamp: { shown: "b" } })
})
