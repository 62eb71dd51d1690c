// @module-tag not-about-engine

import { type App, type Collection, collection, global, users } from "kit"
import { describe, expect, test } from "vitest"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type IdOption = { id?: "client" }

describe("ids that callers make from now on", () => {
  test("keep the records that are there, and everything that points to them", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, shop({}))
    const { docs } = await fill(first)

    const second = await startOn(database, shop({ id: "client" }))
    const third = await startOn(database, shop({ id: "client" }))

    expect(second.syncReport).toMatchObject({ liftedConstraints: [], kept: [], createdTables: [], addedColumns: [] })
    expect([...second.syncReport.changes].sort()).toEqual([
      'change column "items.maker" from uuid to text',
      'change column "items.tags.tags.links.tags_id" from uuid to text',
      'change column "makers.id" from uuid to text',
      'change column "makers.parent" from uuid to text',
      'change column "tags.id" from uuid to text',
    ])
    expect(third.syncReport).toMatchObject({ changes: [], liftedConstraints: [] })
    const { collections } = third.system
    const found = await collections["items"]?.find({ with: { maker: { with: { parent: true } }, tags: true } })
    expect(found?.docs).toEqual(docs)
    const held = collections["makers"]?.deleteById({ id: docs[0].maker.id })
    await expect(held).rejects.toMatchObject({ code: "CONFLICT" })
    await expect(collections["items"]?.create({ maker: "nobody" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    const added = await collections["items"]?.create({
      maker: { create: { id: "acme" } },
      tags: { create: { id: "new" } },
    })
    expect(added).toMatchObject({ maker: "acme" })
  })

  test("are taken back only by hand", async () => {
    const database = await freshDatabase()
    await startOn(database, shop({ id: "client" }))

    const second = startOn(database, shop({}))

    await expect(second).rejects.toThrow(
      'Table "makers" stores ids as text in "id", but the server is to generate them as UUIDs. Keep .options({ id: "client" })',
    )
    const again = await startOn(database, shop({ id: "client" }))
    expect(again.syncReport.changes).toEqual([])
  })
})

test("a taken id is told as such in a table that was renamed", async () => {
  const database = await freshDatabase()
  const codes = (name: string) =>
    collection(name)
      .fields(({ f }) => ({ name: f.text() }))
      .options({ id: "client" })
  const first = await startOn(database, [codes("codes")])
  await first.system.collections["codes"]?.create({ id: "a" })

  const second = await startOn(database, [codes("words").renamedFrom("codes")])

  const again = second.system.collections["words"]?.create({ id: "a" })
  await expect(again).rejects.toMatchObject({ code: "CONFLICT", fieldErrors: [{ path: "id" }] })
})

test.each([
  ["a global", "a global has no id"],
  ["users", 'users cannot have the option "id"'],
  ["another word", 'the option "id" must be "client", or left out.'],
  ["a default that is no id", 'field "item" has a default that does not fit: Must not contain "/".'],
])("ids of callers for %s stop the start", async (what, message) => {
  const database = await freshDatabase()
  const items = collection("items").fields(({ f }) => ({ item: f.relation("items").default("a/b") }))
  const wrong: any = {
    "a global": global("site")
      .fields(({ f }) => ({ name: f.text() }))
      .options({ id: "client" }),
    // An author without types may write anything.
    users: users().options({ id: "client" }),
    "another word": collection("items")
      .fields(({ f }) => ({ name: f.text() }))
      .options({ id: "mine" as "client" }),
    "a default that is no id": items.options({ id: "client" }),
  }

  await expect(startOn(database, [wrong[what]])).rejects.toThrow(message)
})

// A test changes the id option of makers and tags.
function shop(options: IdOption): Collection<any>[] {
  const items = collection("items").fields(({ f }) => ({
    name: f.text(),
    maker: f.relation("makers"),
    tags: f.relation("tags").manyToMany(),
  }))
  const makers = collection("makers")
    .fields(({ f }) => ({
      name: f.text(),
      parent: f.relation("makers"),
      items: f.relation("items").hasMany({ via: "maker" }),
    }))
    .options(options)
  const tags = collection("tags")
    .fields(({ f }) => ({ name: f.text() }))
    .options(options)
  return [items, makers, tags]
}

async function fill({ system: { collections } }: App): Promise<any> {
  await collections["items"]?.create({
    name: "chair",
    maker: { create: { name: "Acme", parent: { create: { name: "Holding" } } } },
    tags: { create: [{ name: "red" }, { name: "wood" }] },
  })
  return collections["items"]?.find({ with: { maker: { with: { parent: true } }, tags: true } })
}
