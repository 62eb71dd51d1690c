// @module-tag full-count
// @module-tag installed-postgres
// @module-tag not-about-connections

import fc from "fast-check"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import {
  blockFields,
  blockFilters,
  blocksMatch,
  type Items,
  itemLists,
  PEOPLE_IDS,
  TARGET_IDS,
} from "../support/oracles/block-filters.ts"
import type { Where } from "../support/oracles/where-oracle.ts"
import { whereQuery } from "../support/oracles/where-query.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const FILTERS = count({ short: 60, long: 2_000 })
const ROWS = 60

const pages = collection("pages")
  .fields(({ f }) => ({
    number: f.number().integer(),
    body: f.blocks(blockFields(f)),
    locale: f.blocks(blockFields(f)).localized(),
  }))
  .access({ read: true, create: true })
const targets = collection("targets")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ timestamps: false })
const people = collection("people")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })

// Values that other declarations of the same members may have left behind. No filter may fail because of them.
const LEFT_BEHIND = [
  ...["x", 5, { type: "note" }, [1, null, "x", []]],
  [{ type: "gone", value: "apple" }],
  [{ type: "sum", value: "apple", money: "much", double: { a: 1 }, big: "1e5", at: 5 }],
  [{ type: "note", value: 5, flag: "yes", tags: "a", inner: { type: "leaf" } }],
  [{ type: "link", value: "no-id", named: { a: 1 }, links: ["no-id", 5, null], names: "ann" }],
  [{ type: "misc", value: [1], day: 7, sums: [{}, "x", null, "9".repeat(200)], moments: { a: 1 } }],
]

let app: TestApp
const bodies: Items[] = []

beforeAll(async () => {
  const config = { limits: { filter: { comparisonsPerRequest: 100_000 } } }
  app = await testApp({ resources: [pages, targets, people], config })
  for (const id of TARGET_IDS) await app.database.query(`insert into "targets" ("id") values ($1)`, [id])
  for (const id of PEOPLE_IDS) await app.app.system.collections["people"]?.create({ id })
  bodies.push(...fc.sample(itemLists, ROWS))
  for (const [number, body] of bodies.entries())
    await app.app.system.collections["pages"]?.create({ number, body, locale: body })
  for (const stored of LEFT_BEHIND) {
    const { id } = await app.client().collections["pages"].create({ number: -1 })
    await app.database.query(`update "pages" set "body" = $1 where "id" = $2`, [JSON.stringify(stored), id])
  }
})
afterAll(() => app[Symbol.asyncDispose]())

test("filters find exactly the records that a model finds", async () => {
  await fc.assert(
    fc.asyncProperty(blockFilters(), async (where) => {
      const expected = [...bodies.keys()].filter((number) => blocksMatch(bodies[number] ?? null, where))

      expect(await found(where)).toEqual(expected)
    }),
    { numRuns: FILTERS },
  )
})

test("filters in query strings, and on a localized field, find the same records", async () => {
  await fc.assert(
    fc.asyncProperty(blockFilters(), async (where) => {
      const expected = [...bodies.keys()].filter((number) => blocksMatch(bodies[number] ?? null, where))
      const ofLocale = JSON.parse(JSON.stringify(where, bigints).replaceAll('"body":', '"locale":')) as Where

      const byQuery = await app.fetch(`/pages?limit=1000&orderBy[number]=asc&${whereQuery(where)}`)

      expect([byQuery.status, numbersOf(byQuery.body.docs ?? [])]).toEqual([200, expected])
      expect(await found(ofLocale)).toEqual(expected)
    }),
    { numRuns: FILTERS / 2 },
  )
})

async function found(where: Where): Promise<readonly number[]> {
  const page = await app.client().collections["pages"].find({ where, limit: 1000, orderBy: { number: "asc" } })
  return numbersOf(page.docs)
}

// Leaves out the records with what was left behind, about which the model knows nothing.
function numbersOf(docs: readonly { number: number }[]): readonly number[] {
  return docs.map(({ number }) => number).filter((number) => number >= 0)
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
