// @module-tag not-about-engine

import { type Collection, collection, type KitConfig } from "kit"
import { describe, expect, test } from "vitest"
import type { Statement } from "../../packages/kit/src/ports/database.ts"
import type { Resource } from "../../packages/kit/src/schema/compile/resource.ts"
import { EVERYTHING } from "../../packages/kit/src/sql/filter/predicate.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { wholeSelection } from "../../packages/kit/src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../packages/kit/src/sql/parse/parse-where.ts"
import { selectMatching } from "../../packages/kit/src/sql/read/select.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type Declare = (f: any) => Record<string, any>

const locales: NonNullable<KitConfig["locales"]> = {
  default: "en",
  all: ["en", "sk", "pt-BR"],
  fallback: { sk: ["pt-BR"] },
}

describe("a field that becomes localized", () => {
  test("keeps its values as those of the default locale, once", async () => {
    const database = await freshDatabase()
    const before = items((f) => ({
      name: f.text().required().unique(),
      size: f.number().bigint(),
      price: f.number().decimal(8, 2),
      at: f.datetime(),
      tags: f.array(f.text()),
      bigs: f.array(f.number().bigint()),
      sums: f.array(f.number().decimal(8, 2)),
      moments: f.array(f.datetime()),
      data: f.json(),
    }))
    const localized = items((f) => ({
      name: f.text().required().unique().localized(),
      size: f.number().bigint().localized(),
      price: f.number().decimal(8, 2).localized(),
      at: f.datetime().localized(),
      tags: f.array(f.text()).localized(),
      bigs: f.array(f.number().bigint()).localized(),
      sums: f.array(f.number().decimal(8, 2)).localized(),
      moments: f.array(f.datetime()).localized(),
      data: f.json().localized(),
    }))
    const first = await start(database, [before])
    const lists = { tags: ["x"], bigs: [2n ** 60n + 1n], sums: ["1.50"], moments: [new Date(7)] }
    const values = { name: "a", size: 2n ** 60n, price: "1.50", at: new Date(5), ...lists, data: { en: 1 } }
    await first.system.collections["items"]?.create(values)
    await first.system.collections["items"]?.create({ name: "b" })

    const second = await start(database, [localized])
    const third = await start(database, [localized])

    expect(second.syncReport?.changes).toContain('store column "items.name" by locale, its values as "en"')
    expect(third.syncReport).toMatchObject({ changes: [], liftedConstraints: [] })
    const { docs } = (await third.system.collections["items"]?.find({ orderBy: { name: "asc" } })) ?? { docs: [] }
    expect(docs).toMatchObject([values, { name: "b", size: null, price: null, at: null, tags: null, data: null }])
    await expect(third.system.collections["items"]?.create({ name: "a" })).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await third.system.collections["items"]?.findOne({ where: { name: "a" }, locale: "*" })).toMatchObject({
      size: { en: 2n ** 60n },
      at: { en: values.at },
      bigs: { en: lists.bigs },
      sums: { en: lists.sums },
      moments: { en: lists.moments },
      data: { en: { en: 1 } },
    })
  })

  test("is back with all its locales when it was declared no more for a while", async () => {
    const database = await freshDatabase()
    const fields = (f: any) => ({ name: f.text().localized().unique(), data: f.json().localized() })
    const first = await start(database, [items((f) => ({ ...fields(f), rank: f.number().integer() }))])
    const row = await first.system.collections["items"]?.create({ name: "Bread", data: { a: 1 } })
    const id = String(row?.["id"])
    await first.system.collections["items"]?.updateById({ id, data: { name: "Chlieb" } }, { locale: "sk" })

    await start(database, [items((f) => ({ rank: f.number().integer() }))])
    await start(database, [items((f) => ({ rank: f.number() }))])
    const last = await start(database, [items((f) => ({ ...fields(f), rank: f.number() }))])

    expect(await last.system.collections["items"]?.findOne({ locale: "*" })).toMatchObject({
      name: { en: "Bread", sk: "Chlieb" },
      data: { en: { a: 1 } },
    })
    const plain = start(database, [items((f) => ({ name: f.json() }))])
    await expect(plain).rejects.toThrow('stores "name" as text by locale, but the field is declared as jsonb.')
  })

  test("and required needs a value in the default locale of every record", async () => {
    const database = await freshDatabase()
    const first = await start(database, [items((f) => ({ name: f.text().localized() }))])
    await first.system.collections["items"]?.create({ name: "Chlieb" }, { locale: "sk" })
    await first.system.collections["items"]?.create({ name: "Bread" })

    const without = start(database, [items((f) => ({ name: f.text().localized().required() }))])
    await expect(without).rejects.toThrow("is required, but the table already has records without it")
    const second = await start(database, [items((f) => ({ name: f.text().localized().required().default("?") }))])

    const { docs } = (await second.system.collections["items"]?.find({ locale: "*", orderBy: { name: "asc" } })) ?? {}
    expect(docs).toMatchObject([{ name: { en: "?", sk: "Chlieb" } }, { name: { en: "Bread" } }])
  })

  test("cannot become another type on the way, nor lose its locales, and says so", async () => {
    const database = await freshDatabase()
    await start(database, [items((f) => ({ name: f.text() }))])

    const asNumber = start(database, [items((f) => ({ name: f.number().integer().localized() }))])
    await expect(asNumber).rejects.toThrow('stores "name" as text, but the field is declared as integer by locale')

    await start(database, [items((f) => ({ name: f.text().localized() }))])
    const back = start(database, [items((f) => ({ name: f.text() }))])
    await expect(back).rejects.toThrow('stores "name" as text by locale, but the field is declared as text.')
    const asJson = start(database, [items((f) => ({ name: f.json() }))])
    await expect(asJson).rejects.toThrow('stores "name" as text by locale, but the field is declared as jsonb.')
  })

  test("may be a new one that is required, with a default for the records that are there", async () => {
    const database = await freshDatabase()
    const first = await start(database, [items((f) => ({ name: f.text() }))])
    await first.system.collections["items"]?.create({ name: "a" })

    const second = await startOn(
      database,
      [items((f) => ({ name: f.text(), note: f.text().required().localized().default("it's") }))],
      { locales },
    )

    expect(await second.system.collections["items"]?.findOne({ locale: "*" })).toMatchObject({ note: { en: "it's" } })
  })
})

describe("an index of a localized field", () => {
  const indexed = items((f) => ({
    name: f.text().localized().index(),
    rank: f.number().integer().localized().index(),
    kind: f.select(["a", "b"]).localized(),
    code: f.text().localized(),
    slug: f.text().localized().unique(),
    team: f.text(),
  })).indexes([{ fields: ["team", "code"], unique: true }])

  test("is there for each locale and serves its filter, fallback included", async () => {
    const database = await freshDatabase()
    const app = await start(database, [indexed])
    await database.query(`insert into items (id, name, slug, rank, kind, "createdAt", "updatedAt")
      select gen_random_uuid(), jsonb_build_object('en', 'n' || i), jsonb_build_object('en', 's' || i), jsonb_build_object('en', i),
        jsonb_build_object('en', case when i % 1000 = 0 then 'a' else 'b' end), now(), now() from generate_series(1, 20000) i`)
    await database.query("analyze items")
    const plan = async (where: object, locale = "sk") => {
      const schema = app.schema.inLocale({ locale, hasFallback: true })
      const { text, values } = matching(schema.collections.get("items"), where)
      const rows = await database.query(`explain ${text}`, [...values])
      return rows.map((row) => row["QUERY PLAN"]).join("\n")
    }

    expect(await plan({ name: "n77" })).toContain("items.name.index.sk")
    expect(await plan({ rank: { between: [5, 9] } })).toContain("items.rank.index.sk")
    expect(await plan({ kind: "a" })).toContain("items.kind.index.sk")
    expect(await plan({ slug: "s77" })).toContain("items.slug.index.sk")
    expect(await plan({ slug: "s77" }, "en")).toContain("items.slug.unique.en")
  })

  test("over several fields is unique in each locale", async () => {
    const database = await freshDatabase()
    const app = await start(database, [indexed])
    const rows = app.system.collections["items"]
    await rows?.create({ team: "x", code: "1" })
    const other = await rows?.create({ team: "x", code: "2" })
    const id = String(other?.["id"])

    await rows?.updateById({ id, data: { code: "1" } }, { locale: "sk" })
    await expect(rows?.updateById({ id, data: { code: "1" } })).rejects.toMatchObject({ code: "CONFLICT" })
    await expect(rows?.create({ team: "x", code: "1" }, { locale: "sk" })).rejects.toMatchObject({ code: "CONFLICT" })
  })

  test("comes with a new locale", async () => {
    const database = await freshDatabase()
    await start(database, [indexed])

    await start(database, [indexed], { locales: { ...locales, all: [...locales.all, "cs"] } })

    const found = await database.query("select 1 from pg_indexes where indexname = 'items.name.index.cs'")
    expect(found).toHaveLength(1)
  })
})

describe("another default locale", () => {
  const pages = items((f) => ({ name: f.text().required().localized(), note: f.text().localized() }))
  const moved = { locales: { ...locales, default: "sk" } }

  test("is told once which required fields lack it in how many rows, and changes nothing", async () => {
    const database = await freshDatabase()
    const first = await start(database, [pages])
    const both = await first.system.collections["items"]?.create({ name: "a" })
    await first.system.collections["items"]?.updateById(
      { id: String(both?.["id"]), data: { name: "á" } },
      { locale: "sk" },
    )
    await first.system.collections["items"]?.create({ name: "b" })
    await first.system.collections["items"]?.create({ name: "c" })

    const second = await start(database, [pages], moved)
    const third = await start(database, [pages], moved)

    expect(first.syncReport.warnings).toEqual([])
    expect(second.syncReport.warnings).toEqual([
      'items.name is required, but 2 rows have no value in "sk", the default locale, and may read null. ' +
        'Write one in that locale, or name another that has it: locales: { fallback: { "sk": ["…"] } }.',
    ])
    expect(third.syncReport.warnings).toEqual([])
    const { docs } = (await third.system.collections["items"]?.find({ orderBy: { createdAt: "asc" } })) ?? { docs: [] }
    expect(docs.map(({ name }) => name)).toEqual(["á", null, null])
  })
})

test("a locale that is listed no more is not shown, and is back when it is listed again", async () => {
  const database = await freshDatabase()
  const parts = items((f) => ({
    name: f.text().required().localized(),
    size: f.number().bigint().localized(),
    data: f.json().localized(),
    parent: f.relation("items"),
  })).access({ read: true })
  const wide = await start(database, [parts])
  const rows = wide.system.collections["items"]
  const parent = String((await rows?.create({ name: "a", data: { deep: null } }))?.["id"])
  await rows?.updateById({ id: parent, data: { name: "á", size: 2n ** 60n } }, { locale: "sk" })
  await rows?.create({ name: "child", parent })
  const options = { where: { id: parent }, locale: "*" }
  const shown = { name: { en: "a" }, size: null, data: { en: { deep: null } } }

  const narrow = await start(database, [parts], { locales: { default: "en", all: ["en", "pt-BR"] } })
  const found = await narrow.system.collections["items"]?.findOne(options)
  const child = await narrow.system.collections["items"]?.findOne({
    where: { parent },
    with: { parent: true },
    locale: "*",
  })
  const answer = await narrow.handler(new Request(`http://localhost/api/items/${parent}?locale=*`))
  await narrow.system.collections["items"]?.updateById({ id: parent, data: { name: "b" } })
  const again = await start(database, [parts])

  expect(found).toMatchObject(shown)
  expect(child).toMatchObject({ name: { en: "child" }, parent: shown })
  expect(await answer.json()).toMatchObject(shown)
  expect(await again.system.collections["items"]?.findOne(options)).toMatchObject({
    name: { en: "b", sk: "á" },
    size: { sk: 2n ** 60n },
  })
})

describe("a mistake", () => {
  test.each<[string, Declare, string]>([
    ["a relation", (f) => ({ a: f.relation("items").localized() }), 'field "a" is a relation and cannot be localized'],
    ["a computed field", (f) => ({ a: f.computed(() => 1).localized() }), "is not stored and cannot have .localized()"],
    ["a unique date", (f) => ({ a: f.date().localized().unique() }), "is a localized date and cannot have .unique()"],
    ["an indexed list", (f) => ({ a: f.array(f.text()).localized().index() }), "cannot have .index()"],
    ["a part", (f) => ({ a: f.object({ b: f.text().localized() }) }), "Use it on the whole field"],
  ])("of %s stops the start", async (_name, declare, message) => {
    const database = await freshDatabase()

    await expect(start(database, [items(declare)])).rejects.toThrow(message)
  })

  test.each<[KitConfig["locales"] | object, string]>([
    [{ default: "en", all: ["sk"] }, 'the locale "en" is used in "locales", but "locales.all" does not name it'],
    [{ default: "en", all: ["en", "x y"] }, 'the locale "x y" in "locales.all" is not valid'],
    [{ default: "en", all: ["en", "EN"] }, 'the locale "EN" is twice'],
    [{ default: "en", all: ["en"], fallback: { sk: ["en"] } }, 'the locale "sk" is used'],
    [{ all: ["en"] }, 'the setting "locales" needs "default" and "all"'],
    [{ default: "en", all: "en" }, 'the setting "locales.all" must be a list of texts'],
    [{ default: "en", all: [] }, '"locales.all" is empty'],
    [{ default: "en", all: ["en"], fallbacks: {} }, 'Did you mean "fallback"?'],
  ])("in locales %j stops the start", async (given, message) => {
    const database = await freshDatabase()

    // A mistake that JavaScript lets through.
    const config = { locales: given as NonNullable<KitConfig["locales"]> }
    await expect(start(database, [items((f) => ({ a: f.text() }))], config)).rejects.toThrow(message)
  })
})

function matching(resource: Resource | undefined, where: object): Statement {
  if (resource === undefined) throw new Error("There is no such collection.")
  const reading = typedParseContext(EVERYTHING)
  return selectMatching(wholeSelection(resource, reading), parseWhere(resource, where, reading))
}

function start(database: TestDatabase, sources: readonly Collection<any>[], config: KitConfig = { locales }) {
  return startOn(database, sources, config)
}

function items(declare: Declare): Collection<any> {
  return collection("items").fields(({ f }) => declare(f))
}
