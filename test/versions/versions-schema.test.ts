// @module-tag not-about-engine

import { type Collection, collection, type KitConfig } from "kit"
import { expect, test } from "vitest"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type Declare = (f: any) => Record<string, any>

const open = { read: true, create: true, update: true, delete: true } as const
const locales: NonNullable<KitConfig["locales"]> = { default: "en", all: ["en", "sk"] }

function items(declare: Declare, options: object = { versions: true }, name = "items"): Collection<any> {
  return collection(name)
    .fields(({ f }) => declare(f))
    .options(options)
    .access(open)
}

const start = async (database: TestDatabase, source: Collection<any>, config?: KitConfig) => {
  const app = await startOn(database, [source], config)
  return (app.system.collections as Record<string, any>)[source.definition.name]
}

const FIELDS: Declare = (f) => ({
  name: f.text(),
  size: f.number().bigint(),
  sums: f.array(f.number().bigint()),
  at: f.datetime(),
  extra: f.text(),
})

const DATA = { name: "a", size: 2n ** 60n, sums: [2n ** 60n + 1n], at: new Date(5), extra: "gone" }

async function withHistory(database: TestDatabase): Promise<string> {
  const before = await start(database, items(FIELDS))
  const { id } = await before.create(DATA)
  await before.updateById({ id, data: { name: null, size: null, sums: null, at: null } })
  return id
}

test("versions follow a collection and its fields when they are renamed", async () => {
  const database = await freshDatabase()
  const id = await withHistory(database)
  const renamed = collection("things")
    .renamedFrom("items")
    .fields(({ f }) => ({
      label: f.text().renamedFrom("name"),
      size: f.number().bigint(),
      sums: f.array(f.number().bigint()),
      at: f.datetime(),
      extra: f.text(),
      added: f.text().required().default("new"),
    }))
    .options({ versions: true })
    .access(open)

  const things = await start(database, renamed as unknown as Collection<any>)
  const versions = await things.findVersions({ id })
  const reverted = await things.revertToVersion({ id, version: 1 })

  expect(versions).toMatchObject([{ label: null }, { label: "a", size: 2n ** 60n, added: null }])
  expect(reverted).toMatchObject({ label: "a", size: 2n ** 60n, sums: [2n ** 60n + 1n], added: "new" })
})

test("versions of a field that becomes localized are those of the default locale", async () => {
  const database = await freshDatabase()
  const id = await withHistory(database)

  const localized = await start(
    database,
    items((f) => ({
      name: f.text().localized(),
      size: f.number().bigint().localized(),
      sums: f.array(f.number().bigint()).localized(),
      at: f.datetime().localized(),
      extra: f.text(),
    })),
    { locales },
  )
  await localized.updateById({ id, data: { name: "slovak" } }, { locale: "sk" })
  const versions = await localized.findVersions({ id }, { locale: "*" })
  const shown = await localized.findVersions({ id, limit: 1 }, { locale: "sk" })
  const reverted = await localized.revertToVersion({ id, version: 1 }, { locale: "sk" })

  const { extra: _extra, ...values } = DATA
  const inEnglish = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { en: value }]))
  expect(versions.map((each: any) => each.name)).toEqual([{ sk: "slovak" }, null, { en: "a" }])
  expect(versions[2]).toMatchObject(inEnglish)
  expect(shown[0].name).toBe("slovak")
  expect(reverted).toMatchObject(values)
  expect(await localized.findOne({ where: { id }, locale: "*" })).toMatchObject(inEnglish)
})

test("a column that is gone is in no version; one that a sync keeps comes back with its history", async () => {
  const database = await freshDatabase()
  const id = await withHistory(database)
  const without = await start(
    database,
    items((f) => ({ name: f.text(), size: f.number().bigint(), sums: f.array(f.number().bigint()), at: f.datetime() })),
  )
  const [newest] = await without.findVersions({ id })
  await without.updateById({ id, data: { name: "between" } })

  const again = await start(database, items(FIELDS))

  expect(Object.keys(newest)).not.toContain("extra")
  expect((await again.findVersions({ id })).map((each: any) => each.extra)).toEqual([null, "gone", "gone"])
})

test("versions are read by a wider type, and a type that is too short for them is refused", async () => {
  const database = await freshDatabase()
  const before = await start(
    database,
    items((f) => ({ count: f.number().integer() })),
  )
  const { id } = await before.create({ count: 123_456 })
  await before.updateById({ id, data: { count: null } })
  const decimal = (precision: number) => items((f) => ({ count: f.number().decimal(precision, 2) }))

  await expect(startOn(database, [decimal(6)])).rejects.toThrow('Not all values of "count" of "items" fit')
  const wider = await start(database, decimal(8))

  expect((await wider.findVersions({ id })).map((each: any) => each.count)).toEqual([null, "123456.00"])
  expect(await wider.revertToVersion({ id, version: 1 })).toMatchObject({ count: "123456.00" })
})

test("records from before have no version until their next write, and counting goes on after a time without", async () => {
  const database = await freshDatabase()
  const fields: Declare = (f) => ({ name: f.text() })
  const before = await start(database, items(fields, {}))
  const { id } = await before.create({ name: "old" })

  const versioned = await start(database, items(fields))
  expect(await versioned.findVersions({ id })).toEqual([])
  await versioned.updateById({ id, data: { name: "one" } })
  const between = await start(database, items(fields, {}))
  await between.updateById({ id, data: { name: "unseen" } })
  const { id: made } = await between.create({ name: "made between" })
  const again = await start(database, items(fields))
  await again.updateById({ id, data: { name: "two" } })
  await again.updateById({ id: made, data: { name: "changed" } })

  const told = (versions: any[]) => versions.map((each) => [each.versionNumber, each.versionOperation, each.name])
  expect(told(await again.findVersions({ id }))).toEqual([
    [2, "update", "two"],
    [1, "update", "one"],
  ])
  expect(told(await again.findVersions({ id: made }))).toEqual([[1, "update", "changed"]])
})

test("a record with the id of one that was deleted without versions does not get its history", async () => {
  const database = await freshDatabase()
  const fields: Declare = (f) => ({ name: f.text() })
  const first = await start(database, items(fields, { id: "client", versions: true }))
  await first.create({ id: "a", name: "old" })
  await first.updateById({ id: "a", data: { name: "older" } })
  const [, old] = await first.findVersions({ id: "a" })
  const without = await start(database, items(fields, { id: "client" }))
  await without.deleteById({ id: "a" })

  const again = await start(database, items(fields, { id: "client", versions: true }))
  await again.create({ id: "a", name: "new" })

  const told = (await again.findVersions({ id: "a" })).map((each: any) => [each.versionNumber, each.name])
  expect(told).toEqual([[1, "new"]])
  await expect(again.revertToVersion({ id: "a", versionId: old.versionId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })
})

test.each([
  [{ versions: "yes" }, 'the option "versions" must be true, false or an object such as { max: 50 }.'],
  [{ versions: { max: 0 } }, 'the option "versions" has a "max" that is not a whole number from 1 to 1000000.'],
  [{ versions: { keep: 3 } }, 'the option "versions" has no "keep". It takes { max: 50 }.'],
])("the option %o is refused", async (options, message) => {
  const database = await freshDatabase()
  const started = startOn(database, [items((f) => ({ name: f.text() }), options)])

  await expect(started).rejects.toThrow(message)
})

test("versions follow a decimal that gets more digits", async () => {
  const database = await freshDatabase()
  const before = await start(
    database,
    items((f) => ({ price: f.number().decimal(10, 2) })),
  )
  const { id } = await before.create({ price: "99999999.99" })
  await before.updateById({ id, data: { price: null } })

  const wider = await start(
    database,
    items((f) => ({ price: f.number().decimal(12, 4) })),
  )
  const reverted = await wider.revertToVersion({ id, version: 1 })

  expect(await wider.findVersions({ id })).toMatchObject([{}, { price: null }, { price: "99999999.9900" }])
  expect(reverted).toMatchObject({ price: "99999999.9900" })
})
