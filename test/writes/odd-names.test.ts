// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// Words that statements use internally, that have a meaning in SQL or JavaScript, or that are types of PostgreSQL.
const NAMES = [
  "page",
  "groups",
  "total",
  "ranked",
  "record",
  "written",
  "old",
  "given",
  "linked",
  "order",
  "then",
  "point",
]

const FIELDS = [
  ...NAMES,
  "value",
  "count",
  "place",
  "rank",
  "id_",
  "image",
  "c0",
  "t0",
  "v0",
  "data",
  "number",
  "table",
  "operation",
  "where",
  "toJSON",
]

const OPEN = { read: true, create: true, update: true, delete: true, restore: true, purge: true } as const

const resources = NAMES.map((name) =>
  collection(name)
    .fields(({ f }) => ({
      ...Object.fromEntries(FIELDS.map((field) => [field, f.text()])),
      kind: f.select(["x", "y"]),
      self: f.relation(name).onDelete("setNull"),
      kids: f.relation(name).hasMany({ via: "self" }),
      friends: f.relation(name).manyToMany({ through: `${name}_friends` }),
    }))
    .access(OPEN)
    .options({ softDelete: true, revision: true, versions: true }),
)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources })
})

afterAll(() => app[Symbol.asyncDispose]())

const VALUES = Object.fromEntries(FIELDS.map((field) => [field, `${field}!`]))

describe.each(NAMES)("a collection called %s", (name) => {
  test("is written, read, counted and grouped like any other, whatever its fields are called", async () => {
    const records = app.client().collections[name]
    const first = await records.create({ ...VALUES, kind: "x" })
    const second = await records.create({ kind: "y", self: first.id, friends: [first.id] })
    await records.create({ friends: { create: [{ kind: "y" }] } })

    await records.updateById({ id: first.id, data: { friends: { set: [second.id] } } })
    await records.updateMany({ where: { kind: "y" }, data: { order: "many" } })
    const changes = [first, second].map(({ id }, index) => ({ id, data: { ...VALUES, order: `batch ${index}` } }))
    await records.updateBatch({ updates: changes })
    await records.deleteById({ id: second.id })
    await records.restoreById({ id: second.id })

    const page = await records.find({ limit: 1, orderBy: { id: "asc" } })
    expect([page.totalDocs, page.docs.length]).toEqual([4, 1])
    expect(page.docs[0]).toMatchObject({ ...VALUES, order: "batch 0" })
    const { groups } = await records.find({ groupBy: "kind", with: { self: true, kids: true } })
    expect(groups.map(({ key, count, docs }: any) => [key, count, docs.length])).toEqual([
      ["x", 1, 1],
      ["y", 2, 2],
      ["__empty", 1, 1],
    ])
    const deep = await records.findOne({
      where: { id: first.id, kids: { some: { record: "record!" } } },
      with: { kids: { with: { self: true } }, friends: { _count: true } },
    })
    expect(deep).toMatchObject({ kids: [{ ...VALUES, order: "batch 1", self: { id: first.id } }], friends: [{}] })
    const versions = await records.findVersions({ id: first.id })
    expect(versions.map((version: any) => version.order)).toEqual(["batch 0", "order!", "order!"])
    expect(await records.revertToVersion({ id: first.id, version: 1 })).toMatchObject(VALUES)
  })
})

test.each(FIELDS)("a field called %s is selected, filtered, sorted and grouped by", async (field) => {
  const records = app.client().collections["groups"]
  const { id } = await records.create({ [field]: `only ${field}` })

  const where = { [field]: { startsWith: "only" } }
  const { docs } = await records.find({ where, orderBy: { [field]: "asc" }, columns: { [field]: true } })
  const grouped = await records.find({ where, groupBy: field })

  expect(docs).toEqual([{ id, [field]: `only ${field}` }])
  expect(await records.findOne({ where: { id }, columns: { [field]: true } })).toEqual(docs[0])
  expect(grouped.groups[0]).toMatchObject({ key: `only ${field}`, docs: [{ id }] })
})
