// @module-tag not-about-engine

import { type Collection, collection, global } from "kit"
import { describe, expect, test } from "vitest"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type Declare = (f: any) => Record<string, any>

const WORKFLOW = { stages: { draft: { to: ["published"] }, published: { to: ["draft"] } } }

describe("a field that got a new name without .renamedFrom()", () => {
  test("is proposed as a rename, and takes its values over when the old name is declared", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ title: f.text().unique(), size: f.number() }))])
    for (const title of ["a", "b"]) await first.system.collections["items"]?.create({ title })
    const second = await startOn(database, [items((f) => ({ heading: f.text().unique(), size: f.number() }))])
    await second.system.collections["items"]?.create({ size: 1 })
    const renamed = [items((f) => ({ heading: f.text().unique().renamedFrom("title"), size: f.number() }))]

    const third = await startOn(database, renamed)
    const fourth = await startOn(database, renamed)

    expect(second.syncReport.warnings).toEqual([
      'items.heading is new and items.title is left over: if this is a rename, write .renamedFrom("title") on the field.',
    ])
    expect(third.syncReport).toMatchObject({ changes: ['rename column "items.title" to "heading"'], warnings: [] })
    expect(fourth.syncReport).toMatchObject({ changes: [], warnings: [], liftedConstraints: [] })
    const { docs = [] } = (await fourth.system.collections["items"]?.find({ orderBy: { heading: "asc" } })) ?? {}
    expect(docs.map(({ heading }) => heading)).toEqual(["a", "b", null])
    await expect(fourth.system.collections["items"]?.create({ heading: "a" })).rejects.toMatchObject({
      code: "CONFLICT",
    })
    expect(await columnsOf(database)).not.toContain("title")
  })

  test("is proposed with each new field of the same type, and not with others", async () => {
    const database = await freshDatabase()
    await startOn(database, [items((f) => ({ title: f.text(), size: f.number(), gone: f.boolean() }))])

    const second = await startOn(database, [items((f) => ({ a: f.text(), b: f.text(), at: f.date() }))])

    expect(second.syncReport.warnings).toEqual([
      'items.a, items.b are new and items.title is left over: if one of them is its new name, write .renamedFrom("title") on the field.',
    ])
  })

  test("is proposed where the new name is refused, because it is required", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ title: f.text().required() }))])
    await first.system.collections["items"]?.create({ title: "a" })

    const second = startOn(database, [items((f) => ({ heading: f.text().required() }))])

    await expect(second).rejects.toThrow("Records without it: 1.")
    await expect(second).rejects.toThrow('write .renamedFrom("title") on the field.')
  })

  test("takes its values over if the new column has only its default, with locales, stage copies and versions", async () => {
    const database = await freshDatabase()
    const staged = (declare: Declare) => items(declare).options({ workflow: WORKFLOW, versions: true })
    const first = await startOn(database, [staged((f) => ({ title: f.text().localized() }))])
    const { id = "" } = (await first.system.collections["items"]?.create({ title: "a" })) ?? {}
    await first.system.collections["items"]?.transitionStage({ id: String(id), stage: "published" })
    const heading = (f: any) => f.text().localized().required().default("none")
    await startOn(database, [staged((f) => ({ heading: heading(f) }))])

    const third = await startOn(database, [staged((f) => ({ heading: heading(f).renamedFrom("title") }))])

    expect(third.syncReport.warnings).toEqual([])
    expect(await third.system.collections["items"]?.findOne()).toMatchObject({ heading: "a" })
    const rows = await database.query('select heading from "items.stage.published"')
    expect(rows).toEqual([{ heading: { en: "a" } }])
    const versions = await database.query(`select data->'heading' as heading from "_kit_versions"`)
    expect(versions).toEqual([{ heading: { en: "a" } }, { heading: { en: "a" } }])
  })

  test("keeps both columns if the new one has values of its own, and says what to do", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ title: f.text() }))])
    await first.system.collections["items"]?.create({ title: "a" })
    const second = await startOn(database, [items((f) => ({ heading: f.text() }))])
    await second.system.collections["items"]?.create({ heading: "b" })

    const third = await startOn(database, [items((f) => ({ heading: f.text().renamedFrom("title") }))])

    expect(third.syncReport).toMatchObject({ changes: [] })
    expect(third.syncReport.warnings).toEqual([
      "items.heading cannot be renamed from items.title: both have values (1 and 1). " +
        'Copy those that you need (update "items" set "heading" = "title"), drop the old column ' +
        '(alter table "items" drop column "title"), and remove .renamedFrom("title").',
    ])
    expect(await database.query("select title, heading from items order by title")).toEqual([
      { title: "a", heading: null },
      { title: null, heading: "b" },
    ])
  })
})

describe("a collection that got a new name without .renamedFrom()", () => {
  const fields: Declare = (f) => ({ name: f.text(), kin: f.relation("notes").manyToMany() })
  const named = (name: string) =>
    collection(name)
      .fields(({ f }) => fields(f))
      .options({ workflow: WORKFLOW, versions: true })
  const notes = (target: string) => collection("notes").fields(({ f }) => ({ about: f.relation(target) }))

  test("takes its records over while the new one is empty, with stage copies, links, versions and relations", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [named("items"), notes("items")])
    const { id = "" } = (await first.system.collections["items"]?.create({ name: "a" })) ?? {}
    const note = await first.system.collections["notes"]?.create({ about: id })
    await first.system.collections["items"]?.updateById({ id: String(id), data: { kin: { connect: [note?.["id"]] } } })
    await first.system.collections["items"]?.transitionStage({ id: String(id), stage: "published" })
    await database.query("update notes set about = null")
    const second = await startOn(database, [named("things"), notes("things")])

    const third = await startOn(database, [named("things").renamedFrom("items"), notes("things")])

    expect(second.syncReport.warnings).toContain(
      'things is new and items is left over: if this is a rename, write .renamedFrom("items") on the collection.',
    )
    expect(third.syncReport.warnings).toEqual([])
    const things = third.system.collections["things"]
    expect(await things?.findOne({ with: { kin: true }, stage: "published" })).toMatchObject({
      name: "a",
      kin: [{ id: note?.["id"] }],
    })
    expect(await things?.findVersions({ id: String(id) })).toHaveLength(3)
    await third.system.collections["notes"]?.updateById({ id: String(note?.["id"]), data: { about: id } })
    await expect(things?.deleteById({ id: String(id) })).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await database.query("select to_regclass('items')::text as items")).toEqual([{ items: null }])
  })

  test("is proposed where a relation to the new one is refused, because its values point to the old one", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [named("items"), notes("items")])
    const item = await first.system.collections["items"]?.create({ name: "a" })
    await first.system.collections["notes"]?.create({ about: item?.["id"] })

    const second = startOn(database, [named("things"), notes("things")])

    await expect(second).rejects.toThrow('The field "about" of "notes" points to "things"')
    await expect(second).rejects.toThrow('write .renamedFrom("items") on the collection.')
  })

  test("stays as it is if the new one has records, and says what to do", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ name: f.text() }))])
    for (const name of ["a", "b"]) await first.system.collections["items"]?.create({ name })
    const things = collection("things").fields(({ f }) => ({ name: f.text() }))
    const second = await startOn(database, [things])
    await second.system.collections["things"]?.create({ name: "c" })

    const third = await startOn(database, [things.renamedFrom("items")])

    expect(third.syncReport.warnings).toEqual([
      "things cannot be renamed from items: both have records (1 and 2). " +
        "Delete those of things, or copy those of items yourself, drop that table, and remove .renamedFrom(…).",
    ])
    expect(await third.system.collections["things"]?.count()).toBe(1)
  })

  test("or a global takes its record over", async () => {
    const database = await freshDatabase()
    const site = (name: string) => global(name).fields(({ f }) => ({ name: f.text() }))
    const first = await startOn(database, [site("site")])
    await first.system.globals["site"]?.update({ name: "News" })
    const second = await startOn(database, [site("home")])

    const third = await startOn(database, [site("home").renamedFrom("site")])

    expect(second.syncReport.warnings).toEqual([
      'global_home is new and global_site is left over: if this is a rename, write .renamedFrom("site") on the global.',
    ])
    expect(await third.system.globals["home"]?.get()).toMatchObject({ name: "News" })
  })
})

function items(declare: Declare): Collection<any> {
  return collection("items").fields(({ f }) => declare(f))
}

async function columnsOf(database: Awaited<ReturnType<typeof freshDatabase>>): Promise<unknown[]> {
  const rows = await database.query("select column_name from information_schema.columns where table_name = 'items'")
  return rows.map((row) => row["column_name"])
}
