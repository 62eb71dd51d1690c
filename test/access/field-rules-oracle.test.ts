// @module-tag full-count
// @module-tag not-about-shortcuts

import fc from "fast-check"
import { type App, createApp, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import type { Row, Where } from "../support/oracles/where-oracle.ts"
import { personValues, rowsOf, thingValues, treesOn, WORLD } from "../support/oracles/where-trees.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import {
  copyWithoutHidden,
  hiddenOfThings,
  openCollections,
  ruledCollections,
  TABLES,
} from "../support/worlds/ruled-world.ts"
import { sessions } from "../support/worlds/test-app.ts"

const THINGS = 30
const READS_PER_SEED = count({ short: 30, long: 80 })

let ruled: TestDatabase
let copy: TestDatabase
let withShortcuts: App
let onGeneralPath: App
let overCopy: App

beforeAll(async () => {
  ruled = await createTestDatabase()
  copy = await createTestDatabase()
  const given = process.env["KIT_GENERAL_PATH"]
  delete process.env["KIT_GENERAL_PATH"]
  withShortcuts = await appOn(ruled, ruledCollections())
  overCopy = await appOn(copy, openCollections())
  process.env["KIT_GENERAL_PATH"] = "1"
  onGeneralPath = await appOn(ruled, ruledCollections())
  if (given === undefined) delete process.env["KIT_GENERAL_PATH"]
})

afterAll(async () => {
  for (const app of [withShortcuts, onGeneralPath, overCopy]) await app.stop()
  await ruled.drop()
  await copy.drop()
})

function appOn({ url }: TestDatabase, collections: ReturnType<typeof ruledCollections>): Promise<App> {
  const resources = collections.map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))
  return createApp({ resources, config: { db: { url }, sessions }, root: "/nowhere" })
}

test.each([1, 2])(
  "a hidden value is to its reader as if it were null, in every part of a read (seed %i)",
  async (seed) => {
    const { me, people } = await storeRows(seed)
    await copyWithoutHidden(ruled, copy, me.user.id)
    const hidden = await hiddenOfThings(copy)

    const property = fc.asyncProperty(someRead(people), async (read) => {
      const fast = await ask(withShortcuts, me, read)
      const general = await ask(onGeneralPath, me, read)
      const expected = await ask(overCopy, me, read)

      expect(fast).toEqual(general)
      expect(fast.status).toBe(200)
      expect(filled(fast.body)).toEqual(filled(expected.body))
      if (read.name === "things" && read.options["columns"] === undefined) {
        for (const doc of docsOf(fast.body))
          expect(absentFrom(doc)).toEqual(absentIn(hidden.get(String(doc["id"])), read))
      }
    })

    await fc.assert(property, { seed, numRuns: READS_PER_SEED })
  },
)

/** A read of one collection, with the options that its caller sends as JSON. */
interface Read {
  readonly name: "things" | "people"
  readonly options: Row
}

async function storeRows(seed: number): Promise<{ me: Session; people: string[] }> {
  await ruled.query(`truncate ${TABLES.join(", ")}`)
  const people = await storeEach("people", fc.sample(rowsOf(personValues(WORLD)), { seed, numRuns: 6 }))
  const labels = await storeEach("labels", fc.sample(fc.record({ name: word }), { seed, numRuns: 4 }))
  const thing = fc.record({
    row: rowsOf({ ...thingValues(WORLD), owner: fc.constantFrom(...people) }),
    labels: fc.subarray(labels),
  })
  const given = fc.sample(thing, { seed, numRuns: THINGS })
  const things = await storeEach(
    "things",
    given.map(({ row, labels: connect }) => ({ ...row, labels: { connect } })),
  )
  const part = fc.record({ name: word, secret: fc.option(fc.nat(3)), thing: fc.option(fc.constantFrom(...things)) })
  await storeEach("parts", fc.sample(part, { seed, numRuns: 2 * THINGS }))
  return { me: { user: { id: people[0] ?? "", role: "writer" } }, people }
}

async function storeEach(name: string, rows: readonly Row[]): Promise<string[]> {
  const ids: string[] = []
  for (const row of rows) ids.push(String((await withShortcuts.system.collections[name]?.create(row))?.["id"]))
  return ids
}

const word = fc.constantFrom(...WORLD.words)
const direction = fc.constantFrom("asc", "desc")
const SORTABLE = ["text", "double", "whole", "big", "money", "flag", "at", "day", "owner", "letters", "kind"]

function someRead(people: readonly string[]): fc.Arbitrary<Read> {
  const onThings = treesOn({ alphabet: WORLD, ids: people, relatedPercent: 25 })
  const onParts = fc.record({ secret: fc.oneof(fc.nat(3), fc.record({ gt: fc.nat(3) }), fc.constant(null)) })
  const onLabels = fc.record({ name: word })
  const quantified = (name: string, part: fc.Arbitrary<Where>) =>
    fc.tuple(fc.constantFrom("some", "none", "every"), fc.oneof(part, fc.constant({}))).map(([quantifier, where]) => ({
      [name]: { [quantifier]: where },
    }))
  const where = fc.oneof(
    { arbitrary: onThings, weight: 6 },
    { arbitrary: quantified("parts", onParts), weight: 1 },
    { arbitrary: quantified("labels", onLabels), weight: 1 },
    { arbitrary: fc.record({ owner: quantified("things", onThings) }), weight: 1 },
    { arbitrary: fc.record({ letters: fc.record({ gt: fc.nat(5) }) }), weight: 1 },
  )
  const things = optional({
    where,
    orderBy: orderOfThings,
    with: relationsOfThings(onParts),
    columns: fc.subarray(["text", "whole", "body", "owner", "quiet", "loud"], { minLength: 1 }).map(namedTrue),
    search: fc.constantFrom("a", "pp", "!"),
    window: fc.record({ limit: fc.integer({ min: 1, max: 8 }), offset: fc.nat(10) }),
    groupBy: fc.record({ field: fc.constantFrom(...SORTABLE), order: direction, docs: fc.nat(3) }),
  })
  const owners = optional({
    where: quantified("things", onThings),
    orderBy: fc.oneof(byOne(["name", "age"])),
    with: fc.constant({ things: { _count: true, orderBy: { whole: "asc" }, with: { owner: true } } }),
  })
  return fc.oneof(
    { arbitrary: things.map((options): Read => ({ name: "things", options })), weight: 5 },
    { arbitrary: owners.map((options): Read => ({ name: "people", options })), weight: 1 },
  )
}

// Adds each option in about half of the reads. The window adds two options together.
function optional(options: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Row> {
  const members = Object.entries(options).map(([name, value]) => [name, fc.option(value, { nil: undefined, freq: 2 })])
  return fc.record(Object.fromEntries(members)).map(({ window, ...rest }: Record<string, unknown>) => {
    const given = { ...rest, ...(window as Row | undefined) }
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  })
}

function byOne(names: readonly string[]): fc.Arbitrary<Row> {
  return fc.tuple(fc.constantFrom(...names), direction).map(([name, way]) => ({ [name]: way }))
}

const orderOfThings = fc.oneof(
  byOne(SORTABLE),
  fc.tuple(byOne(SORTABLE), byOne(SORTABLE)).map((maps) => maps),
  fc.record({ owner: byOne(["name", "age"]) }),
)

function relationsOfThings(onParts: fc.Arbitrary<Where>): fc.Arbitrary<Row> {
  const parts = optional({ where: onParts, orderBy: byOne(["secret", "name"]), limit: fc.nat(2) })
  return optional({
    owner: fc.oneof(fc.constant<unknown>(true), fc.constant({ columns: { name: true }, where: { age: { gte: 0 } } })),
    parts: parts.map((given) => ({ ...given, _count: true, with: { thing: { columns: { text: true } } } })),
    labels: fc.constant({ orderBy: { name: "asc" } }),
  })
}

function namedTrue(names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, true]))
}

async function ask(app: App, session: Session, { name, options }: Read): Promise<{ status: number; body: Row }> {
  const body = JSON.stringify(options, (_key, value) => (typeof value === "bigint" ? String(value) : value))
  const headers = { "content-type": "application/json", cookie: sessions.sign(session) }
  const response = await app.handler(
    new Request(`http://localhost/api/${name}/query`, { method: "POST", headers, body }),
  )
  return { status: response.status, body: (await response.json()) as Row }
}

function docsOf(body: Row): Row[] {
  const groups = (body["groups"] ?? []) as { docs: Row[] }[]
  return (body["docs"] as Row[] | undefined) ?? groups.flatMap(({ docs }) => docs)
}

const EMPTY_LISTS = new Set(["parts", "labels", "things"])

// Treats null and absent values as equal, and empty and absent lists. Values computed from open values cannot be null
// in the copy.
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => !isNothing(name, member))
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === "_count" ? counted(member) : filled(member)]),
  )
}

function isNothing(name: string, value: unknown): boolean {
  return value === null || name === "quiet" || (EMPTY_LISTS.has(name) && Array.isArray(value) && value.length === 0)
}

function counted(counts: object): Row {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}

const ALL = [...SORTABLE, "data", "tags", "place", "body", "quiet", "labels", "parts"]

function absentFrom(doc: Row): string[] {
  return ALL.filter((name) => !Object.hasOwn(doc, name)).sort()
}

function absentIn(hidden: readonly string[] | undefined, { options }: Read): string[] {
  const unasked = ["labels", "parts"].filter((name) => !Object.hasOwn((options["with"] ?? {}) as Row, name))
  return [...new Set([...(hidden ?? []), ...unasked])].sort()
}
