import fc from "fast-check"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { matchesInMemory } from "../../packages/kit/src/engine/access/predicate.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import type { LocaleSelection } from "../../packages/kit/src/schema/compile/locales.ts"
import type { Resource } from "../../packages/kit/src/schema/compile/resource.ts"
import { EVERYTHING, type Predicate } from "../../packages/kit/src/sql/filter/predicate.ts"
import { whereSql } from "../../packages/kit/src/sql/filter/where.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { parseWhere } from "../../packages/kit/src/sql/parse/parse-where.ts"
import { Parameters } from "../../packages/kit/src/sql/text/fragment.ts"
import type { Row, Where } from "../support/oracles/where-oracle.ts"
import { personValues, rowsOf, thingFields, thingValues, treesOn, WORLD } from "../support/oracles/where-trees.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ROWS = 25
const TREES = 400

const locales = { default: "en", all: ["en", "sk", "cs"], fallback: { sk: ["cs"] } }

const NAMES = Object.keys(thingValues(WORLD))

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), age: f.number().integer(), data: f.json() }))
  .access({ read: true })

const things = collection("things")
  .fields(({ f }) => ({
    ...Object.fromEntries(Object.entries<any>(thingFields(f)).map(([name, field]) => [name, field.localized()])),
    owner: f.relation("people"),
  }))
  .access({ read: true })

// The same collection without locales: it gets the values of one locale.
const plain = collection("plain")
  .fields(({ f }) => ({ ...thingFields(f), owner: f.relation("people"), thing: f.text() }))
  .access({ read: true })

let app: TestApp
let ids: string[]
let written: ReadonlyMap<string, Readonly<Record<string, Row>>>

beforeAll(async () => {
  app = await testApp({ resources: [people, things, plain], config: { locales } })
  const { collections } = app.app.system
  const owners = fc.sample(rowsOf(personValues(WORLD)), { seed: 3, numRuns: 4 })
  ids = await Promise.all(owners.map(async (row) => String((await collections["people"]?.create(row))?.["id"])))
  const values = rowsOf(thingValues(WORLD))
  const triples = fc.sample(fc.tuple(values, values, values, fc.constantFrom(null, ...ids)), { seed: 3, numRuns: ROWS })
  written = new Map(
    await Promise.all(
      triples.map(async ([en, sk, cs, owner]) => {
        const id = String((await collections["things"]?.create({ ...en, owner }))?.["id"])
        await collections["things"]?.updateById({ id, data: sk }, { locale: "sk" })
        await collections["things"]?.updateById({ id, data: cs }, { locale: "cs" })
        return [id, { en, sk, cs, owner: { owner } }] as const
      }),
    ),
  )
})

afterAll(() => app[Symbol.asyncDispose]())

const READINGS: readonly (LocaleSelection & { readonly chain: readonly string[] })[] = [
  { locale: "en", hasFallback: true, chain: ["en"] },
  { locale: "sk", hasFallback: true, chain: ["sk", "cs", "en"] },
  { locale: "cs", hasFallback: true, chain: ["cs", "en"] },
  { locale: "sk", hasFallback: false, chain: ["sk"] },
]

test.each(READINGS)(
  "a collection read in $locale, with fallback $hasFallback, is one that holds what this locale shows",
  async (reading) => {
    await fillPlain(reading.chain)
    const options = { locale: reading.locale, localeFallback: reading.hasFallback, limit: 1000 }
    const localized = byId((await app.app.system.collections["things"]?.find(options))?.docs ?? [], "id")
    const expected = byId((await app.app.system.collections["plain"]?.find({ limit: 1000 }))?.docs ?? [], "thing")
    const resources = compiled(reading)
    const trees = fc.sample(treesOn({ alphabet: WORLD, ids, relatedPercent: 10 }), { seed: 4, numRuns: TREES })

    const inLocale = await askSql(resources.things, trees, "id")
    const inPlain = await askSql(resources.plain, trees, "thing")

    expect(localized).toEqual(expected)
    expect(inLocale).toEqual(inPlain)
    expect(await contradictions(resources.things, trees, inLocale)).toEqual([])
  },
)

async function fillPlain(chain: readonly string[]): Promise<void> {
  await app.database.query("truncate plain")
  for (const [thing, maps] of written) {
    const shown = NAMES.map(
      (name) => [name, chain.map((locale) => maps[locale]?.[name]).find(isValue) ?? null] as const,
    )
    const row = { ...Object.fromEntries(shown), ...maps["owner"], thing }
    await app.app.system.collections["plain"]?.create(row)
  }
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

function byId(docs: readonly Row[], name: string): ReadonlyMap<unknown, Row> {
  const kept = [...NAMES, "owner"]
  const pairs = docs.map((row) => [row[name], Object.fromEntries(kept.map((field) => [field, row[field]]))] as const)
  return new Map([...pairs].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)))
}

function compiled(reading: LocaleSelection): { readonly things: Resource; readonly plain: Resource } {
  const sources = [people, things, plain].map(({ definition }) => ({ file: definition.name, definition }))
  const app = compileSchema(sources, { locales })
  const schema = "schema" in app ? app.schema.inLocale(reading) : undefined
  const [first, second] = ["things", "plain"].map((name) => schema?.collections.get(name))
  if (first === undefined || second === undefined) throw new Error("The collections of this test are wrong.")
  return { things: first, plain: second }
}

function predicatesOf(resource: Resource, trees: readonly Where[]): Predicate[] {
  return trees.map((tree) => parseWhere(resource, tree, typedParseContext(EVERYTHING)))
}

/** Returns whether each row matches each filter, by the value that identifies the row. */
async function askSql(
  resource: Resource,
  trees: readonly Where[],
  key: string,
): Promise<ReadonlyMap<string, boolean[]>> {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const predicates = predicatesOf(resource, trees)
  const conditions = predicates.map((predicate) => `(${whereSql(predicate, alias, parameters)}) is true`)
  const name = `${alias}."${key}"::text`
  const columns = `${name} as key, array[${conditions.join(", ")}] as verdicts`
  const text = `select ${columns} from "${resource.table}" ${alias} order by ${name} collate "C"`
  const rows = await app.database.query(text, parameters.values)
  return new Map(rows.map(({ key, verdicts }) => [String(key), verdicts as boolean[]]))
}

/** Returns where the evaluation in memory differs from SQL, for rows that hold all locales, as changes do. */
async function contradictions(
  resource: Resource,
  trees: readonly Where[],
  verdicts: ReadonlyMap<string, boolean[]>,
): Promise<readonly unknown[]> {
  const predicates = predicatesOf(resource, trees)
  const page = await app.app.system.collections["things"]?.find({ locale: "*", limit: 1000 })
  return (page?.docs ?? []).flatMap((row) =>
    predicates.flatMap((predicate, index) => {
      const verdict = matchesInMemory(predicate, row)
      const isRight = verdict === "unknown" || (verdict === "yes") === verdicts.get(String(row["id"]))?.[index]
      return isRight ? [] : [{ tree: trees[index], row, verdict }]
    }),
  )
}
