// @module-tag full-count

import fc from "fast-check"
import { collection, type KitConfig, type Session } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { testApp } from "../support/worlds/test-app.ts"

const RECORDS = count({ short: 8, long: 20 })
const MAX_WRITES = 8
const LOCALES = ["en", "sk"]
const locales: NonNullable<KitConfig["locales"]> = { default: "en", all: LOCALES }

const declare = (f: any): Record<string, any> => ({
  text: f.text(),
  long: f.textarea(),
  integer: f.number().integer(),
  bigint: f.number().bigint(),
  double: f.number(),
  decimal: f.number().decimal(38, 10),
  boolean: f.boolean(),
  date: f.date(),
  datetime: f.datetime(),
  time: f.time(),
  select: f.select(["red", "green"]),
  colours: f.select(["red", "green"]).multiple(),
  json: f.json(),
  object: f.object({ at: f.datetime(), big: f.number().bigint(), inner: f.object({ day: f.date() }) }),
  texts: f.array(f.text()),
  bigints: f.array(f.number().bigint()),
  moments: f.array(f.datetime()),
  objects: f.array(f.object({ at: f.datetime(), sum: f.number().decimal(20, 4) })),
  rich: f.richText(),
  blocks: f.blocks({
    note: { text: f.text(), at: f.datetime(), big: f.number().bigint() },
    box: { inner: f.blocks({ leaf: { day: f.date() }, rule: {} }), sums: f.array(f.number().decimal(20, 4)) },
    rule: {},
  }),
})

const things = collection("things")
  .fields(({ f }) => {
    const localized = Object.entries(declare(f)).map(([name, field]) => [`${name}Localized`, field.localized()])
    return {
      ...declare(f),
      ...Object.fromEntries(localized),
      tags: f.relation("tags").manyToMany({ through: "tagging" }),
    }
  })
  .options({ versions: true, softDelete: true, revision: true })
  .access({ read: true })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), things: f.relation("things").manyToMany({ through: "tagging" }) }))
  .access({ read: true, update: true })

// May link things from their tags, but may not update things.
const reader: Session = { user: { id: "reader" } }

const words = fc
  .string({ unit: "binary", maxLength: 12 })
  .map((text) => text.replaceAll("\u0000", ""))
  .filter((text) => text.isWellFormed())
const moment = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => new Date(date))
const day = moment.map((date) => date.toISOString().slice(0, 10))
const bigint = fc.oneof(
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 0n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)
const decimal = fc.constantFrom(
  ...["0.0000000000", "-1.5000000000", "9999999999999999999999999999.9999999999", "0.0000000001", "12.3000000000"],
)
const colour = fc.constantFrom("red", "green")
const jsonText = fc.string({ unit: "grapheme", maxLength: 8 }).filter((text) => !text.includes("\u0000"))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
    jsonText,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("value"), { maxKeys: 3 }),
  ),
})).value

const rule = fc.constant({ type: "rule" })
const block = fc.oneof(
  rule,
  fc.record({ type: fc.constant("note"), text: words, at: moment, big: bigint }, { requiredKeys: ["type"] }),
  fc.record({
    type: fc.constant("box"),
    inner: fc.option(fc.array(fc.oneof(rule, fc.record({ type: fc.constant("leaf"), day })), { maxLength: 2 })),
  }),
)

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  text: words,
  long: words,
  integer: fc.oneof(fc.constantFrom(2_147_483_647, -2_147_483_648), fc.integer()),
  bigint,
  double: fc.oneof(
    fc.constantFrom(5e-324, Number.MAX_VALUE, 0.1 + 0.2),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  decimal,
  boolean: fc.boolean(),
  date: day,
  datetime: moment,
  time: fc.constantFrom("00:00:00", "23:59:59", "12:30:00"),
  select: colour,
  colours: fc.subarray(["red", "green"]),
  json,
  object: fc.record({ at: moment, big: bigint, inner: fc.record({ day }) }, { requiredKeys: [] }),
  texts: fc.array(words, { maxLength: 3 }),
  bigints: fc.array(bigint, { maxLength: 3 }),
  moments: fc.array(moment, { maxLength: 3 }),
  objects: fc.array(fc.record({ at: moment }), { maxLength: 2 }),
  blocks: fc.array(block, { maxLength: 3 }),
  rich: words.map((text) => ({
    type: "doc",
    content: [{ type: "paragraph", ...(text && { content: [{ type: "text", text }] }) }],
  })),
}

const fieldValues = Object.entries(VALUES).flatMap(([name, value]) => [
  [name, fc.option(value)] as const,
  [`${name}Localized`, fc.option(value)] as const,
])
const data = fc.record(Object.fromEntries(fieldValues), { requiredKeys: [] })
const write = fc.record({
  kind: fc.constantFrom("update", "update", "update", "batch", "delete", "links by a reader"),
  data,
  locale: fc.constantFrom(...LOCALES),
  tags: fc.option(fc.subarray([0, 1, 2]), { nil: undefined }),
})
const history = fc.record({
  first: data,
  writes: fc.array(write, { minLength: 1, maxLength: MAX_WRITES }),
  back: fc.nat(),
})

test("a version is the record as it was found, and a revert makes it that again", async () => {
  await using app = await testApp({ resources: [things, tags], config: { locales } })
  const operations = app.app.system.collections as Record<string, any>
  const linked = await Promise.all([0, 1, 2].map((name) => operations["tags"].create({ name: String(name) })))
  const asReader = app.client(reader).collections
  const find = (id: string) =>
    operations["things"].findOne({ where: { id }, locale: "*", includeDeleted: true, with: { tags: true } })

  await fc.assert(
    fc.asyncProperty(history, async ({ first, writes, back }) => {
      const { id } = await operations["things"].create(first)
      const found = [await find(id)]
      for (const { kind, data, locale, tags } of writes) {
        const change = { ...data, ...(tags && { tags: tags.map((index) => linked[index].id) }) }
        if (kind === "update") await operations["things"].updateById({ id, data: change }, { locale })
        if (kind === "batch") await operations["things"].updateBatch({ updates: [{ id, data }] }, { locale })
        if (kind === "delete") {
          await operations["things"].deleteById({ id })
          found.push(await find(id))
          await operations["things"].restoreById({ id })
        }
        if (kind === "links by a reader") {
          for (const [index, tag] of linked.entries()) {
            const way = tags?.includes(index) ? "connect" : "disconnect"
            const isLinked = (await find(id)).tags.some((each: any) => each.id === tag.id)
            if (way === "disconnect" && !isLinked) continue
            await asReader["tags"].updateById({ id: tag.id, data: { things: { [way]: [id] } } })
          }
          // The newest version has the current links, and there is no further version.
          found.pop()
        }
        found.push(await find(id))
      }

      const versions = await operations["things"].findVersions({ id }, { locale: "*" })
      expect(versions.map(ofRecord).reverse()).toStrictEqual(found.map(({ tags: _tags, ...record }) => record))

      const choice = back % found.length
      await operations["things"].revertToVersion({ id, version: choice + 1 })
      expect(apartFromCounting(await find(id))).toStrictEqual(apartFromCounting(found[choice]))
    }),
    { numRuns: RECORDS },
  )
})

function ofRecord(version: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(version).filter(([name]) => !name.startsWith("version")))
}

function apartFromCounting({ updatedAt, revision, deletedAt, tags, ...record }: any): unknown {
  return { ...record, tags: tags.map(({ id }: { id: string }) => id).sort() }
}
