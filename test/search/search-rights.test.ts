// @module-tag not-about-connections

import { collection, route, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const eva: Session = { user: { id: "eva" } }
const bob: Session = { user: { id: "bob" } }

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    body: f.textarea(),
    notes: f.textarea().access({ read: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    budget: f.text().access({ read: ({ session }) => session?.user.id === "eva" }),
    keywords: f.text().hidden(),
    owner: f.text(),
    isPublic: f.boolean().required().default(true),
  }))
  .title("title")
  .searchable({ fields: ["body", "notes", "budget", "keywords"], facets: ["owner"] })
  .options({ softDelete: true })
  .access({
    read: ({ session }) =>
      session?.user.id === "eva" || { OR: [{ isPublic: true }, { owner: session?.user.id ?? "" }] },
    delete: true,
  })

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text().required() }))
  .title("title")
  .searchable({})
  .options({ workflow: true })
  .access({ read: true, update: ({ session }) => session !== null, transition: true })

const routes = {
  "own-search": route()
    .schema(z.object({ query: z.string() }))
    .handler(async ({ input, search, asSystem }) => {
      const options = { query: input.query, collections: ["posts"] }
      return { caller: (await search.search(options)).total, system: (await asSystem().search.search(options)).total }
    }),
}

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, pages],
    routes,
    config: { locales: { default: "en", all: ["en", "de"] } },
  })
  const { collections } = app.app.system
  const rows = [
    {
      title: "Open harbour",
      body: "ships and cranes",
      notes: "pelican",
      budget: "walnut",
      keywords: "quay",
      owner: "bob",
    },
    { title: "Secret harbour", body: "submarines", owner: "bob", isPublic: false },
    { title: "Plain harbour", body: "a pelican on a boat", notes: "heron", owner: "eva" },
  ]
  for (const row of rows) await collections["posts"]?.create(row)
  const open = await collections["posts"]?.findOne({ where: { title: "Open harbour" } })
  await collections["posts"]?.updateById(
    { id: String(open?.["id"]), data: { title: "Offener Hafen" } },
    { locale: "de" },
  )
  const gone = await collections["posts"]?.create({ title: "Deleted harbour" })
  await collections["posts"]?.deleteById({ id: String(gone?.["id"]) })
  const page = await collections["pages"]?.create({ title: "Walrus" })
  await collections["pages"]?.transitionStage({ id: String(page?.["id"]), stage: "published" })
  await collections["pages"]?.updateById({ id: String(page?.["id"]), data: { title: "Narwhal" } })
})

afterAll(() => app[Symbol.asyncDispose]())

async function titles(query: string, { session, ...options }: any = {}): Promise<string[]> {
  const { docs, total } = await app.client(session).search.search({ query, collections: ["posts"], ...options })
  expect(total).toBe(docs.length)
  return docs.map((doc: any) => doc.title).sort()
}

async function beginningsFound(word: string): Promise<readonly string[]> {
  const found: string[] = []
  for (let letters = 1; letters <= word.length; letters++) {
    if ((await titles(word.slice(0, letters))).length > 0) found.push(word.slice(0, letters))
  }
  return found
}

describe("rows", () => {
  test("are found only by those who may read them", async () => {
    expect(await titles("harbour")).toEqual(["Open harbour", "Plain harbour"])
    expect(await titles("harbour", { session: bob })).toEqual(["Open harbour", "Plain harbour", "Secret harbour"])
    expect(await titles("submarines")).toEqual([])
    expect(await titles("", { session: eva })).toEqual(["Open harbour", "Plain harbour", "Secret harbour"])
  })

  test("of which the caller may not read do not change scores and facets", async () => {
    const search = { query: "harbour", collections: ["posts"], facets: [{ field: "owner" }] }
    const before = await app.client().search.search(search)
    const hidden = await app.app.system.collections["posts"]?.create({
      title: "Harbour harbour",
      isPublic: false,
      owner: "x",
    })
    const after = await app.client().search.search(search)
    await app.app.system.collections["posts"]?.deleteById({ id: String(hidden?.["id"]) })

    expect(after).toEqual(before)
    expect(before.facets).toEqual({ owner: expect.arrayContaining([{ value: "bob", count: 1 }]) })
  })
})

describe("fields", () => {
  test("are searched only where the caller may read them", async () => {
    expect(await titles("heron")).toEqual([])
    expect(await titles("heron", { session: bob })).toEqual([])
    expect(await titles("heron", { session: eva })).toEqual(["Plain harbour"])
    expect(await titles("pelican")).toEqual(["Plain harbour"])
    expect(await titles("pelican", { session: bob })).toEqual(["Open harbour", "Plain harbour"])
    expect(await titles("walnut", { session: bob })).toEqual([])
    expect(await titles("walnut", { session: eva })).toEqual(["Open harbour"])
  })

  test("that the caller may not read cannot exclude a record, either", async () => {
    expect(await titles("harbour -heron")).toEqual(["Open harbour", "Plain harbour"])
    expect(await titles("harbour -heron", { session: eva })).toEqual(["Open harbour", "Secret harbour"])
  })

  test("that the caller may not read do not use up the positions of words in others", async () => {
    const notes = Array.from({ length: 17_000 }, (_, place) => `word${place % 90}`).join(" ")
    const long = await app.app.system.collections["posts"]?.create({
      title: "Long",
      notes,
      keywords: "quay-side crane",
    })
    const found = [await titles("quay-side"), await titles("quay-side "), await titles('"quay-side crane" -heron')]
    await app.app.system.collections["posts"]?.deleteById({ id: String(long?.["id"]) })

    expect(found).toEqual([["Long"], ["Long"], ["Long"]])
  })

  test("that are hidden but searchable are found and neither sent nor highlighted", async () => {
    const { docs } = await app.client().search.search({ query: "quay", collections: ["posts"], highlights: true })

    expect(docs.length).toBe(1)
    expect(docs[0].keywords).toBeUndefined()
    expect(docs[0]._search.highlights).toEqual({})
  })

  // `kit doctor` names such fields. A rule, other than `.hidden()`, keeps a value from being found out.
  test("that are hidden and searchable can be found out letter by letter, those with a rule cannot", async () => {
    expect(await beginningsFound("quay")).toEqual(["q", "qu", "qua", "quay"])
    expect(await beginningsFound("walnut")).toEqual([])
  })

  test("are highlighted only where the caller may read them", async () => {
    const search = { query: "pelican", collections: ["posts"], highlights: true }
    const forBob = await app.client(bob).search.search(search)

    expect(Object.fromEntries(forBob.docs.map((doc: any) => [doc.title, doc._search.highlights]))).toEqual({
      "Open harbour": { notes: ["<mark>pelican</mark>"] },
      "Plain harbour": { body: ["a <mark>pelican</mark> on a boat"] },
    })
  })
})

describe("stages", () => {
  const found = async (query: string, session?: Session, more: object = {}) => {
    const { docs } = await app.client(session).search.search({ query, collections: ["pages"], ...more })
    return docs.map((doc: any) => doc.title)
  }

  test("are searched as find reads them", async () => {
    expect(await found("walrus")).toEqual(["Walrus"])
    expect(await found("narwhal")).toEqual([])
    expect(await found("narwhal", eva)).toEqual(["Narwhal"])
    expect(await found("walrus", eva)).toEqual([])
    expect(await found("walrus", eva, { stage: "published" })).toEqual(["Walrus"])
    expect(await found("narwhal", eva, { stage: "draft" })).toEqual(["Narwhal"])
  })

  test("that the caller may not read are refused, and left out of a search that names no collections", async () => {
    await expect(found("narwhal", undefined, { stage: "draft" })).rejects.toMatchObject({ status: 401 })
    await expect(found("", undefined, { stage: "nothing" })).rejects.toMatchObject({ status: 400 })
    await expect(app.client().search.search({ query: "", stage: "draft" })).rejects.toMatchObject({ status: 400 })
    expect((await app.client(eva).search.search({ query: "narwhal", stage: "draft" })).total).toBe(1)
  })
})

describe("locales", () => {
  test("are searched in the read locale, with its fallback or without", async () => {
    expect(await titles("hafen", { locale: "de" })).toEqual(["Offener Hafen"])
    expect(await titles("hafen")).toEqual([])
    expect(await titles("harbour", { locale: "de" })).toEqual(["Plain harbour"])
    expect(await titles("harbour", { locale: "de", localeFallback: false })).toEqual([])
    expect(await titles("hafen", { locale: "de", localeFallback: false })).toEqual(["Offener Hafen"])
  })

  test("follow the client's locale", async () => {
    const client: any = app.client()
    client.setLocale("de")

    expect((await client.search.search({ query: "hafen" })).total).toBe(1)
  })
})

test("handlers search with the caller's rights, and system code with all", async () => {
  const { status, body } = await app.fetch("/own-search", { method: "POST", body: '{"query":"harbour"}' })

  expect(status).toBe(200)
  expect(body).toEqual({ caller: 2, system: 3 })
})
