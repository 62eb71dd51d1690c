// @module-tag not-about-engine

import { collection } from "kit"
import { expect, test, vi } from "vitest"
import type { ReadShape, Statement } from "../../packages/kit/src/ports/database.ts"
import { addSlowReads, trimSlowReads } from "../../packages/kit/src/sql/internal/slow-reads.ts"
import { KitProcess } from "../support/processes/kit-process.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { insertPosts, newApp } from "../support/worlds/migrated-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 20_000 }
// Takes the server longer than the time from which a read is slow.
const SLEEPY = `f.virtual(f.boolean(), "pg_sleep(0.4) is null")`
const REASON = 'reads of "posts" filtered by "title" and in the order of "note" took up to 0.'
const ADVICE = 'Write .indexes([{ fields: ["title", "note"] }]) in "posts".'

const tasks = collection("tasks")
  .fields(({ f }) => ({ title: f.text(), state: f.text(), sleepy: f.virtual(f.boolean(), "pg_sleep(0.4) is null") }))
  .access({ read: true, create: true })

test("kit doctor and kit migrate plan propose an index for a filter and an order that were slow", async () => {
  const { folder, database, kit } = await newApp(`title: f.text(), note: f.text(), sleepy: ${SLEEPY}`)
  await kit("migrate", "create")
  const app = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
  const [, url] = await app.printed(/(http:\/\/\S+)/)
  await insertPosts(database, ["'a secret', 'x'", "'b', 'y'"])

  const answer = await fetch(`${url}/posts?where[title]=a%20secret&orderBy[note]=asc`)
  await vi.waitFor(async () => expect(await shapesIn(database)).toHaveLength(1), WAIT)
  const ofFewRecords = await kit("migrate", "plan")
  await database.query("update pg_class set reltuples = 20000 where relname = 'posts'")
  const planned = await kit("migrate", "plan")
  const facts = await kit("migrate", "plan", "--json")
  const doctor = await kit("doctor")
  await app.stop()

  expect(await answer.json()).toMatchObject({ docs: [{ title: "a secret" }] })
  expect(await shapesIn(database)).toEqual([
    { resource: "posts", equal: ["title"], ranges: [], contained: [], order: ["note"] },
  ])
  expect(ofFewRecords.output).not.toContain("took up to")
  expect(planned).toMatchObject({ code: 0, output: expect.stringContaining("nothing to do") })
  expect(planned.output).toContain(REASON)
  expect(planned.output).toContain(ADVICE)
  expect(JSON.parse(facts.stdout).warnings).toEqual([expect.stringContaining(ADVICE)])
  expect(doctor.output).toContain(REASON)
  expect(doctor.output).toContain(ADVICE)
})

test("every kind of read of many records is noted when it is slow, and one of a record by its id is not", async () => {
  await using app = await testApp({ resources: [tasks] })
  const { collections } = app.client()
  const { id } = await collections["tasks"].create({ title: "a", state: "b" })

  await collections["tasks"].findOne({ where: { id } })
  await collections["tasks"].count({ where: { title: "a", sleepy: false } })
  await collections["tasks"].aggregate({ where: { state: "b", sleepy: false }, count: true })
  await collections["tasks"].find({ groupBy: { field: "state" }, where: { sleepy: false } })
  await collections["tasks"].find({ after: null, limit: 1, orderBy: { title: "asc" }, total: false })

  await vi.waitFor(async () => {
    const shapes = await shapesIn(app.database)
    expect(shapes.map(({ equal, order }) => [...equal, "by", ...order].join(" ")).sort()).toEqual([
      "by state",
      "by title",
      "state by",
      "title by",
    ])
  }, WAIT)
})

test("a read is answered although its shape cannot be stored", async () => {
  await using app = await testApp({ resources: [tasks] })
  const { collections } = app.client()
  await collections["tasks"].create({ title: "a", state: "b" })
  await app.database.query('drop table "_kit_slow_reads"')

  const page = await collections["tasks"].find({ where: { title: "a" } })

  expect(page.docs).toHaveLength(1)
  const warning = "Slow reads could not be stored. No index is proposed for them."
  await vi.waitFor(() => expect(app.logged.map(({ message }) => message)).toContain(warning), WAIT)
})

test("the table keeps the shapes that were seen last, for 30 days", async () => {
  await using app = await testApp({ resources: [tasks] })
  const { database } = app
  const add = (names: readonly string[], now: Date) =>
    run(
      database,
      addSlowReads(
        names.map((name) => ({ shape: shapeOf(name), times: 2, longestMs: 400 })),
        now,
      ),
    )
  const [longAgo, before, now] = [new Date("2026-01-01"), new Date("2026-02-09"), new Date("2026-02-10")]
  await add(["long ago", "again"], longAgo)
  await add(numbered("before", 150), before)
  await add([...numbered("now", 100), "again"], now)

  await run(database, trimSlowReads(now))

  const kept = (await shapesIn(database)).map(({ equal: [name = ""] }) => name)
  expect(kept).toHaveLength(200)
  expect(kept.filter((name) => name.startsWith("now"))).toHaveLength(100)
  expect(kept).toContain("again")
  expect(kept).not.toContain("long ago")
  const [again] = await database.query(`select times::int from "_kit_slow_reads" where shape like '%"again"%'`)
  expect(again).toEqual({ times: 4 })
})

async function shapesIn(database: TestDatabase): Promise<readonly ReadShape[]> {
  const rows = await database.query('select shape from "_kit_slow_reads"')
  return rows.map(({ shape }) => JSON.parse(String(shape)))
}

async function run(database: TestDatabase, { text, values }: Statement): Promise<void> {
  await database.query(text, [...values])
}

function shapeOf(name: string): ReadShape {
  return { resource: "tasks", equal: [name], ranges: [], contained: [], order: [] }
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name} ${index}`)
}
