// @module-tag not-about-engine

import { expect, test } from "vitest"
import { insertPosts, newApp, syncOnce } from "../support/worlds/migrated-app.ts"

test("kit doctor says how to list a collection that is too large to be counted for each page", async () => {
  const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
  await syncOnce(folder, database)
  await insertPosts(database, ["'a', null", "'b', null"])

  const small = await kit("doctor")
  // The number of rows by which PostgreSQL makes its plans.
  await database.query("update pg_class set reltuples = 2000000 where relname = 'posts'")
  const large = await kit("doctor")

  expect(small.output).not.toContain("a list counts")
  expect(large.output).toContain(
    '"posts" has about 2,000,000 records: a list counts all that match, unless it asks for total: false, "estimate" or { max }',
  )
})
