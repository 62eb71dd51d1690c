// @module-tag full-count
// @module-tag not-about-connections

import fc from "fast-check"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { matchesInMemory } from "../../packages/kit/src/engine/access/predicate.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import type { Resource } from "../../packages/kit/src/schema/compile/resource.ts"
import { EVERYTHING, type Predicate } from "../../packages/kit/src/sql/filter/predicate.ts"
import { whereSql } from "../../packages/kit/src/sql/filter/where.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { parseWhere } from "../../packages/kit/src/sql/parse/parse-where.ts"
import { Parameters } from "../../packages/kit/src/sql/text/fragment.ts"
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

const TREES = count({ short: 2_500, long: 10_000 })
const TREES_PER_STATEMENT = 250
const ROWS = 30
// The ids of people, and of some things too.
const IDS = ["a", "A", "%", "'\"\\", "ž"]

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

interface Tally {
  readonly contradictions: readonly unknown[]
  readonly evaluated: number
  readonly decided: number
}

test("memory never contradicts SQL on 10,000 filters over all types, relations and alphabets", async () => {
  const { rows, ids } = await storeRows(WORLD, 1)
  const trees = fc.sample(treesOn({ alphabet: WORLD, ids, relatedPercent: 25 }), { seed: 1, numRuns: TREES })

  const { contradictions, evaluated, decided } = await compare(trees, rows)

  expect(contradictions).toEqual([])
  expect(evaluated).toBe(TREES * ROWS)
  expect(decided).toBeGreaterThan(evaluated / 2)
})

test("memory decides at least 95 % of filters in ASCII", async () => {
  const { rows, ids } = await storeRows(ASCII, 2)
  // Memory decides only whether a list of blocks has items.
  const forest = { alphabet: ASCII, ids, without: ["body"] }
  const trees = fc.sample(treesOn({ ...forest, relatedPercent: 2 }), { seed: 2, numRuns: TREES / 5 })

  const { contradictions, evaluated, decided } = await compare(trees, rows)

  expect(contradictions).toEqual([])
  expect(decided / evaluated).toBeGreaterThanOrEqual(0.95)
})

/** Stores the rows and returns them as `find` does. */
async function storeRows(alphabet: Alphabet, seed: number): Promise<{ rows: readonly Row[]; ids: readonly string[] }> {
  await app.database.query("truncate things, people")
  const { collections } = app.app.system
  const owners = fc.sample(rowsOf(personValues(alphabet)), { seed, numRuns: IDS.length })
  const idOf = (index: number) => IDS[index] ?? `thing ${index}`
  await Promise.all(owners.map((data, index) => collections["people"]?.create({ ...data, id: idOf(index) })))
  const row = rowsOf({ ...thingValues(alphabet), owner: fc.constantFrom(...IDS) })
  const things = fc.sample(row, { seed, numRuns: ROWS })
  await Promise.all(things.map((data, index) => collections["things"]?.create({ ...data, id: idOf(index) })))
  const page = await collections["things"]?.find({ limit: 1000 })
  return { rows: page?.docs ?? [], ids: IDS }
}

async function compare(trees: readonly Where[], rows: readonly Row[]): Promise<Tally> {
  const resource = compiledThings()
  const contradictions: unknown[] = []
  let [evaluated, decided] = [0, 0]
  for (let start = 0; start < trees.length; start += TREES_PER_STATEMENT) {
    const batch = trees.slice(start, start + TREES_PER_STATEMENT)
    const predicates = batch.map((tree) => parseWhere(resource, tree, typedParseContext(EVERYTHING)))
    const found = await askSql(resource, predicates)
    for (const row of rows) {
      const verdicts = found.get(row["id"])
      for (const [index, predicate] of predicates.entries()) {
        const verdict = matchesInMemory(predicate, row)
        evaluated += 1
        if (verdict === "unknown") continue
        decided += 1
        if ((verdict === "yes") !== verdicts?.[index]) contradictions.push({ tree: batch[index], row, verdict })
      }
    }
  }
  return { contradictions: contradictions.slice(0, 3), evaluated, decided }
}

/** Returns by id whether each row matches each predicate, in one statement. */
async function askSql(resource: Resource, predicates: readonly Predicate[]): Promise<ReadonlyMap<unknown, boolean[]>> {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const conditions = predicates.map((predicate) => `(${whereSql(predicate, alias, parameters)}) is true`)
  const text = `select ${alias}.id, array[${conditions.join(", ")}] as verdicts from "${resource.table}" ${alias}`
  const rows = await app.database.query(text, parameters.values)
  // An array of booleans.
  return new Map(rows.map(({ id, verdicts }) => [id, verdicts as boolean[]]))
}

function compiledThings(): Resource {
  const compiled = compileSchema([people, things].map(({ definition }) => ({ file: definition.name, definition })))
  const resource = "schema" in compiled ? compiled.schema.collections.get("things") : undefined
  if (resource === undefined) throw new Error("The collections of this test are wrong.")
  return resource
}
