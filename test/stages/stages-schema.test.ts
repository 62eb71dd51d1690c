// @module-tag not-about-engine

import { type Collection, collection } from "kit"
import { expect, test, vi } from "vitest"
import { EVERYTHING } from "../../packages/kit/src/sql/filter/predicate.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { parseOrder } from "../../packages/kit/src/sql/parse/parse-order.ts"
import { wholeSelection } from "../../packages/kit/src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../packages/kit/src/sql/parse/parse-where.ts"
import { selectPageWithTotal } from "../../packages/kit/src/sql/read/select.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const open = { read: true, create: true, update: true, delete: true, drafts: true } as const
const staged = { workflow: true, versions: true } as const

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

function items(options: object, more: (f: any) => object = () => ({})): Collection<any> {
  return collection("items")
    .fields(({ f }) => ({ name: f.text(), tags: f.relation("tags").manyToMany(), ...more(f) }))
    .options(options)
    .access(open) as unknown as Collection<any>
}

const start = async (database: TestDatabase, source: Collection<any>) => {
  const app = await startOn(database, [source, tags as unknown as Collection<any>])
  return (app.system.collections as Record<string, any>)[source.definition.name]
}

test("records from before are in the initial stage, and stages know fields that come later", async () => {
  const database = await freshDatabase()
  const before = await start(database, items({}))
  const { id } = await before.create({ name: "old" })

  const first = await start(database, items(staged))
  expect(await first.findOne({ where: { id } })).toMatchObject({ stage: "draft", name: "old" })
  await first.transitionStage({ id, stage: "published" })
  const more = await start(
    database,
    items(staged, (f) => ({ size: f.number().integer().required().default(3), slug: f.text().unique() })),
  )

  expect(await more.findOne({ where: { id }, stage: "published" })).toMatchObject({ name: "old", size: 3, slug: null })
  await more.updateById({ id, data: { slug: "a" } })
  await more.transitionStage({ id, stage: "published" })
  expect(await more.findOne({ where: { slug: "a" }, stage: "published" })).toMatchObject({ id })
})

test("stages follow a collection and its fields when they are renamed", async () => {
  const database = await freshDatabase()
  const first = await start(database, items(staged))
  const { id } = await first.create({ name: "kept" })
  await first.transitionStage({ id, stage: "published" })
  const renamed = collection("things")
    .renamedFrom("items")
    .fields(({ f }) => ({ label: f.text().renamedFrom("name") }))
    .options(staged)
    .access(open)

  const things = await start(database, renamed as unknown as Collection<any>)

  expect(await things.findOne({ where: { id }, stage: "published" })).toMatchObject({ label: "kept" })
})

test("links follow a collection that is renamed, at either end of them, and so do those of its copies", async () => {
  const database = await freshDatabase()
  const labels = (name: string, options: object = {}) => {
    const fields = collection(name).fields(({ f }) => ({ name: f.text() }))
    return (name === "labels" ? fields.renamedFrom("tags") : fields).options(options).access(open)
  }
  const makes = (name: string, { target, field }: { target: string; field: string }) => {
    const made = collection(name).fields(({ f }) => ({
      [field]: field === "tags" ? f.relation(target).manyToMany() : f.relation(target).manyToMany().renamedFrom("tags"),
      next: f.relation(name).manyToMany(),
      marks: f.relation(target).manyToMany({ through: "marking" }),
    }))
    return (name === "items" ? made : made.renamedFrom("items")).options(staged).access(open)
  }
  const open1 = (...sources: unknown[]) => startOn(database, sources as Collection<any>[])
  const first = await open1(makes("items", { target: "tags", field: "tags" }), labels("tags"))
  const { items: old, tags: oldTags } = first.system.collections as Record<string, any>
  const tag = await oldTags.create({ name: "a" })
  const other = await old.create({})
  const { id } = await old.create({ ...{ tags: { connect: [tag.id] }, next: { connect: [other.id] } } })
  await old.updateById({ id, data: { marks: { connect: [tag.id] } } })
  for (const each of [other.id, id]) await old.transitionStage({ id: each, stage: "published" })
  await old.updateById({ id, data: { tags: { set: [] }, marks: { set: [] } } })

  const seen = async (records: any, field: string, stage?: string) => {
    const found = await records.findOne({ where: { id }, with: { [field]: true, next: true, marks: true }, stage })
    return [field, "next", "marks"].map((name) => found[name].map((each: any) => each.id))
  }
  const second = await open1(makes("things", { target: "tags", field: "tags" }), labels("tags"))
  const { things } = second.system.collections as Record<string, any>
  expect(await seen(things, "tags")).toEqual([[], [other.id], []])
  expect(await seen(things, "tags", "published")).toEqual([[tag.id], [other.id], [tag.id]])
  expect(second.syncReport).toMatchObject({ kept: [], createdTables: [] })
  const third = await open1(makes("things", { target: "labels", field: "labels" }), labels("labels"))
  const { things: now } = third.system.collections as Record<string, any>
  expect(await seen(now, "labels", "published")).toEqual([[tag.id], [other.id], [tag.id]])
  expect(third.syncReport).toMatchObject({ kept: [], createdTables: [] })
  await now.updateById({ id, data: { labels: { connect: [tag.id] }, marks: { connect: [tag.id] } } })
  expect(await seen(now, "labels")).toEqual([[tag.id], [other.id], [tag.id]])
})

test("a move that waits follows a collection that is renamed, and ends with one that is gone", async () => {
  const database = await freshDatabase()
  const named = (name: string, was?: string) => {
    const made = collection(name).fields(({ f }) => ({ name: f.text() }))
    return (was === undefined ? made : made.renamedFrom(was)).options(staged).access(open)
  }
  const plan = named("plans")
  const first = await startOn(database, [named("items"), plan] as unknown as Collection<any>[])
  const { items, plans } = first.system.collections as Record<string, any>
  const scheduledAt = new Date(Date.now() + 3_600_000)
  const { id } = await items.create({ name: "later" })
  await items.transitionStage({ id, stage: "published", scheduledAt })
  await plans.transitionStage({ id: (await plans.create({ name: "never" })).id, stage: "published", scheduledAt })

  const logged: string[] = []
  const logger = { info: () => {}, warn: (message: string) => void logged.push(message), error: console.error }
  const second = await startOn(database, [named("things", "items")] as unknown as Collection<any>[], { logger })
  const { things } = second.system.collections as Record<string, any>
  await database.query("update _kit_jobs set run_at = now()")
  await second.startWorker()

  const left = async () => database.query("select state from _kit_jobs where name = 'kit.transition'")
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 60_000 })
  expect(await things.findOne({ where: { id }, stage: "published" })).toMatchObject({ name: "later" })
  expect(logged).toContain("A pending transition was dropped: its collection is no longer declared.")
})

test("a stage that comes back after a while shows no record that was deleted meanwhile, and nothing that is gone", async () => {
  const database = await freshDatabase()
  const authors = collection("authors")
    .fields(({ f }) => ({ name: f.text() }))
    .access(open) as unknown as Collection<any>
  const open1 = async (options: object) => {
    const source = items({ softDelete: true, ...options }, (f) => ({
      author: f.relation("authors").onDelete("setNull"),
    }))
    const app = await startOn(database, [source, authors, tags as unknown as Collection<any>])
    return app.system.collections as Record<string, any>
  }
  const first = await open1({ workflow: true })
  const [tag, author] = [await first["tags"].create({ name: "t" }), await first["authors"].create({ name: "a" })]
  const ids: string[] = []
  for (const name of ["purged", "deleted", "kept"]) {
    const { id } = await first["items"].create({ name, author: author.id, tags: { connect: [tag.id] } })
    await first["items"].transitionStage({ id, stage: "published" })
    ids.push(id)
  }
  const between = await open1({})
  await between["items"].deleteMany({ where: { name: { in: ["purged", "deleted"] } } })
  await between["items"].purgeById({ id: ids[0] })
  await between["tags"].deleteById({ id: tag.id })
  await between["authors"].deleteById({ id: author.id })

  const last = await open1({ workflow: true })

  const { docs } = await last["items"].find({ stage: "published", with: { tags: true } })
  expect(docs).toMatchObject([{ id: ids[2], name: "kept", author: null, tags: [] }])
  await last["items"].restoreById({ id: ids[1] })
  expect(await last["items"].count({ stage: "published" })).toBe(2)
})

test.each([
  [{ workflow: "yes" }, 'the option "workflow" must be true, or an object'],
  [{ workflow: { stages: { draft: {} } } }, 'the option "workflow" needs at least two stages.'],
  [{ workflow: { stages: { draft: {}, live: {} } } }, 'names the stage "published", which does not exist.'],
  [
    { workflow: { stages: { draft: {}, published: { to: ["drat"] } } } },
    'names the stage "drat", which does not exist.',
  ],
  [{ workflow: { stages: { draft: {}, published: {} }, initial: "published" } }, "makes the initial stage public"],
  [{ workflow: { stages: { draft: {}, "no name": {} }, public: "no name" } }, "is not a name"],
  [
    { workflow: { stages: { draft: [], published: {} } } },
    'the stage "draft" of the option "workflow" must be an object',
  ],
  [{ workflow: { stages: { draft: {}, published: {} }, inital: "draft" } }, 'the option "workflow" has no "inital".'],
])("the option %o is refused", async (options, message) => {
  const database = await freshDatabase()

  await expect(startOn(database, [items(options)])).rejects.toThrow(message)
})

test("only the newest version of a stage outlives its time", async () => {
  const database = await freshDatabase()
  const pruned = await start(database, items({ workflow: true, versions: { max: 2 } }))
  const { id } = await pruned.create({ name: "0" })
  await pruned.transitionStage({ id, stage: "published" })
  for (const name of ["1", "2", "3"]) await pruned.updateById({ id, data: { name } })
  const kept = async () => (await pruned.findVersions({ id })).map((each: any) => each.versionNumber)

  expect(await kept()).toEqual([5, 4, 2])
  await pruned.transitionStage({ id, stage: "published" })
  expect(await kept()).toEqual([6, 5])
  await expect(pruned.revertToVersion({ id, version: 2 })).rejects.toMatchObject({ code: "NOT_FOUND" })
  await pruned.updateById({ id, data: { name: "4" } })
  expect(await kept()).toEqual([7, 6])
})

test("two stages with long names that begin alike have tables and indexes of their own", async () => {
  const database = await freshDatabase()
  const long = "s".repeat(62)
  const stages = { draft: {}, [`${long}A`]: {}, [`${long}B`]: {} }
  const name = `items${"x".repeat(58)}`
  const source = collection(name)
    .fields(({ f }) => ({ name: f.text().unique(), tags: f.relation("tags").manyToMany() }))
    .options({ workflow: { stages, public: `${long}A` } })
    .access(open)
  const records = await start(database, source as unknown as Collection<any>)
  const { id } = await records.create({ name: "first", tags: { create: [{ name: "t" }] } })
  await records.transitionStage({ id, stage: `${long}A` })
  await records.updateById({ id, data: { name: "second", tags: { set: [] } } })
  await records.transitionStage({ id, stage: `${long}B` })

  const seen = (stage: string) => records.findOne({ where: { id }, stage, with: { tags: true } })
  expect(await seen(`${long}A`)).toMatchObject({ name: "first", tags: [{ name: "t" }] })
  expect(await seen(`${long}B`)).toMatchObject({ name: "second", tags: [] })
})

test("a record in a stage that was taken away can be moved on as one in the initial stage", async () => {
  const database = await freshDatabase()
  const stages = { draft: { to: ["review"] }, review: {}, published: {} }
  const first = await start(database, items({ workflow: { stages } }))
  const { id } = await first.create({ name: "stuck" })
  await first.transitionStage({ id, stage: "review" })
  const left = { draft: { to: ["published"] }, published: {} }

  const second = await start(database, items({ workflow: { stages: left } }))
  expect(await second.transitionStage({ id, stage: "published" })).toMatchObject({ stage: "published" })
  await second.deleteById({ id })
  expect(await second.count()).toBe(0)
})

test("a list of what is published is read by the indexes of its stage", async () => {
  const database = await freshDatabase()
  const source = items(staged, (f) => ({
    kind: f.text().index(),
    size: f.number().integer().index(),
    code: f.text().unique(),
  }))
  const { schema } = await startOn(database, [source, tags as unknown as Collection<any>])
  const columns = `id, name, kind, size, code, stage, "createdAt", "updatedAt"`
  await database.query(`insert into items (${columns})
    select gen_random_uuid(), 'n', 'k' || i % 900, i, 'c' || i, 'published', now(), now() from generate_series(1, 9000) i`)
  await database.query(`insert into "items.stage.published" (${columns}) select ${columns} from items`)
  await database.query(`analyze items; analyze "items.stage.published"`)
  const resource = schema.inStages(new Map([["items", "published"]])).collections.get("items")
  if (resource === undefined) throw new Error("There is no such collection.")
  const reading = typedParseContext(EVERYTHING)
  const plan = async (where: object, orderBy: object) => {
    const { text, values } = selectPageWithTotal({
      ...{ selection: wholeSelection(resource, reading), predicate: parseWhere(resource, where, reading) },
      ...{ order: parseOrder(resource, orderBy, reading), window: { limit: 10, offset: 0 }, visibility: EVERYTHING },
    })
    const rows = await database.query(`explain ${text}`, [...values])
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  }

  expect(await plan({ kind: "k7" }, { size: "asc" })).toContain("items.stage.published.kind.index")
  expect(await plan({ code: "c7" }, { size: "asc" })).toContain("items.stage.published.code.unique")
  expect(await plan({ size: { between: [5, 9] } }, { name: "asc" })).toContain("items.stage.published.size.index")
})
