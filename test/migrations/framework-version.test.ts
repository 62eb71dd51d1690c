// @module-tag not-about-engine

import { collection } from "kit"
import { expect, test } from "vitest"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const items = collection("items").fields(({ f }) => ({ name: f.text() }))

test("the tables of the framework carry a version, which a second start accepts", async () => {
  const database = await freshDatabase()
  const first = await startOn(database, [items])
  await first.stop()

  const second = await startOn(database, [items])
  await second.stop()

  expect(await database.query("select version from _kit_framework")).toEqual([{ version: 1 }])
})

test.each([
  ["tables without a version", "drop table _kit_framework", "made by an older kit: delete .kit/db"],
  ["an older version", "update _kit_framework set version = 0", "made by an older kit: delete .kit/db"],
  ["a newer version", "update _kit_framework set version = 2", "made by a newer kit: start the app with that version"],
])("%s: the start is refused, and nothing is changed", async (_title, change, message) => {
  const database = await freshDatabase()
  const first = await startOn(database, [items])
  await first.stop()
  await database.query(change)

  await expect(startOn(database, [items.fields(({ f }) => ({ name: f.text(), more: f.text() }))])).rejects.toThrow(
    message,
  )

  expect(await database.query("select column_name from information_schema.columns where column_name = 'more'")).toEqual(
    [],
  )
})
