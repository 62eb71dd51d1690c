// @module-tag full-count
// @module-tag installed-postgres
// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// Generated aggregates have the results of SQL that is written here by hand, over the rows that the rules show.
const AGGREGATES = count({ short: 150, long: 1000 })
const ROWS = 300
const ANN: Session = { user: { id: "ann" } }
const READABLE = `"deletedAt" is null and ("owner" = 'ann' or "flag")`

const places = collection("places")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true })

const things = collection("things")
  .fields(({ f }) => ({
    owner: f.text().required(),
    kind: f.select(["a", "b", "c"]),
    label: f.text().localized(),
    flag: f.boolean(),
    items: f.number().integer(),
    price: f.number().decimal(12, 3),
    points: f.number().bigint(),
    weight: f.number(),
    twice: f.virtual(f.number().integer(), '"items" * 2'),
    day: f.date(),
    at: f.datetime(),
    place: f.relation("places"),
  }))
  .options({ softDelete: true, timestamps: false })
  .access({ read: ({ session }) => session !== null && { OR: [{ owner: session.user.id }, { flag: true }] } })

let app: TestApp
let random: SeededRandom

beforeAll(async () => {
  app = await testApp({ resources: [places, things], config: { locales: { default: "en", all: ["en", "de"] } } })
  random = seededRandom()
  const { collections } = app.app.system
  const ids = []
  for (const name of ["Graz", "Linz"]) ids.push((await collections["places"]?.create({ name }))?.["id"])
  for (let row = 0; row < ROWS; row++) {
    const thing = await collections["things"]?.create(values(ids))
    const id = String(thing?.["id"])
    if (chance(3)) await collections["things"]?.updateById({ id, data: { label: oneOf(["x", "y"]) } }, { locale: "de" })
    if (chance(10)) await collections["things"]?.deleteById({ id })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

function values(places: readonly unknown[]): Record<string, unknown> {
  const orNull = (value: unknown) => (chance(6) ? null : value)
  return {
    owner: oneOf(["ann", "bob", "eva"]),
    kind: orNull(oneOf(["a", "b", "c"])),
    label: orNull(oneOf(["x", "y", "z"])),
    flag: orNull(chance(2)),
    items: orNull(random.below(2001) - 1000),
    price: orNull(((random.below(2_000_001) - 1_000_000) / 1000).toFixed(3)),
    points: orNull(2n ** 62n - BigInt(random.below(1000)) * (chance(2) ? 1n : -(10n ** 15n))),
    // Sums of such doubles are exact in any order.
    weight: orNull((random.below(4001) - 2000) / 16),
    day: orNull(new Date(Date.UTC(2019, 11, 20) + random.below(60) * 86_400_000).toISOString().slice(0, 10)),
    // At the beginning of an hour or a millisecond before, because periods begin there.
    at: orNull(new Date(Date.UTC(2025, 9, 20) + random.below(200 * 24) * 3_600_000 - random.below(2))),
    place: orNull(oneOf(places)),
  }
}

const chance = (of: number) => random.below(of) === 0
const oneOf = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item
const some = <Item>(items: readonly Item[], most: number): Item[] => {
  const left = [...items]
  return Array.from({ length: random.below(most + 1) }, () => left.splice(random.below(left.length), 1)).flat()
}

interface Key {
  readonly name: string
  readonly option: unknown
  /** The SQL of the key as text. */
  readonly sql: string
  /** The SQL of what the key is sorted by, if that is not its text. */
  readonly order?: string
  /** Returns the key of the answer for its text. */
  read?(text: string): unknown
}

const DAYS = {
  day: (value: string) => `to_char(${value}, 'YYYY-MM-DD')`,
  week: (value: string) => `to_date(to_char(${value}, 'IYYY-IW'), 'IYYY-IW')::text`,
  month: (value: string) => `to_char(${value}, 'YYYY-MM') || '-01'`,
  year: (value: string) => `to_char(${value}, 'YYYY') || '-01-01'`,
}
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/Sao_Paulo"]
const LABEL = { en: "label ->> 'en'", de: "coalesce(label ->> 'de', label ->> 'en')" }

function keysOf(locale: "en" | "de"): readonly Key[] {
  const periods = Object.entries(DAYS)
  return [
    { name: "kind", option: "kind", sql: "kind" },
    { name: "label", option: { field: "label" }, sql: LABEL[locale] },
    { name: "flag", option: "flag", sql: "flag::text", order: "flag", read: (text) => text === "true" },
    { name: "items", option: "items", sql: "items::text", order: "items", read: Number },
    { name: "place", option: "place", sql: "place::text", order: "place" },
    { name: "day", option: "day", sql: "day::text" },
    ...periods.map(([by, write]) => ({ name: "day", option: { field: "day", by }, sql: write("day::timestamp") })),
    ...periods.flatMap(([by, write]) =>
      ZONES.map((timeZone) => ({
        name: "at",
        option: timeZone === "UTC" && by === "day" ? { field: "at", by } : { field: "at", by, timeZone },
        sql: write(`timezone('${timeZone}', at)`),
      })),
    ),
  ]
}

interface Measure {
  readonly kind: "count" | "sum" | "avg" | "min" | "max"
  readonly field: string
  readonly sql: string
  read(text: string): unknown
}

const text = (value: string) => value
const NUMBERS: readonly (readonly [field: string, sum: (text: string) => unknown, avg: string])[] = [
  ["items", Number, "avg(items)::float8"],
  ["twice", Number, "avg(items * 2)::float8"],
  ["weight", Number, "avg(weight)"],
  ["price", text, "avg(price)"],
  ["points", text, "avg(points)"],
]

const MEASURES: readonly Measure[] = [
  { kind: "count", field: "", sql: "count(*)", read: Number },
  ...NUMBERS.flatMap(([field, read, avg]): Measure[] => {
    const value = field === "twice" ? "items * 2" : field
    return [
      { kind: "sum", field, sql: `sum(${value})`, read },
      { kind: "avg", field, sql: avg, read: avg === "avg(price)" || avg === "avg(points)" ? text : Number },
      { kind: "min", field, sql: `min(${value})`, read },
      { kind: "max", field, sql: `max(${value})`, read },
    ]
  }),
  { kind: "min", field: "day", sql: "min(day)", read: text },
  { kind: "max", field: "kind", sql: "max(kind)", read: text },
]

const FILTERS: readonly (readonly [where: object | undefined, sql: string])[] = [
  [undefined, "true"],
  [{ items: { gt: 100 } }, "items > 100"],
  [{ kind: { ne: "a" } }, "kind is distinct from 'a'"],
  [{ price: { lte: "12.5" }, weight: null }, "price <= 12.5 and weight is null"],
  [{ place: { name: "Graz" } }, "exists (select from places p where p.id = place and p.name = 'Graz')"],
  [{ NOT: { OR: [{ flag: true }, { day: { lt: "2020-01-01" } }] } }, "(flag or day < '2020-01-01') is not true"],
  [{ twice: { between: [-500, 500] } }, "items * 2 between -500 and 500"],
]

const OPERATORS: readonly (readonly [name: string, sql: string])[] = [
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["eq", "="],
  ["ne", "is distinct from"],
]

interface Generated {
  readonly body: object
  readonly sql: string
  readonly keys: readonly Key[]
  readonly shown: readonly Measure[]
  readonly limit: number | undefined
}

function generated(): Generated {
  const locale = oneOf(["en", "de"] as const)
  const keys = some(keysOf(locale), 3).filter(
    ({ name }, index, all) => all.findIndex((key) => key.name === name) === index,
  )
  const shown = some(MEASURES, 6)
  if (keys.length === 0 && shown.length === 0) return generated()
  const [where, filter] = oneOf(FILTERS)
  const limit = keys.length > 0 && chance(2) ? 1 + random.below(30) : undefined
  const having =
    keys.length > 0
      ? some(
          MEASURES.filter(({ field }) => field !== "day" && field !== "kind"),
          2,
        ).map(conditionOn)
      : []
  const order =
    keys.length > 0 ? some([...MEASURES, ...keys], 3).map((by) => ({ by, direction: oneOf(["asc", "desc"]) })) : []
  const body = {
    locale,
    where,
    ...(keys.length > 0 && {
      groupBy: keys.length === 1 && chance(2) ? keys[0]?.option : keys.map(({ option }) => option),
    }),
    ...shown.reduce((asked, measure) => merged(asked, measure, true), {}),
    ...(having.length > 0 && {
      having: having.reduce((all, { measure, condition }) => merged(all, measure, condition), {}),
    }),
    ...(order.length > 0 && {
      orderBy: order.map(({ by, direction }) => ("kind" in by ? merged({}, by, direction) : { [by.name]: direction })),
    }),
    limit,
  }
  const columns = [...keys.map(({ sql }) => `(${sql})::text`), ...shown.map(({ sql }) => `(${sql})::text`)]
  const groups = keys.flatMap((key) => [key.sql, ...(key.order ? [key.order] : [])])
  const sorted = [
    ...order.map(({ by, direction }) => `${"kind" in by ? by.sql : (by.order ?? by.sql)} ${direction} nulls last`),
    ...keys.map((key) => `${key.order ?? key.sql} asc nulls last`),
  ]
  const sql = `select array[${columns.join(", ")}] as "row" from things where ${READABLE} and (${filter})
    ${keys.length > 0 ? `group by ${groups.join(", ")}` : ""}
    ${having.length > 0 ? `having ${having.map((each) => each.sql).join(" and ")}` : ""}
    ${keys.length > 0 ? `order by ${sorted.join(", ")} limit ${(limit ?? 100) + 1}` : ""}`
  return { body, sql, keys, shown, limit }
}

function conditionOn(measure: Measure): { measure: Measure; condition: unknown; sql: string } {
  const [name, operator] = oneOf(OPERATORS)
  const number = measure.kind === "count" ? random.below(40) : random.below(4001) - 2000
  return { measure, condition: { [name]: number }, sql: `${measure.sql} ${operator} ${number}` }
}

function merged(into: any, { kind, field }: Measure, value: unknown): object {
  return kind === "count" ? { ...into, count: value } : { ...into, [kind]: { ...into[kind], [field]: value } }
}

async function expected({ sql, keys, shown, limit = 100 }: Generated): Promise<unknown> {
  const rows = (await app.database.query(sql)) as unknown as { row: (string | null)[] }[]
  const results = rows.map(({ row }) => {
    const read = (value: string | null | undefined, convert: (text: string) => unknown = text) =>
      value === null || value === undefined ? null : convert(value)
    const key = Object.fromEntries(keys.map((each, index) => [each.name, read(row[index], each.read)]))
    const computed = shown.reduce(
      (all, measure, index) => merged(all, measure, read(row[keys.length + index], measure.read)),
      {},
    )
    return keys.length > 0 ? { key, ...computed } : computed
  })
  return keys.length > 0 ? { groups: results.slice(0, limit), hasMore: rows.length > limit } : results[0]
}

test("generated aggregates have the results of SQL by hand", async () => {
  let groups = 0
  for (let index = 0; index < AGGREGATES; index++) {
    const aggregate = generated()
    const about = `KIT_SEED=${random.seed}, aggregate ${index}: ${JSON.stringify(aggregate.body)}\n${aggregate.sql}`

    const { status, body } = await app.fetch("/_kit/aggregate/things", {
      method: "POST",
      body: JSON.stringify(aggregate.body),
      session: ANN,
    })

    expect({ status, body }, about).toEqual({ status: 200, body: await expected(aggregate) })
    groups += body.groups?.length ?? 1
  }
  expect(groups).toBeGreaterThan(AGGREGATES)
})
