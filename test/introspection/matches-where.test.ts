// @module-tag full-count
// @module-tag not-about-connections
// @module-tag not-about-engine

import fc from "fast-check"
import { collection } from "kit"
import { matchesWhere } from "kit/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import type { Row, Where } from "../support/oracles/where-oracle.ts"
import {
  type Alphabet,
  ASCII,
  personValues,
  rowsOf,
  thingFields,
  thingValues,
  treesOn,
  WORLD,
} from "../support/oracles/where-trees.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const FILTERS = count({ short: 400, long: 5_000 })
const ROWS = 30
const OWNERS = ["a", "A", "%", "'\"\\", "ž"]

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), age: f.number().integer(), data: f.json() }))
  .access({ read: true })
  .options({ id: "client" })

const things = collection("things")
  .fields(({ f }) => ({ ...thingFields(f), owner: f.relation("people") }))
  .access({ read: true })
  .options({ id: "client" })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [people, things] })
})
afterAll(() => app[Symbol.asyncDispose]())

test.each([
  ["ASCII", ASCII, 0.7],
  ["all alphabets", WORLD, 0.5],
] as const)("agrees with find on generated filters in %s, and decides most of them", async (_, alphabet, share) => {
  const worlds = await storeRows(alphabet)
  const trees = fc.sample(treesOn({ alphabet, ids: OWNERS, relatedPercent: 25 }), { seed: 7, numRuns: FILTERS })
  const wrong: unknown[] = []
  let [evaluated, decided] = [0, 0]

  for (const where of trees.filter((tree) => !comparesTextWithJson(tree))) {
    const found = await idsThatMatch(where)
    for (const rows of worlds) {
      for (const row of rows) {
        for (const filter of [where, asJson(where)]) {
          const answer = matchesWhere(filter, row)
          evaluated += 1
          if (answer !== undefined) decided += 1
          if (answer !== undefined && answer !== found.has(row["id"])) wrong.push({ filter, row, answer })
        }
      }
    }
  }

  expect(wrong.slice(0, 3)).toEqual([])
  expect(decided / evaluated).toBeGreaterThan(share)
})

/** Stores rows and returns them as pages get them: with ids or with related records, in extended and in plain JSON. */
async function storeRows(alphabet: Alphabet): Promise<readonly (readonly Row[])[]> {
  await app.database.query("truncate things, people")
  const { collections } = app.app.system
  const owners = fc.sample(rowsOf(personValues(alphabet)), { seed: 3, numRuns: OWNERS.length })
  await Promise.all(owners.map((data, index) => collections["people"]?.create({ ...data, id: OWNERS[index] })))
  const row = rowsOf({ ...thingValues(alphabet), owner: fc.constantFrom(...OWNERS) })
  const things = fc.sample(row, { seed: 4, numRuns: ROWS })
  await Promise.all(things.map((data, index) => collections["things"]?.create({ ...data, id: `thing ${index}` })))
  const bare = await collections["things"]?.find({ limit: 1000 })
  const hydrated = await collections["things"]?.find({ limit: 1000, with: { owner: true } })
  const plain = await app.fetch("/things?limit=1000&with[owner]=true")
  return [bare?.docs ?? [], hydrated?.docs ?? [], (plain.body as { docs: Row[] }).docs]
}

async function idsThatMatch(where: Where): Promise<ReadonlySet<unknown>> {
  const page = await app.app.system.collections["things"]?.find({ where, columns: { id: true }, limit: 1000 })
  return new Set(page?.docs.map(({ id }) => id))
}

// The types of filters have no texts as operands of JSON, because a query string has no difference between them and JSON.
function comparesTextWithJson(where: unknown): boolean {
  if (typeof where !== "object" || where === null) return false
  return Object.entries(where).some(([name, value]) => {
    const operands = name === "data" && typeof value === "object" && value !== null ? Object.values(value) : [value]
    return (name === "data" && operands.some((operand) => typeof operand === "string")) || comparesTextWithJson(value)
  })
}

/** The filter as a description has it, which is plain JSON. */
function asJson(where: Where): Where {
  return JSON.parse(JSON.stringify(where, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)))
}
