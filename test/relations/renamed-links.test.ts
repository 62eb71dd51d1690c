import { type App, type Collection, collection } from "kit"
import { describe, expect, test } from "vitest"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

interface Names {
  /** The name of the collection with the links, and its former name. */
  readonly items?: readonly [string, string?]
  readonly tags?: readonly [string, string?]
  /** The name of the relation, and its former name. */
  readonly marks?: readonly [string, string?]
  readonly kin?: readonly [string, string?]
  readonly through?: string
}

const OPTIONS = { workflow: true, versions: true } as const

function schemaOf({ items = ["items"], tags = ["tags"], marks = ["marks"], kin = ["kin"], through }: Names) {
  const way = through === undefined ? {} : { through }
  const renamed = (field: any, before: string | undefined) => (before === undefined ? field : field.renamedFrom(before))
  const fields = ({ f }: any) => ({
    name: f.text(),
    [marks[0]]: renamed(f.relation(tags[0]).manyToMany(way), marks[1]),
    [kin[0]]: renamed(f.relation(items[0]).manyToMany(), kin[1]),
  })
  const tagFields = ({ f }: any) => ({
    name: f.text(),
    ...(through !== undefined && { items: f.relation(items[0]).manyToMany(way) }),
  })
  const [one, other] = [collection(items[0]).fields(fields).options(OPTIONS), collection(tags[0]).fields(tagFields)]
  return [renamed(one, items[1]), renamed(other, tags[1])] as Collection<any>[]
}

const start = (database: TestDatabase, names: Names) => startOn(database, schemaOf(names))
const of = (app: App, name: string) => (app.system.collections as Record<string, any>)[name]

/** Creates a record with links and publishes it; its last version has one link fewer. */
async function withLinks(database: TestDatabase, names: Names): Promise<string> {
  const app = await start(database, names)
  const items = of(app, "items")
  const b = await items.create({ name: "b" })
  const a = await items.create({ name: "a", marks: { create: [{ name: "x" }, { name: "y" }] }, kin: [b.id] })
  for (const { id } of [b, a]) await items.transitionStage({ id, stage: "published" })
  const { docs } = await of(app, "tags").find({ where: { name: "y" } })
  await items.updateById({ id: a.id, data: { marks: { disconnect: [docs[0].id] } } })
  return a.id
}

/** Returns the links of the record: now, as published, and after a revert to its first version. */
async function linksOf(app: App, id: string, { items = ["items"], marks = ["marks"], kin = ["kin"] }: Names) {
  const records = of(app, items[0])
  const read = async (options: object) => {
    const found = await records.findOne({ where: { id }, with: { [marks[0]]: true, [kin[0]]: true }, ...options })
    const names = (list: { name: string }[]) => list.map(({ name }) => name).sort()
    return { marks: names(found[marks[0]]), kin: names(found[kin[0]]) }
  }
  const before = { now: await read({}), published: await read({ stage: "published" }) }
  await records.revertToVersion({ id, version: 1 })
  return { ...before, reverted: await read({}) }
}

const ALL = {
  now: { marks: ["x"], kin: ["b"] },
  published: { marks: ["x", "y"], kin: ["b"] },
  reverted: { marks: ["x", "y"], kin: ["b"] },
}

describe("the links of a relation to many records follow", () => {
  test.each<[string, Names]>([
    ["the collection that has it", { items: ["things", "items"] }],
    ["a collection of a name that sorts behind the other", { items: ["zebras", "items"] }],
    ["its target", { tags: ["labels", "tags"] }],
    ["a target of a name that sorts before the other", { tags: ["apples", "tags"] }],
    ["the field", { marks: ["signs", "marks"], kin: ["family", "kin"] }],
    ["all of them at once", { items: ["things", "items"], tags: ["a", "tags"], marks: ["m", "marks"] }],
    [
      "names that are too long for the database",
      { items: ["i".repeat(50), "items"], tags: ["t".repeat(50), "tags"], marks: ["m".repeat(50), "marks"] },
    ],
  ])("%s when it is renamed", async (_what, names) => {
    const database = await freshDatabase()
    const id = await withLinks(database, {})

    const renamed = await start(database, names)
    const again = await start(database, names)

    expect(renamed.syncReport).toMatchObject({ createdTables: [], addedColumns: [], kept: [] })
    expect(again.syncReport).toMatchObject({ changes: [], liftedConstraints: [] })
    expect(await linksOf(again, id, names)).toEqual(ALL)
  })

  test.each<[string, Names]>([
    ["one end", { items: ["things", "items"] }],
    ["the other end", { tags: ["labels", "tags"] }],
  ])("%s of a relation that both ends declare", async (_what, names) => {
    const database = await freshDatabase()
    const id = await withLinks(database, { through: "tagging" })

    const renamed = await start(database, { ...names, through: "tagging" })
    const back = await of(renamed, names.tags?.[0] ?? "tags").find({ where: { items: { some: { name: "a" } } } })

    expect(renamed.syncReport).toMatchObject({ createdTables: [], addedColumns: [], kept: [] })
    expect(back.docs).toMatchObject([{ name: "x" }])
    expect(await linksOf(renamed, id, names)).toEqual(ALL)
  })

  test("one rename after the other, while the first one is still declared", async () => {
    const database = await freshDatabase()
    const id = await withLinks(database, {})
    const first: Names = { items: ["things", "items"] }
    const second: Names = { ...first, marks: ["signs", "marks"] }
    const third: Names = { ...second, tags: ["labels", "tags"] }

    await start(database, first)
    await start(database, second)
    const last = await start(database, third)

    expect(await linksOf(last, id, third)).toEqual(ALL)
  })

  test("with their indexes for both ways", async () => {
    const database = await freshDatabase()
    await withLinks(database, {})
    const names: Names = { tags: ["apples", "tags"] }
    const fresh = await freshDatabase()

    await start(database, names)
    await start(fresh, { tags: ["apples"] })

    expect(await keysOf(database)).toEqual(await keysOf(fresh))
  })
})

function keysOf(database: TestDatabase) {
  return database.query(
    `select indrelid::regclass::text as "table", array(
      select attname::text from unnest(indkey) with ordinality as key(number, place)
      join pg_attribute on attrelid = indrelid and attnum = key.number order by key.place
    ) as columns from pg_index where indrelid::regclass::text like '%links%' order by 1, 2`,
  )
}
