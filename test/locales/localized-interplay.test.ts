import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true } as const

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text(60).required().localized().unique(),
    pages: f.relation("pages").manyToMany({ through: "tagging" }),
  }))
  .access({ ...OPEN, restore: true, purge: true })
  .options({ softDelete: true, revision: true })

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    // Visible only in open pages.
    teaser: f
      .text()
      .localized()
      .access({ read: () => ({ isOpen: true }) }),
    isOpen: f.boolean().required().default(true),
    parent: f.relation("pages"),
    children: f.relation("pages").hasMany({ via: "parent" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
  }))
  .title("title")
  .access({ ...OPEN, read: ({ locale }) => locale === "*" || { title: { ne: "Tajné" } } })
  .hooks({
    afterRead: ({ row, locale }) => ({ ...row, title: locale === "*" ? row["title"] : `${row["title"]} (${locale})` }),
  })

// Published in some languages, and withdrawn in others.
const notices = collection("notices")
  .fields(({ f }) => ({
    text: f.text().localized(),
    note: f.text().access({ read: () => ({ NOT: { isSecret: true } }) }),
    isPublic: f.boolean().localized(),
    isSecret: f.boolean().localized(),
  }))
  .access({ ...OPEN, read: () => ({ isPublic: true }) })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [tags, pages, notices], config: { locales: { default: "en", all: ["en", "sk"] } } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => app.database.query("truncate pages, tags, notices, _kit_changes cascade"))

test("records that are created along are written in the same locale", async () => {
  const { collections } = app.client()

  const page = await collections["pages"].create(
    {
      title: "Ovocie",
      children: { create: [{ title: "Jablko" }] },
      tags: { connectOrCreate: { where: { name: "Jedlo" }, create: { name: "Jedlo" } } },
    },
    { locale: "sk" },
  )
  const again = await collections["pages"].create(
    { title: "Chlieb", tags: { connectOrCreate: { where: { name: "Jedlo" }, create: { name: "Jedlo" } } } },
    { locale: "sk" },
  )

  const read = (id: string) =>
    collections["pages"].findOne({ where: { id }, locale: "*", with: { children: true, tags: true } })
  expect(await read(page.id)).toMatchObject({
    title: { en: "Ovocie", sk: "Ovocie" },
    children: [{ title: { en: "Jablko", sk: "Jablko" } }],
    tags: [{ name: { en: "Jedlo", sk: "Jedlo" } }],
  })
  expect((await read(again.id)).tags).toEqual((await read(page.id)).tags)
})

test("a unique value names the record that holds it in the locale, before one that falls back to it", async () => {
  const { collections } = app.client()
  const [gift, poison] = [
    await collections["tags"].create({ name: "Gift" }),
    await collections["tags"].create({ name: "Poison" }),
  ]
  await collections["tags"].updateById({ id: poison.id, data: { name: "Gift" } }, { locale: "sk" })
  const connect = async (name: string) => {
    const tags = { connectOrCreate: { where: { name }, create: { name } } }
    const { id } = await collections["pages"].create({ title: "x", tags }, { locale: "sk" })
    return (await collections["pages"].findOne({ where: { id }, with: { tags: true } })).tags[0].id
  }

  expect(await connect("Gift")).toBe(poison.id)
  await collections["tags"].updateById({ id: poison.id, data: { name: "Jed" } }, { locale: "sk" })
  expect(await connect("Gift")).toBe(gift.id)
})

test("filters through relations look at the locale that is read", async () => {
  const { collections } = app.client()
  const tag = await collections["tags"].create({ name: "Food" })
  await collections["tags"].updateById({ id: tag.id, data: { name: "Jedlo" } }, { locale: "sk" })
  await collections["pages"].create({ title: "Bread", tags: [tag.id] })
  const count = (name: string, locale: string) =>
    collections["pages"].count({ where: { tags: { some: { name } } }, locale })

  expect(await count("Jedlo", "sk")).toBe(1)
  expect(await count("Food", "sk")).toBe(0)
  expect(await count("Food", "en")).toBe(1)
})

test("a rule of rows judges what the locale shows", async () => {
  const { collections } = app.client()
  const { id } = await collections["pages"].create({ title: "Secret" })
  const hide = collections["pages"].updateById({ id, data: { title: "Tajné" } }, { locale: "sk" })

  expect(await hide).toEqual({ id })
  expect(await collections["pages"].findOne({ where: { id }, locale: "sk" })).toBeNull()
  expect(await collections["pages"].findOne({ where: { id } })).toMatchObject({ title: "Secret (en)" })
})

test("all locales at once show only what each of them shows", async () => {
  const { notices } = app.app.system.collections
  const open = await notices?.create({ text: "Open", note: "x", isPublic: true, isSecret: false })
  const draft = await notices?.create({ text: "Ready", isPublic: true })
  await notices?.updateById({ id: String(draft?.["id"]), data: { text: "Koncept", isPublic: false } }, { locale: "sk" })
  const masked = { id: String(open?.["id"]), data: { isSecret: true } }
  const read = (options: object) => app.client().collections["notices"].find(options)

  expect((await read({})).totalDocs).toBe(2)
  expect((await read({ locale: "*" })).docs).toMatchObject([{ text: { en: "Open" }, note: "x" }])
  await notices?.updateById(masked, { locale: "sk" })
  const [shown] = (await read({ locale: "*" })).docs
  expect(shown).toMatchObject({ text: { en: "Open" } })
  expect(shown).not.toHaveProperty("note")
})

test("a rule judges with fallback, whether or not the answer has it", async () => {
  const { notices } = app.app.system.collections
  await notices?.create({ text: "Open", note: "x", isPublic: true, isSecret: true })
  const read = (options: object) => app.client().collections["notices"].findOne(options)

  expect(await read({ locale: "sk" })).not.toHaveProperty("note")
  expect(await read({ locale: "sk", localeFallback: false })).toMatchObject({ text: null, isPublic: null })
  expect(await read({ locale: "sk", localeFallback: false })).not.toHaveProperty("note")
})

test("a field that some rows hide is hidden in every locale, and in all at once", async () => {
  const { collections } = app.client()
  await collections["pages"].create({ title: "Open", teaser: "yes" })
  await collections["pages"].create({ title: "Closed", teaser: "yes", isOpen: false })
  const teasers = async (options: object) =>
    (await collections["pages"].find({ orderBy: { title: "asc" }, ...options })).docs.map((row: any) => row.teaser)

  expect(await teasers({ locale: "sk" })).toEqual([undefined, "yes"])
  expect(await teasers({ locale: "*" })).toEqual([undefined, { en: "yes" }])
  expect(await teasers({ locale: "sk", where: { teaser: "yes" } })).toEqual(["yes"])
})

test("a deleted record frees its value in each locale, and a restore takes it back or is refused", async () => {
  const { collections } = app.client()
  const first = await collections["tags"].create({ name: "A" })
  await collections["tags"].updateById({ id: first.id, data: { name: "X" } }, { locale: "sk" })
  await collections["tags"].deleteById({ id: first.id })
  const second = await collections["tags"].create({ name: "B" })
  await collections["tags"].updateById({ id: second.id, data: { name: "X" } }, { locale: "sk" })

  await expect(collections["tags"].restoreById({ id: first.id })).rejects.toMatchObject({ status: 409 })
  await collections["tags"].updateById({ id: second.id, data: { name: "Y" } }, { locale: "sk" })
  expect(await collections["tags"].restoreById({ id: first.id }, { locale: "sk" })).toMatchObject({ name: "X" })
})

test("translators of one record at the same time keep each other's work", async () => {
  const { collections } = app.client()
  const { id } = await collections["pages"].create({ title: "Start", teaser: "start" })

  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) =>
      collections["pages"].updateById({ id, data: { title: `en ${index}` } }),
    ),
    ...Array.from({ length: 10 }, (_, index) =>
      collections["pages"].updateById({ id, data: { title: `sk ${index}` } }, { locale: "sk" }),
    ),
  ])

  const { title } = await collections["pages"].findOne({ where: { id }, locale: "*" })
  expect(title).toEqual({ en: expect.stringMatching(/^en \d$/), sk: expect.stringMatching(/^sk \d$/) })
})

test("a change tells of all locales", async () => {
  const { collections } = app.client()
  const { id } = await collections["tags"].create({ name: "Food" })
  await collections["tags"].updateById({ id, data: { name: "Jedlo" } }, { locale: "sk" })

  const changes = await app.database.query("select before, after from _kit_changes order by xid, id")

  expect(changes).toMatchObject([
    { before: null, after: { name: { en: "Food" } } },
    { before: { name: { en: "Food" } }, after: { name: { en: "Food", sk: "Jedlo" } } },
  ])
})

test("the author's own writes within a read in all locales are in one, also where no field is localized", async () => {
  const visits = collection("visits").fields(({ f }) => ({ of: f.text() }))
  const plain = collection("plain")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: true })
    .hooks({
      afterRead: async ({ row, asSystem }) => {
        await asSystem().collections["visits"]?.create({ of: String(row["name"]) })
      },
    })
  await using other = await testApp({ resources: [visits, plain] })
  await other.app.system.collections["plain"]?.create({ name: "a" })

  const answer = await other.fetch("/plain?locale=*")

  expect(answer.status).toBe(200)
  expect(await other.app.system.collections["visits"]?.count({ where: { of: "a" } })).toBeGreaterThan(0)
})

test("hooks of nested records receive their values with fallback, whether or not the answer has it", async () => {
  const originals: unknown[] = []
  const parts = collection("parts")
    .fields(({ f }) => ({ name: f.text().localized(), machine: f.relation("machines") }))
    .access(OPEN)
    .hooks({ beforeChange: ({ original }) => void originals.push(original?.["name"]) })
  const machines = collection("machines")
    .fields(({ f }) => ({ parts: f.relation("parts").hasMany({ via: "machine" }) }))
    .access(OPEN)
  await using other = await testApp({
    resources: [parts, machines],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  const { collections } = other.client()
  const { id } = await collections["parts"].create({ name: "Wheel" })

  await collections["machines"].create({ parts: { connect: [id] } }, { locale: "sk", localeFallback: false })

  expect(originals).toEqual([undefined, "Wheel"])
})
