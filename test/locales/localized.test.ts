// @module-tag installed-postgres

import { collection, global, route } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(60).required().localized().unique(), code: f.text() }))
  .title("name")
  .access({ read: true, create: true, update: true, delete: true })

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(80).required().localized().index(),
    slug: f.text(80).localized().unique(),
    body: f.richText().localized(),
    price: f.number().decimal(8, 2).localized(),
    visits: f.number().bigint().localized(),
    stars: f.number().integer().localized().default(1),
    isOpen: f.boolean().localized(),
    day: f.date().localized(),
    at: f.datetime().localized(),
    opens: f.time().localized(),
    mood: f.select(["good", "bad"]).localized(),
    topics: f.select(["a", "b", "c"]).multiple().localized(),
    sizes: f.array(f.number().integer()).localized(),
    sums: f.array(f.number().decimal(6, 1)).localized(),
    place: f.object({ city: f.text().required(), since: f.datetime() }).localized(),
    plain: f.text(),
    tag: f.relation("tags"),
    shout: f.computed(({ row }) => `${row["title"]}!`),
    letters: f.virtual(f.number().integer(), 'length("title")'),
  }))
  .title("title")
  .access({ read: true, create: true, update: true, delete: true })

const hooked = collection("hooked")
  .fields(({ f }) => ({ title: f.text().required().localized(), seen: f.text() }))
  .access({ read: true, create: true, update: true })
  .hooks({
    beforeChange: ({ data, original, locale }) => ({
      ...data,
      seen: `${locale}: ${original?.["title"] ?? "-"} > ${data["title"]}`,
    }),
  })

const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text().required().localized(), year: f.number().integer() }))
  .access({ read: true, update: true })

const echo = route()
  .get()
  .handler(async ({ collections, locale }) => {
    const page = await collections["articles"]?.find({ columns: { title: true }, orderBy: { title: "asc" } })
    return { locale, titles: page?.docs.map(({ title }) => title) }
  })

const locales = { default: "en", all: ["en", "sk", "cs", "pt-BR"], fallback: { sk: ["cs"] } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [tags, articles, hooked, settings], routes: { echo }, config: { locales } })
})

afterAll(() => app[Symbol.asyncDispose]())

const VALUES = {
  title: "Bread",
  slug: "bread",
  body: { type: "doc", content: [] },
  price: "12.50",
  visits: 9_007_199_254_740_993n,
  stars: 3,
  isOpen: false,
  day: "2026-05-04",
  at: new Date("2026-05-04T10:00:00.000Z"),
  opens: "10:30:00",
  mood: "good",
  topics: ["a", "c"],
  sizes: [3, 1],
  place: { city: "Ghent", since: new Date("2020-01-01T00:00:00.000Z") },
}

function articlesOf(locale?: string) {
  return app.client(undefined, locale === undefined ? {} : { headers: { "accept-language": locale } }).collections[
    "articles"
  ]
}

async function clear() {
  await articlesOf().deleteMany({ all: true })
}

describe("a localized field", () => {
  test("of every type is written in one locale and read back in it", async () => {
    const created = await articlesOf().create(VALUES)
    const changed = Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [name, other(value)]))

    const patched = await articlesOf().updateById(
      { id: created.id, data: { ...changed, mood: "bad" } },
      { locale: "sk" },
    )

    expect(created).toMatchObject(VALUES)
    expect(patched).toMatchObject({ ...changed, mood: "bad" })
    expect(await articlesOf().findOne({ where: { id: created.id } })).toMatchObject(VALUES)
    expect(await articlesOf().findOne({ where: { id: created.id }, locale: "sk" })).toMatchObject({
      ...changed,
      mood: "bad",
    })
    await clear()
  })

  test("falls back by its chain, then to the default locale, and not at all if told so", async () => {
    const { id } = await articlesOf().create({ title: "Bread", slug: "bread" })
    await articlesOf().updateById({ id, data: { title: "Chléb" } }, { locale: "cs" })

    const read = (options: object) =>
      articlesOf().findOne({ where: { id }, columns: { title: true, slug: true }, ...options })

    expect(await read({ locale: "sk" })).toMatchObject({ title: "Chléb", slug: "bread" })
    expect(await read({ locale: "pt-BR" })).toMatchObject({ title: "Bread" })
    expect(await read({ locale: "sk", localeFallback: false })).toMatchObject({ title: null, slug: null })
    expect(await read({ locale: "cs", localeFallback: false })).toMatchObject({ title: "Chléb", slug: null })
    await clear()
  })

  test("shows all locales at once, in related records too", async () => {
    const tag = await app.client().collections["tags"].create({ name: "Food" })
    await app.client().collections["tags"].updateById({ id: tag.id, data: { name: "Jedlo" } }, { locale: "sk" })
    const { id } = await articlesOf().create({ ...VALUES, tag: tag.id })
    await articlesOf().updateById({ id, data: { title: "Chlieb", visits: 2n, at: new Date(0) } }, { locale: "sk" })

    const all = await articlesOf().findOne({ where: { id }, locale: "*", with: { tag: true } })

    expect(all).toMatchObject({
      title: { en: "Bread", sk: "Chlieb" },
      visits: { en: 9_007_199_254_740_993n, sk: 2n },
      at: { en: VALUES.at, sk: new Date(0) },
      place: { en: VALUES.place },
      topics: { en: ["a", "c"] },
      price: { en: "12.50" },
      plain: null,
      shout: "Bread!",
      letters: 5,
      tag: { name: { en: "Food", sk: "Jedlo" } },
    })
    expect(await app.app.system.collections["articles"]?.findOne({ where: { id }, locale: "*" })).toMatchObject({
      visits: { en: 9_007_199_254_740_993n, sk: 2n },
      at: { en: VALUES.at, sk: new Date(0) },
    })
    await clear()
    await app.client().collections["tags"].deleteMany({ all: true })
  })

  test("shows a decimal with all its digits, in one locale and in all at once", async () => {
    const { id } = await articlesOf().create({ title: "Bread", price: 7, sums: ["-0", "01.5"] })
    await articlesOf().updateById({ id, data: { price: "-0.5" } }, { locale: "sk" })

    const columns = { price: true, sums: true }
    expect(await articlesOf().findOne({ where: { id }, columns })).toMatchObject({
      price: "7.00",
      sums: ["0.0", "1.5"],
    })
    expect(await articlesOf().findOne({ where: { id }, columns, locale: "*" })).toMatchObject({
      price: { en: "7.00", sk: "-0.50" },
      sums: { en: ["0.0", "1.5"] },
    })
    await clear()
  })

  test("is emptied in one locale by null, which a required one cannot be in the default locale", async () => {
    const { id } = await articlesOf().create({ title: "Bread", slug: "bread" })
    await articlesOf().updateById({ id, data: { title: "Chlieb", slug: "chlieb" } }, { locale: "sk" })

    const emptied = await articlesOf().updateById({ id, data: { title: null, slug: null } }, { locale: "sk" })

    expect(emptied).toMatchObject({ title: "Bread", slug: "bread" })
    expect(await stored(id)).toEqual({ title: { en: "Bread" }, slug: { en: "bread" } })
    await articlesOf().updateById({ id, data: { slug: null } })
    expect(await stored(id)).toEqual({ title: { en: "Bread" }, slug: null })
    await expect(articlesOf().updateById({ id, data: { title: null } })).rejects.toMatchObject({ status: 400 })
    await expect(articlesOf().create({ title: null }, { locale: "sk" })).rejects.toMatchObject({ status: 400 })
    await clear()
  })

  test("created in another locale fills the default one only where it is required", async () => {
    const { id } = await articlesOf().create({ title: "Chlieb", slug: "chlieb" }, { locale: "sk" })

    expect(await stored(id)).toEqual({ title: { en: "Chlieb", sk: "Chlieb" }, slug: { sk: "chlieb" } })
    await clear()
  })

  test("is searched, filtered, ordered, grouped and measured in the locale that is read", async () => {
    const ids: string[] = []
    for (const [en, sk] of [
      ["Apple", "Jablko"],
      ["Pear", "Hruška"],
      ["Zebra", undefined],
    ] as const) {
      const { id } = await articlesOf().create({ title: en, mood: "good" })
      if (sk) await articlesOf().updateById({ id, data: { title: sk, mood: "bad" } }, { locale: "sk" })
      ids.push(id)
    }
    const titles = async (options: object) =>
      (await articlesOf().find(options)).docs.map(({ title }: { title: string }) => title)

    expect(await titles({ locale: "sk", orderBy: { title: "asc" } })).toEqual(["Hruška", "Jablko", "Zebra"])
    expect(await titles({ orderBy: { title: "desc" } })).toEqual(["Zebra", "Pear", "Apple"])
    expect(await titles({ locale: "sk", search: "jab" })).toEqual(["Jablko"])
    expect(await titles({ search: "jab" })).toEqual([])
    expect(await titles({ locale: "sk", where: { title: { in: ["Zebra", "Pear"] } } })).toEqual(["Zebra"])
    expect(await titles({ locale: "sk", localeFallback: false, where: { title: null } })).toEqual([null])
    expect(await titles({ locale: "sk", where: { letters: 6 }, orderBy: { letters: "asc", title: "asc" } })).toEqual([
      "Hruška",
      "Jablko",
    ])
    expect(await titles({ locale: "*", where: { title: "Pear" } })).toEqual([{ en: "Pear", sk: "Hruška" }])
    const groups = await articlesOf().find({ locale: "sk", groupBy: { field: "mood", docs: 1 } })
    expect(groups.groups.map(({ key, count }: { key: string; count: number }) => [key, count])).toEqual([
      ["bad", 2],
      ["good", 1],
    ])
    expect(await articlesOf().count({ locale: "sk", where: { mood: "bad" } })).toBe(2)
    await clear()
  })

  test("is unique in the locale that is written", async () => {
    const tagsOf = app.client().collections["tags"]
    const first = await tagsOf.create({ name: "Gift" })
    const second = await tagsOf.create({ name: "Poison" })

    await tagsOf.updateById({ id: second.id, data: { name: "Gift" } }, { locale: "sk" })

    await expect(tagsOf.updateById({ id: first.id, data: { name: "Gift" } }, { locale: "sk" })).rejects.toMatchObject({
      status: 409,
      fieldErrors: [{ path: "name" }],
    })
    await expect(tagsOf.create({ name: "Gift" })).rejects.toMatchObject({ status: 409 })
    await tagsOf.deleteMany({ all: true })
  })

  test("keeps its other locales in bulk writes", async () => {
    const ids: string[] = []
    for (const title of ["One", "Two"]) ids.push((await articlesOf().create({ title, stars: 1 })).id)

    await articlesOf().updateMany({ where: { stars: 1 }, data: { stars: 5 } }, { locale: "sk" })
    await articlesOf().updateBatch(
      { updates: ids.map((id, index) => ({ id, data: { title: `Č${index}`, topics: index === 0 ? ["b"] : null } })) },
      { locale: "cs" },
    )

    const all = await articlesOf().find({ locale: "*", orderBy: { title: "asc" } })
    expect(all.docs).toMatchObject([
      { title: { en: "One", cs: "Č0" }, stars: { en: 1, sk: 5 }, topics: { cs: ["b"] } },
      { title: { en: "Two", cs: "Č1" }, stars: { en: 1, sk: 5 }, topics: null },
    ])
    await clear()
  })

  test("meets hooks in the locale of the write", async () => {
    const rows = app.client().collections["hooked"]
    const { id } = await rows.create({ title: "Hello" })
    const changed = await rows.updateById({ id, data: { title: "Ahoj" } }, { locale: "sk" })

    expect(changed).toMatchObject({ title: "Ahoj", seen: "sk: Hello > Ahoj" })
    expect(await rows.findOne({ where: { id }, locale: "*" })).toMatchObject({ title: { en: "Hello", sk: "Ahoj" } })
  })

  test("of a global is kept by locale from its first write on", async () => {
    const motto = app.client().globals["settings"]

    expect(await motto.update({ motto: "Vždy", year: 1 }, { locale: "sk" })).toMatchObject({ motto: "Vždy", year: 1 })
    expect(await motto.update({ motto: "Always" })).toMatchObject({ motto: "Always" })
    expect(await motto.get({ locale: "*" })).toMatchObject({ motto: { en: "Always", sk: "Vždy" } })
  })
})

describe("the locale of a request", () => {
  test.each([
    ["sk", "sk"],
    ["SK-sk", "sk"],
    ["de, cs;q=0.5, sk;q=0.8", "sk"],
    ["sk;q=0, cs", "cs"],
    ["pt", "pt-BR"],
    ["pt-br", "pt-BR"],
    ["de, *", "en"],
    ["de", "en"],
    ["", "en"],
    ["sk;q=x, ;;,, cs;q=2", "en"],
    ["x".repeat(5000), "en"],
    ["-".repeat(8000), "en"],
    ["a-".repeat(4000), "en"],
  ])("that prefers %j is %s", async (header, expected) => {
    const { body, headers } = await app.fetch("/echo", { headers: { "accept-language": header } })

    expect(body.locale).toBe(expected)
    expect(headers.get("vary")).toContain("Accept-Language")
  })

  test("is the one of the query string, which routes take only if it is one", async () => {
    await articlesOf().create({ title: "Bread" }, { locale: "sk" })

    expect((await app.fetch("/echo?locale=sk")).body).toEqual({ locale: "sk", titles: ["Bread"] })
    expect((await app.fetch("/echo?locale=xx", { headers: { "accept-language": "cs" } })).body.locale).toBe("cs")
    expect((await app.fetch("/articles?locale=sk&limit=1", { headers: { "accept-language": "cs" } })).status).toBe(200)
    await clear()
  })

  test("is refused where the app does not have it, and where a write would mean all", async () => {
    const unknown = await app.fetch("/articles?locale=de")
    expect(unknown.status).toBe(400)
    expect(unknown.body.error.fieldErrors).toEqual([
      { path: "locale", message: "Expected one of: en, sk, cs, pt-BR; or * for all of them." },
    ])
    const odd = [
      "locale[]=sk",
      "locale=",
      "locale[a]=1",
      "locale=SK",
      "locale=en'--",
      "locale=../x",
      "locale=__proto__",
    ]
    for (const query of [...odd, "locale=sk%00", "localeFallback=maybe", "localeFallback[]=true"])
      expect((await app.fetch(`/articles?${query}`)).status).toBe(400)
    await expect(articlesOf().create({ title: "x" }, { locale: "*" })).rejects.toMatchObject({ status: 400 })
    await expect(articlesOf().deleteMany({ where: { stars: 1 } }, { locale: "*" })).rejects.toMatchObject({
      status: 400,
    })
    expect((await app.fetch("/articles/query", json({ locale: "de" }))).status).toBe(400)
    expect((await app.fetch("/articles/query", json({ locale: "sk", limit: 1 }))).status).toBe(200)
    await expect(app.app.system.collections["articles"]?.find({ locale: "de" })).rejects.toThrow()
  })
})

function json(body: unknown): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
}

async function stored(id: string) {
  const [row] = await app.database.query("select title, slug from articles where id = $1", [id])
  return row
}

// Returns another value of the same type.
function other(value: unknown): unknown {
  if (typeof value === "bigint") return value + 1n
  if (typeof value === "number") return value + 1
  if (typeof value === "boolean") return !value
  if (value instanceof Date) return new Date(value.getTime() + 1)
  if (Array.isArray(value)) return value.slice(0, 1)
  if (typeof value !== "string") return value
  if (/^\d{4}-/.test(value)) return "2027-01-02"
  if (/^\d\d:/.test(value)) return "11:45:00"
  return /^\d/.test(value) ? "13.25" : `${value} 2`
}
