// @module-tag not-about-engine

import { type Collection, collection, global } from "kit"
import { describe, expect, test } from "vitest"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type Declare = (f: any) => Record<string, any>

describe("a rename", () => {
  test("of a field keeps its values, its uniqueness and its index, and happens once", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ code: f.text().required().unique() }))])
    await first.system.collections["items"]?.create({ code: "x" })
    const renamed = items((f) => ({ key: f.text().required().unique().renamedFrom("code") }))

    const second = await startOn(database, [renamed])
    const third = await startOn(database, [renamed])

    expect(second.syncReport).toMatchObject({
      changes: ['rename column "items.code" to "key"'],
      addedColumns: [],
      kept: [],
    })
    expect(third.syncReport).toMatchObject({ changes: [], liftedConstraints: [] })
    expect(await third.system.collections["items"]?.find()).toMatchObject({ docs: [{ key: "x" }] })
    await expect(third.system.collections["items"]?.create({ key: "x" })).rejects.toMatchObject({ code: "CONFLICT" })
  })

  test("of a collection keeps its records, and the relations to it", async () => {
    const database = await freshDatabase()
    const notes = (target: string) => collection("notes").fields(({ f }) => ({ item: f.relation(target) }))
    const first = await startOn(database, [items((f) => ({ name: f.text() })), notes("items")])
    const item = await first.system.collections["items"]?.create({ name: "a" })
    await first.system.collections["notes"]?.create({ item: item?.["id"] })
    const things = collection("things")
      .fields(({ f }) => ({ name: f.text() }))
      .renamedFrom("items")

    const second = await startOn(database, [things, notes("things")])

    expect(second.syncReport).toMatchObject({ createdTables: [], changes: ['rename table "items" to "things"'] })
    expect(await second.system.collections["things"]?.findOne()).toEqual(item)
    const deleted = second.system.collections["things"]?.deleteById({ id: String(item?.["id"]) })
    await expect(deleted).rejects.toMatchObject({ code: "CONFLICT" })
  })

  test("of a global keeps its record", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [global("site").fields(({ f }) => ({ name: f.text() }))])
    await first.system.globals["site"]?.update({ name: "News" })

    const renamed = global("home")
      .fields(({ f }) => ({ title: f.text().renamedFrom("name") }))
      .renamedFrom("site")
    const second = await startOn(database, [renamed])

    expect(await second.system.globals["home"]?.get()).toMatchObject({ title: "News" })
  })

  test.each([
    [
      "a field that is there",
      (f: any) => ({ a: f.text(), b: f.text().renamedFrom("a") }),
      'renamed from "a", which still exists',
    ],
    ["a name twice", (f: any) => ({ a: f.text().renamedFrom("c"), b: f.text().renamedFrom("c") }), 'renamed from "c"'],
    ["a name of the server", (f: any) => ({ a: f.text().renamedFrom("createdAt") }), "is reserved by the server"],
  ])("from %s stops the start", async (_name, declare, message) => {
    const database = await freshDatabase()

    await expect(startOn(database, [items(declare)])).rejects.toThrow(message)
  })

  test("from a collection that is there stops the start", async () => {
    const database = await freshDatabase()
    const one = items((f) => ({ a: f.text() }))

    const started = startOn(database, [
      one,
      collection("things")
        .fields(({ f }) => ({ a: f.text() }))
        .renamedFrom("items"),
    ])

    await expect(started).rejects.toThrow('.renamedFrom("items") names a collection that still exists')
  })
})

describe("what is declared no more", () => {
  test("is kept and reported once, a column and a whole table", async () => {
    const database = await freshDatabase()
    const people = collection("people").fields(({ f }) => ({ name: f.text() }))
    const owned = collection("owned").fields(({ f }) => ({ owner: f.relation("people") }))
    const first = await startOn(database, [items((f) => ({ a: f.text(), b: f.text().required() })), people, owned])
    await first.system.collections["items"]?.create({ a: "1", b: "2" })
    const ann = await first.system.collections["people"]?.create({ name: "Ann" })
    await first.system.collections["owned"]?.create({ owner: ann?.["id"] })
    const fewer = [items((f) => ({ a: f.text() })), people]

    const second = await startOn(database, fewer)
    const third = await startOn(database, fewer)
    await third.system.collections["items"]?.create({ a: "3" })
    await third.system.collections["people"]?.deleteById({ id: String(ann?.["id"]) })

    expect(second.syncReport.kept).toEqual(["items.b", "owned"])
    expect(third.syncReport.kept).toEqual([])
    expect(await database.query("select a, b from items order by a")).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: null },
    ])
    expect(await database.query("select count(*)::int as count from owned")).toEqual([{ count: 1 }])
  })
})

describe("a type", () => {
  test.each([
    ["a wider number", (f: any) => f.number().integer(), (f: any) => f.number().bigint(), 7, 7n],
    ["a decimal", (f: any) => f.number().integer(), (f: any) => f.number().decimal(5, 2), 7, "7.00"],
    ["a double", (f: any) => f.number().bigint(), (f: any) => f.number(), 7n, 7],
    ["text", (f: any) => f.boolean(), (f: any) => f.text(), true, "true"],
  ])("that became %s keeps its values", async (_name, declared, changed, given, expected) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ a: declared(f) }))])
    await first.system.collections["items"]?.create({ a: given })

    const second = await startOn(database, [items((f) => ({ a: changed(f) }))])

    expect(second.syncReport.changes).toHaveLength(1)
    expect(await second.system.collections["items"]?.findOne()).toMatchObject({ a: expected })
  })

  test.each([
    ["would be rounded", (f: any) => f.number().bigint(), (f: any) => f.number(), 2n ** 53n + 1n],
    ["are too large", (f: any) => f.number().integer(), (f: any) => f.number().decimal(5, 2), 100_000],
  ])("whose values %s is refused", async (_name, declared, changed, given) => {
    const database = await freshDatabase()
    const first = await startOn(database, [items((f) => ({ a: declared(f) }))])
    await first.system.collections["items"]?.create({ a: given })

    const second = startOn(database, [items((f) => ({ a: changed(f) }))])

    await expect(second).rejects.toThrow('Not all values of "a" of "items" fit into')
    const again = await startOn(database, [items((f) => ({ a: declared(f) }))])
    expect(await again.system.collections["items"]?.findOne()).toMatchObject({ a: given })
  })
})

test("a collection with records cannot become one of files, and is told where the files could go", async () => {
  const database = await freshDatabase()
  const first = await startOn(database, [items((f) => ({ a: f.text() }))])
  const created = await first.system.collections["items"]?.create({ a: "x" })
  const files = items((f) => ({ a: f.text() })).upload()

  await expect(startOn(database, [files])).rejects.toThrow(
    '"items" has become a collection of files by .upload(), but has records without a file. Records without a file: 1. ' +
      'Make another collection for the files and point to it with f.upload("…"), or delete those records.',
  )
  await first.system.collections["items"]?.deleteById({ id: String(created?.["id"]) })
  const second = await startOn(database, [files])

  expect(second.syncReport.addedColumns).toContain("items.key")
})

function items(declare: Declare): Collection<any> {
  return collection("items").fields(({ f }) => declare(f))
}

describe("an end of soft delete", () => {
  const kept = () => items((f) => ({ name: f.text() })).options({ softDelete: true })
  const ended = () => items((f) => ({ name: f.text() }))

  test("is refused while deleted records are kept and would be there again", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [kept()])
    const item = await first.system.collections["items"]?.create({ name: "gone" })
    await first.system.collections["items"]?.deleteById({ id: String(item?.["id"]) })

    await expect(startOn(database, [ended()])).rejects.toThrow(
      'Without softDelete, the deleted records of "items" would reappear. Deleted records: 1. Restore or purge them first, or keep the option.',
    )
    const again = await startOn(database, [kept()])

    expect(await again.system.collections["items"]?.count()).toBe(0)
  })

  test("happens where there are none, and the way back too", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [kept()])
    await first.system.collections["items"]?.create({ name: "there" })

    await startOn(database, [ended()])
    const last = await startOn(database, [kept()])

    expect(await last.system.collections["items"]?.find()).toMatchObject({ docs: [{ name: "there", deletedAt: null }] })
  })
})
