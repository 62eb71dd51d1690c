// @module-tag full-count
// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import fc from "fast-check"
import { type App, collection, createApp } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { sampleBlocks, sampleValues } from "../support/oracles/sample-values.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { sessions } from "../support/worlds/test-app.ts"

const owners = collection("owners")
  .fields(({ f }) => ({ name: f.text(), joined: f.datetime(), score: f.number().bigint() }))
  .access({ read: true })

// Returns a value that PostgreSQL could write as JSON too, but not in every row.
const holders = collection("holders")
  .fields(({ f }) => ({
    name: f.text().access({ read: () => ({ joined: { isNotNull: true } }) }),
    joined: f.datetime(),
    score: f
      .number()
      .bigint()
      .access({ read: () => ({ name: { ne: "a" } }) }),
  }))
  .access({ read: true })

const samples = collection("samples")
  .fields(({ f }) => ({
    text: f.textarea(),
    double: f.number(),
    integer: f.number().integer(),
    big: f.number().bigint(),
    decimal: f.number().decimal(30, 10),
    flag: f.boolean(),
    moment: f.datetime(),
    choice: f.select(["a", "ä", "it's"]),
    choices: f.select(["a", "ä", "it's"]).multiple(),
    day: f.date(),
    hour: f.time(),
    numbers: f.array(f.number().integer()),
    bigs: f.array(f.number().bigint()),
    sums: f.array(f.number().decimal(6, 2)),
    days: f.array(f.date()),
    moments: f.array(f.datetime()),
    place: f.object({ at: f.datetime(), size: f.number().bigint() }),
    body: f.blocks(sampleBlocks(f)),
    data: f.json(),
    owner: f.relation("owners"),
    holder: f.relation("holders"),
  }))
  .access({ read: true })

const resources = [owners, holders, samples].map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))

let database: TestDatabase
let withShortcuts: App
let onGeneralPath: App
const holderIds: unknown[] = [null]

beforeAll(async () => {
  database = await createTestDatabase()
  const definition = { resources, config: { db: { url: database.url } }, root: "/nowhere" }
  const given = process.env["KIT_GENERAL_PATH"]
  delete process.env["KIT_GENERAL_PATH"]
  withShortcuts = await createApp({ ...definition, config: { ...definition.config, sessions } })
  process.env["KIT_GENERAL_PATH"] = "1"
  onGeneralPath = await createApp({ ...definition, config: { ...definition.config, sessions } })
  if (given === undefined) delete process.env["KIT_GENERAL_PATH"]
  for (const holder of [{ name: "a" }, { name: "b", score: 1n }, { name: "a", joined: new Date(0), score: 2n }]) {
    holderIds.push((await withShortcuts.system.collections["holders"]?.create(holder))?.["id"])
  }
})

afterAll(async () => {
  await withShortcuts.stop()
  await onGeneralPath.stop()
  await database.drop()
})

const QUERIES = [
  "?limit=1000",
  "?limit=1000&columns[bigs]=false&columns[place]=false&columns[body]=false&columns[sums]=false&columns[days]=false&columns[moments]=false",
  "?columns[sums]=true",
  "?columns[days]=true",
  "?columns[body]=true",
  "?columns[moments]=true",
  "?limit=3&offset=2&with[owner]=true",
  "?limit=2&columns[text]=true&columns[moment]=true&with[owner][columns][joined]=true",
  "?limit=5&offset=5000",
  "?limit=3&total=false&with[owner]=true",
  "?limit=1&offset=2&total[max]=2",
  "?limit=2&total=estimate",
  "?limit=4&with[holder]=true&columns[text]=true&orderBy[holder][score]=desc",
  "?limit=7&with[owner][where][name][contains]=a&orderBy[owner][name]=asc",
]

test("what Postgres writes reads back as what we write, for generated records of every type", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record(sampleValues), { minLength: 1, maxLength: 12 }), async (records) => {
      await database.query("truncate samples, owners")
      const owner = await withShortcuts.system.collections["owners"]?.create({
        name: "a",
        joined: new Date(0),
        score: 2n ** 60n,
      })
      for (const [index, record] of records.entries()) {
        const linked = { ...record, owner: index % 2 === 0 ? owner?.["id"] : null, holder: holderIds[index % 4] }
        await withShortcuts.system.collections["samples"]?.create(linked)
      }
      const first = (await withShortcuts.system.collections["samples"]?.find({ limit: 1 }))?.docs[0]

      for (const path of [...QUERIES, `/${first?.["id"]}`, `/${first?.["id"]}?with[owner]=true`]) {
        for (const headers of [{}, { "x-extendedjson": "1" }]) {
          const fast = await ask(withShortcuts, path, headers)
          const general = await ask(onGeneralPath, path, headers)
          expect(fast, path).toEqual(general)
        }
      }
    }),
    { numRuns: count({ short: 12, long: 36 }) },
  )
})

async function ask(app: App, path: string, headers: Record<string, string>) {
  const response = await app.handler(new Request(`http://localhost/api/samples${path}`, { headers }))
  return { status: response.status, body: await response.json() }
}
