// @module-tag not-about-engine

import { type App, collection } from "kit"
import { expect, test } from "vitest"
import type { TestDatabase } from "../support/test-database.ts"
import { declare, newApp } from "../support/worlds/migrated-app.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const open = { read: true, drafts: true } as const

function schemaOf(way: object, name = "lists") {
  const lists = collection(name)
    .fields(({ f }) => ({ songs: f.relation("songs").manyToMany({ through: "listing", ...way }) }))
    .options({ workflow: true })
    .access(open)
  const songs = collection("songs")
    .fields(({ f }) => ({ name: f.text() }))
    .access(open)
  return [name === "lists" ? lists : lists.renamedFrom("lists"), songs]
}

const of = (app: App, name: string) => (app.system.collections as Record<string, any>)[name]

/** Returns the names of the songs of each list, in each stage. */
async function ordersOf(app: App, name = "lists"): Promise<string[]> {
  const orders: string[] = []
  for (const stage of ["draft", "published"]) {
    const { docs } = await of(app, name).find({ stage, with: { songs: true }, orderBy: { id: "asc" } })
    orders.push(...docs.map((list: any) => list.songs.map((song: any) => song.name).join(" ")))
  }
  return orders
}

async function withLinks(database: TestDatabase): Promise<App> {
  const app = await startOn(database, schemaOf({}))
  const ids: string[] = []
  for (const name of ["a", "b", "c"]) ids.push((await of(app, "songs").create({ name })).id)
  const [a, b, c] = ids
  for (const songs of [[b, c, a], [c], []]) {
    const { id } = await of(app, "lists").create({ songs })
    await of(app, "lists").transitionStage({ id, stage: "published" })
  }
  return app
}

const positions = (database: TestDatabase, table = "listing.links") =>
  database.query(`select position from "${table}" order by lists_id, position`)

test("links that become ordered keep the order in which they were returned", async () => {
  const database = await freshDatabase()
  const before = await ordersOf(await withLinks(database))

  const app = await startOn(database, schemaOf({ ordered: true }))
  const again = await startOn(database, schemaOf({ ordered: true }))

  expect(before).toEqual(["c b a", "c", "", "c b a", "c", ""])
  expect(await ordersOf(app)).toEqual(before)
  expect(app.syncReport.addedColumns.toSorted()).toEqual([
    "listing.links.lists.stage.published.position",
    "listing.links.position",
  ])
  expect(again.syncReport.changes).toEqual([])
  const numbered = [{ position: 1 }, { position: 2 }, { position: 3 }, { position: 1 }]
  expect(await positions(database)).toEqual(numbered)
  expect(await positions(database, "listing.links.lists.stage.published")).toEqual(numbered)
})

test("links that become ordered while their collection is renamed keep their order, too", async () => {
  const database = await freshDatabase()
  const before = await ordersOf(await withLinks(database))

  const app = await startOn(database, schemaOf({ ordered: true }, "zebras"))

  expect(await ordersOf(app, "zebras")).toEqual(before)
})

test("links that are no longer ordered keep their positions until the column is dropped", async () => {
  const database = await freshDatabase()
  await withLinks(database)
  const ordered = await startOn(database, schemaOf({ ordered: true }))
  const [list] = (await of(ordered, "lists").find({ with: { songs: true }, orderBy: { id: "asc" } })).docs
  const move = { id: list.songs[2].id, to: "start" }
  await of(ordered, "lists").updateById({ id: list.id, data: { songs: { move } } })

  const plain = await startOn(database, schemaOf({}))
  const orders = await ordersOf(plain)
  const { id } = await of(plain, "songs").create({ name: "d" })
  await of(plain, "lists").updateById({ id: list.id, data: { songs: { connect: id } } })
  const back = await startOn(database, schemaOf({ ordered: true }))

  expect(orders[0]).toBe("c b a")
  expect(plain.syncReport.kept).toEqual(["listing.links.position", "listing.links.lists.stage.published.position"])
  expect((await ordersOf(back))[0]).toBe("d a c b")
})

test("a migration numbers the links, and drops their positions only if it may lose data", async () => {
  const { folder, database, kit } = await newApp('title: f.text(), kin: f.relation("posts").manyToMany()')
  await kit("migrate", "create")
  await kit("migrate", "up")
  await database.query(`with made as (insert into posts (id, title, "createdAt", "updatedAt")
    values (gen_random_uuid(), 'a', now(), now()), (gen_random_uuid(), 'b', now() + interval '1 s', now()) returning id, title)
    insert into "posts.kin.posts.links" (source, target) select s.id, t.id from made s, made t where s.title = 'a'`)
  await declare(folder, 'title: f.text(), kin: f.relation("posts").manyToMany({ ordered: true })')
  const added = await kit("migrate", "create")
  await kit("migrate", "up")
  const numbered = await database.query(
    'select title, position from "posts.kin.posts.links" join posts on posts.id = target order by position',
  )
  const unchanged = await kit("migrate", "create")
  await declare(folder, 'title: f.text(), kin: f.relation("posts").manyToMany()')

  const refused = await kit("migrate", "create")
  const accepted = await kit("migrate", "create", "--accept-data-loss")
  const up = await kit("migrate", "up")

  expect(added.output).toContain('add column "posts.kin.posts.links.position" (integer)')
  expect(numbered).toEqual([
    { title: "b", position: 1 },
    { title: "a", position: 2 },
  ])
  expect(unchanged.output).toContain("nothing to do")
  expect(refused.code).toBe(1)
  expect(refused.output).toContain('drop column "posts.kin.posts.links.position"')
  expect([accepted.code, up.code]).toEqual([0, 0])
  expect(await database.query('select * from "posts.kin.posts.links" limit 1')).not.toMatchObject([
    { position: expect.anything() },
  ])
})
