// @module-tag full-count
// @module-tag installed-postgres
// @module-tag not-about-connections

import fc from "fast-check"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { matches, type Row, type Where } from "../support/oracles/where-oracle.ts"
import { whereQuery } from "../support/oracles/where-query.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const TREES_PER_SEED = count({ short: 40, long: 120 })
const ROWS = 40

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), age: f.number().integer(), data: f.json() }))
  .access({ read: true })

const things = collection("things")
  .fields(({ f }) => ({
    text: f.text(),
    area: f.textarea(),
    double: f.number(),
    whole: f.number().integer(),
    big: f.number().bigint(),
    money: f.number().decimal(10, 2),
    flag: f.boolean(),
    at: f.datetime(),
    kind: f.select(["red", "green", "blue"]),
    data: f.json(),
    owner: f.relation("people"),
  }))
  .access({ read: true })

const guarded = collection("guarded")
  .fields(({ f }) => ({
    text: f.text().access({ read: () => ({ flag: true }) }),
    whole: f
      .number()
      .integer()
      .access({ read: () => ({ owner: { is: { age: { gte: 0 } } } }) }),
    flag: f.boolean(),
    owner: f.relation("people").access({ read: () => ({ whole: { gte: 0 } }) }),
  }))
  .access({ read: true })

// Few values, so that filters often match rows, with difficult ones among them.
const words = fc.constantFrom("", "apple", "Apple", "a%b", "a_b", "a\\b", "aXb", "žltý", "ŽLTÝ", "éA", "null", "true")
const patterns = fc.array(fc.constantFrom("a", "A", "b", "%", "_", "\\%", "\\\\", "Ž"), { maxLength: 5 })
const doubles = fc.constantFrom(-1.5, 0, 0.1, 2, 3e21, -1e-7)
const wholes = fc.constantFrom(-2_147_483_648, -1, 0, 1, 7, 2_147_483_647)
const bigs = fc.constantFrom(-9_223_372_036_854_775_808n, -1n, 0n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n)
const moneys = fc.integer({ min: -300, max: 300 }).map((cents) => (cents / 100).toFixed(2))
const moments = fc
  .constantFrom(-62_135_596_800_000, 0, 1, 1_767_225_600_000, 253_402_300_799_999)
  .map((ms) => new Date(ms))
const kinds = fc.constantFrom("red", "green", "blue")
const jsons = fc.constantFrom<unknown>(
  ...[0, 1, "a", "b", true, [], {}, [1], [1, "a", null], [[1]], ["a", { a: 1 }]],
  ...[{ a: 1 }, { a: "1" }, { a: { b: 2 } }, { a: [1, 2], b: null }, { b: { a: [{ a: 1 }] } }],
)

const thingValues: Record<string, fc.Arbitrary<unknown>> = {
  text: words,
  area: words,
  double: doubles,
  whole: wholes,
  big: bigs,
  money: moneys,
  flag: fc.boolean(),
  at: moments,
  kind: kinds,
  data: jsons,
}

const personValues: Record<string, fc.Arbitrary<unknown>> = { name: words, age: wholes, data: jsons }

function rowsOf(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Row> {
  const members = Object.entries(fields).map(([name, value]) => [name, fc.option(value, { freq: 4 })] as const)
  return fc.record(Object.fromEntries(members))
}

const TEXT = new Set(["text", "area", "name"])
const ORDERED = new Set(["double", "whole", "big", "money", "at", "age"])

/** Conditions on one field of this type. */
function conditionsOn(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Where> {
  const nullness = [fc.record({ isNull: fc.boolean() }), fc.record({ isNotNull: fc.boolean() }), fc.constant(null)]
  const same = (name: string) => fc.option(value, { freq: 8 }).map((operand) => ({ [name]: operand }))
  const operators: fc.Arbitrary<unknown>[] = [...nullness, same("eq"), same("ne")]
  if (name === "data") operators.push(value.filter(Array.isArray), ...jsonOperators(value))
  else operators.push(value, ...oneOf(value, ["in", "notIn"], (item) => fc.array(item, { maxLength: 3 })))
  if (TEXT.has(name)) operators.push(...textOperators())
  if (ORDERED.has(name)) {
    operators.push(...oneOf(value, ["gt", "gte", "lt", "lte"], (item) => item))
    operators.push(...oneOf(value, ["between"], (item) => fc.tuple(item, item)))
  }
  const condition = fc.oneof(...operators)
  return condition.map((operator) => ({ [name]: operator }))
}

function oneOf(
  value: fc.Arbitrary<unknown>,
  names: string[],
  operand: (value: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown>[] {
  return names.map((name) => operand(value).map((given) => ({ [name]: given })))
}

function textOperators(): fc.Arbitrary<unknown>[] {
  const pattern = patterns.map((parts) => parts.join(""))
  const part = fc.constantFrom("", "a", "A", "%", "_", "\\", "žl", "TÝ", "é")
  return [
    ...oneOf(pattern, ["like", "ilike", "notLike", "notIlike"], (item) => item),
    ...oneOf(part, ["contains", "startsWith", "endsWith"], (item) => item),
  ]
}

function jsonOperators(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  const at = fc.constantFrom<unknown>("a", "b", "a.b", "a.0", ["0"], ["b", "a", "0", "a"], "1.a")
  const scalar = fc.constantFrom<unknown>(0, 1, 2, "a", "1", null)
  const path = fc.oneof(
    fc.record({ at, eq: scalar }),
    fc.record({ at, ne: scalar }),
    fc.record({ at, gte: fc.constantFrom(0, 1, 2) }),
    fc.record({ at, gt: fc.constantFrom(0, 1), lt: fc.constantFrom(2, 3) }),
  )
  return [
    value.map((operand) => ({ contains: operand })),
    fc.constantFrom("a", "b").map((key) => ({ hasKey: key })),
    path.map((operand) => ({ path: operand })),
  ]
}

function treesOf(leaf: fc.Arbitrary<Where>): fc.Arbitrary<Where> {
  const { tree } = fc.letrec<{ tree: Where }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(leaf, { maxLength: 3 }).map((parts) => Object.assign({}, ...parts)),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ AND: parts })),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ OR: parts })),
      tie("tree").map((part) => ({ NOT: part })),
    ),
  }))
  return tree
}

function relationConditions(ids: readonly string[]): fc.Arbitrary<Where> {
  const id = fc.constantFrom(...ids)
  const leaves = Object.entries(personValues).map(([name, value]) => conditionsOn(name, value))
  const target = treesOf(fc.oneof(...leaves))
  const related = fc.option(target, { freq: 6 })
  const operators = fc.oneof(
    id,
    target,
    related.map((where) => ({ is: where })),
    related.map((where) => ({ isNot: where })),
    fc.option(id).map((operand) => ({ eq: operand })),
    fc.option(id).map((operand) => ({ ne: operand })),
    fc.array(id, { maxLength: 3 }).map((list) => ({ in: list })),
    fc.array(id, { maxLength: 3 }).map((list) => ({ notIn: list })),
    fc.record({ isNull: fc.boolean() }),
  )
  return operators.map((operator) => ({ owner: operator }))
}

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [people, things, guarded] })
})

afterAll(() => app[Symbol.asyncDispose]())

test.each([11, 22, 33])("random filters find what they mean on random rows (seed %i)", async (seed) => {
  const { collections } = app.app.system
  const owners = await Promise.all(fc.sample(rowsOf(personValues), { seed, numRuns: 6 }).map(store("people")))
  const ids = owners.map((owner) => String(owner["id"]))
  const row = rowsOf({ ...thingValues, owner: fc.constantFrom(...ids) })
  await app.database.query("truncate things")
  const rows = await Promise.all(fc.sample(row, { seed, numRuns: ROWS }).map(store("things")))
  const leaves = Object.entries(thingValues).map(([name, value]) => conditionsOn(name, value))
  const where = treesOf(fc.oneof({ arbitrary: fc.oneof(...leaves), weight: 3 }, relationConditions(ids)))
  const related = (id: unknown) => owners.find((owner) => owner["id"] === id)

  const property = fc.asyncProperty(where, async (tree) => {
    const expected = idsOf(rows.filter((candidate) => matches(candidate, tree, related)))
    const inProcess = await collections["things"]?.find({ where: tree, limit: 1000 })
    const overHttp = await app.fetch(`/things?${whereQuery(tree)}limit=1000&columns[id]=true`)

    expect(idsOf(inProcess?.docs)).toEqual(expected)
    expect(overHttp).toMatchObject({ status: 200 })
    expect(idsOf(overHttp.body.docs)).toEqual(expected)
  })

  await fc.assert(property, { seed, numRuns: TREES_PER_SEED })
})

test("random filters of fields that some rows hide find what they mean where the hidden values are null", async () => {
  const owners = await Promise.all(fc.sample(rowsOf(personValues), { seed: 44, numRuns: 6 }).map(store("people")))
  const ids = owners.map((owner) => String(owner["id"]))
  const related = (id: unknown) => owners.find((owner) => owner["id"] === id)
  const values = { text: words, whole: wholes, flag: fc.boolean(), owner: fc.constantFrom(...ids) }
  const rows = await Promise.all(fc.sample(rowsOf(values), { seed: 44, numRuns: ROWS }).map(store("guarded")))
  const known = rows.map((row) => ({
    ...row,
    text: row["flag"] ? row["text"] : null,
    whole: isAtLeastZero(related(row["owner"])?.["age"]) ? row["whole"] : null,
    owner: isAtLeastZero(row["whole"]) ? row["owner"] : null,
  }))
  const leaves = fc.oneof(
    conditionsOn("text", words),
    conditionsOn("whole", wholes),
    conditionsOn("flag", fc.boolean()),
  )
  const where = treesOf(fc.oneof({ arbitrary: leaves, weight: 3 }, relationConditions(ids)))

  const property = fc.asyncProperty(where, async (tree) => {
    const found = await app.fetch(`/guarded?${whereQuery(tree)}limit=1000&columns[id]=true`)

    expect(idsOf(found.body.docs)).toEqual(idsOf(known.filter((row) => matches(row, tree, related))))
  })

  await fc.assert(property, { seed: 44, numRuns: TREES_PER_SEED })
})

function isAtLeastZero(value: unknown): boolean {
  return typeof value === "number" && value >= 0
}

function store(name: string) {
  return async (row: Row): Promise<Row> => {
    const record = await app.app.system.collections[name]?.create(row)
    return { ...row, id: record?.["id"] }
  }
}

function idsOf(rows: readonly Row[] | undefined): string[] | undefined {
  return rows?.map((row) => String(row["id"])).sort()
}
