// @module-tag not-about-connections

import { ApiError, collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const eva: Session = { user: { id: "eva" } }
const admin: Session = { user: { id: "ada", role: "admin" } }
type Call = { readonly session: Session | null }
const isAdmin = ({ session }: Call) => session?.user.role === "admin"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().localized(), body: f.textarea(), owner: f.text() }))
  .title("title")
  .searchable({ fields: ["body"] })
  .options({ softDelete: true })
  .access({ read: true })

const letters = collection("letters")
  .fields(({ f }) => ({ subject: f.text().required(), owner: f.text() }))
  .title("subject")
  .access({ read: ({ session }) => isAdmin({ session }) || { owner: session?.user.id ?? "" } })

const files = collection("files")
  .fields(({ f }) => ({ note: f.text() }))
  .upload({ visibility: "public" })
  .access({ read: true, create: true })

const plans = collection("plans")
  .fields(({ f }) => ({ name: f.text().access({ read: isAdmin }) }))
  .title("name")
  .access({ read: true })

const memos = collection("memos")
  .fields(({ f }) => ({
    name: f.text().access({ read: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    owner: f.text(),
  }))
  .title("name")
  .access({ read: true })

const vaults = collection("vaults")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .access({ read: isAdmin })

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text().required() }))
  .title("title")
  .options({ workflow: true })
  .access({ read: true, update: isAdmin, transition: true })

const essays = collection("essays")
  .fields(({ f }) => ({ title: f.text().required(), owner: f.text().required() }))
  .title("title")
  .options({ workflow: true })
  .access({ read: true, drafts: ({ session }) => session !== null && { owner: session.user.id } })

const people = collection("people")
  .fields(({ f }) => ({
    first: f.text().required(),
    last: f.text().required(),
    name: f.virtual(f.text(), `"first" || ' ' || "last"`),
  }))
  .title("name")
  .access({ read: true })

const masks = collection("masks")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .hooks({
    afterRead: ({ row }) => ({ ...row, name: String(row["name"]).startsWith("Secret") ? null : `*${row["name"]}*` }),
  })
  .access({ read: true })

const doors = collection("doors")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .hooks({
    beforeRead: ({ session }) => {
      if (session === null) throw new ApiError("FORBIDDEN")
    },
  })
  .access({ read: true })

const untitled = collection("untitled")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, letters, files, plans, memos, vaults, pages, essays, people, masks, doors, untitled],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

async function create(name: string, ...rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = []
  for (const row of rows) ids.push(String((await app.app.system.collections[name]?.create(row))?.["id"]))
  return ids
}

async function titlesOf(query: string, session?: Session, options: object = {}): Promise<string[]> {
  const { docs } = await app.client(session).search.findByTitle({ query, ...options })
  return docs.map(({ collection: name, title }: { collection: string; title: string }) => `${name}: ${title}`)
}

describe("words", () => {
  test("a title has to have a word that begins like each word of the query", async () => {
    await create("posts", { title: "Seven rivers" }, { title: "The river (seventh)" }, { title: "Rivers" })

    expect(await titlesOf("riv sev")).toEqual(["posts: Seven rivers", "posts: The river (seventh)"])
    expect(await titlesOf("ivers")).toEqual([])
    expect(await titlesOf("sevens")).toEqual([])
  })

  test("the whole title comes first, then titles that begin like the query, then shorter ones", async () => {
    await create("posts", { title: "A walnut" }, { title: "Walnut tree" }, { title: "Walnut" }, { title: "Old walnut" })

    expect(await titlesOf("walnut")).toEqual([
      "posts: Walnut",
      "posts: Walnut tree",
      "posts: A walnut",
      "posts: Old walnut",
    ])
    expect(await titlesOf("walnut", undefined, { limit: 2 })).toEqual(["posts: Walnut", "posts: Walnut tree"])
  })

  test.each([
    ["clanok", "Článok o ľade"],
    ["ČLÁNOK", "Článok o ľade"],
    ["lodz", "Łódź"],
    ["strasse", "Große Straße"],
    ["o'neil", "O’Neil"],
    ["known", "Well-known"],
    ["quoted", "„Quoted“"],
    ["100%", "100% wool"],
    ["a_b", "A_b"],
    ["c++", "C++ in a day"],
    ["москва", "Москва"],
    ["हिन्दी", "हिन्दी में"],
  ])("%s finds %s", async (query, title) => {
    await create("posts", { title })

    expect(await titlesOf(query)).toContain(`posts: ${title}`)
  })

  test("characters of patterns have no meaning, and punctuation alone finds nothing", async () => {
    await create("posts", { title: "Percent" })

    expect(await titlesOf("p%t")).toEqual([])
    expect(await titlesOf("%")).not.toContain("posts: Percent")
    expect(await titlesOf("…?!-")).toEqual([])
  })
})

describe("what the caller may read", () => {
  test("only records that the rules of their collection allow are found", async () => {
    await create("letters", { subject: "Heron for Eva", owner: "eva" }, { subject: "Heron for Bob", owner: "bob" })
    await create("vaults", { name: "Heron vault" })

    expect(await titlesOf("heron")).toEqual([])
    expect(await titlesOf("heron", eva)).toEqual(["letters: Heron for Eva"])
    expect(await titlesOf("heron", admin)).toEqual([
      "vaults: Heron vault",
      "letters: Heron for Bob",
      "letters: Heron for Eva",
    ])
  })

  test("a title that a field rule hides is neither compared nor returned", async () => {
    await create("plans", { name: "Pelican plan" })
    await create("memos", { name: "Pelican of Eva", owner: "eva" }, { name: "Pelican of Bob", owner: "bob" })

    expect(await titlesOf("pelican")).toEqual([])
    expect(await titlesOf("pelican", eva)).toEqual(["memos: Pelican of Eva"])
    expect(await titlesOf("pelican", admin)).toEqual(["plans: Pelican plan"])
  })

  test("soft-deleted records are not found", async () => {
    const [id] = await create("posts", { title: "Gone gull" }, { title: "Kept gull" })
    await app.app.system.collections["posts"]?.deleteById({ id: String(id) })

    expect(await titlesOf("gull")).toEqual(["posts: Kept gull"])
  })

  test("callers without a right to drafts find what is public", async () => {
    const { collections } = app.app.system
    const [published] = await create("pages", { title: "Walrus" }, { title: "Walrus draft" })
    await collections["pages"]?.transitionStage({ id: String(published), stage: "published" })
    await collections["pages"]?.updateById({ id: String(published), data: { title: "Walrus renamed" } })

    expect(await titlesOf("walrus", eva)).toEqual(["pages: Walrus"])
    expect(await titlesOf("walrus", admin)).toEqual(["pages: Walrus draft", "pages: Walrus renamed"])
  })

  test("with drafts, callers find the working copies that they may read, and elsewhere what is public", async () => {
    const { collections } = app.app.system
    const essay = (owner: string) => ({ title: `Dodo of ${owner}`, owner })
    const [published] = await create("essays", essay("eva"), essay("bob"))
    await collections["essays"]?.transitionStage({ id: String(published), stage: "published" })
    await collections["essays"]?.updateById({ id: String(published), data: { title: "Dodo renamed" } })
    await create("posts", { title: "Dodo, posted" })

    expect(await titlesOf("dodo", eva)).toEqual(["essays: Dodo of eva", "posts: Dodo, posted"])
    expect(await titlesOf("dodo", eva, { drafts: true })).toEqual(["essays: Dodo renamed", "posts: Dodo, posted"])
    expect(await titlesOf("dodo", undefined, { drafts: true })).toEqual(["essays: Dodo of eva", "posts: Dodo, posted"])
  })

  test("titles are those of the locale, with its fallback", async () => {
    const [id] = await create("posts", { title: "Otter" }, { title: "Otter too" })
    await app.app.system.collections["posts"]?.updateById(
      { id: String(id), data: { title: "Vydra" } },
      { locale: "sk" },
    )

    expect(await titlesOf("vydra")).toEqual([])
    expect(await titlesOf("vydra", undefined, { locale: "sk" })).toEqual(["posts: Vydra"])
    expect(await titlesOf("otter", undefined, { locale: "sk" })).toEqual(["posts: Otter too"])
    expect(await titlesOf("otter", undefined, { locale: "sk", localeFallback: false })).toEqual([])
  })

  test("uploads are found by the name of their file, and virtual titles by their value", async () => {
    await app.client().collections["files"].upload(new File(["x"], "Spoonbill map.txt", { type: "text/plain" }))
    await create("people", { first: "Ida", last: "Spoonbill" })

    expect(await titlesOf("spoonbill")).toEqual(["files: Spoonbill map.txt", "people: Ida Spoonbill"])
    expect(await titlesOf("ida spoon")).toEqual(["people: Ida Spoonbill"])
  })

  test("hooks change and hide titles as they do for every read", async () => {
    await create("masks", { name: "Open ibis" }, { name: "Secret ibis" })
    await create("doors", { name: "Ibis door" })

    expect(await titlesOf("ibis")).toEqual(["masks: *Open ibis*"])
    expect(await titlesOf("ibis", eva)).toEqual(["doors: Ibis door", "masks: *Open ibis*"])
  })

  test("a collection without a title is not searched", async () => {
    await create("untitled", { name: "Magpie" })

    expect(await app.client(admin).search.findByTitle({ query: "magpie" })).toEqual({ docs: [], notSearched: [] })
  })
})

describe("requests", () => {
  test.each([
    [{}, "query", "Expected the beginning of a title."],
    [{ query: 7 }, "query", "Expected the beginning of a title."],
    [{ query: "  " }, "query", "Expected at least one letter of a title. An empty text finds nothing."],
    [{ query: "a".repeat(201) }, "query", "Search for at most 200 characters."],
    [{ query: "a\0" }, "query", "Expected well-formed text without U+0000."],
    [{ query: "a", limit: 0 }, "limit", "Expected a whole number from 1 to 100."],
    [{ query: "a", limit: 101 }, "limit", "Expected a whole number from 1 to 100."],
    [{ query: "a", limit: "5" }, "limit", "Expected a whole number from 1 to 100."],
    [{ query: "a", drafts: "yes" }, "drafts", "Expected true or false."],
    [{ query: "a", limt: 5 }, "limt", 'There is no "limt" here. Did you mean "limit"?'],
    [{ query: "a", locale: "xx" }, "locale", "Expected one of: en, sk; or * for all of them."],
    [{ query: "a", locale: "*" }, "locale", "Titles are found in one locale. Name it."],
  ])("%j is refused", async (body, path, message) => {
    const { status, body: answer } = await app.fetch("/_kit/find-by-title", {
      method: "POST",
      body: JSON.stringify(body),
    })

    expect([status, answer.error.fieldErrors]).toEqual([400, [{ path, message }]])
  })

  test("a query string and a body that is no object are refused", async () => {
    const post = (path: string, body: string) => app.fetch(path, { method: "POST", body })

    expect((await post("/_kit/find-by-title?limit=3", '{"query":"a"}')).status).toBe(400)
    expect((await post("/_kit/find-by-title", '"a"')).status).toBe(400)
  })

  test("code of the app finds titles with the rights that it has", async () => {
    await create("vaults", { name: "Curlew" })

    expect((await app.app.system.search.findByTitle({ query: "curlew" })).docs).toMatchObject([{ title: "Curlew" }])
    expect((await app.app.as(eva).search.findByTitle({ query: "curlew" })).docs).toEqual([])
  })
})
