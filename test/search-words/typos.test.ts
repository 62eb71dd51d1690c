// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const isEva = ({ session }: { session: Session | null }) => session?.user.id === "eva"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea(), kind: f.select(["open", "secret"]) }))
  .title("title")
  .searchable({ fields: ["body"] })
  .access({ read: (context) => isEva(context) || { kind: { eq: "open" } } })

const eva: Session = { user: { id: "eva" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ collections: [posts] })
  const { posts: all } = app.system.collections as Record<string, any>
  await all.create({ title: "Universities in crisis", body: "The company is running away", kind: "open" })
  await all.create({ title: "A universe of its own", body: "Ångström and Companions", kind: "open" })
  await all.create({ title: "Unique companies", body: "run", kind: "secret" })
  await app.jobs.settle()
})

afterAll(() => app[Symbol.asyncDispose]())

async function search(options: object, session?: Session): Promise<any> {
  const client: any = session ? app.as(session) : app.anonymous
  return await client.search.search(options)
}

async function found(query: string, session?: Session): Promise<readonly string[]> {
  const { docs } = await search({ query }, session)
  return docs.map(({ title }: any) => title).sort()
}

describe("one edit in a word", () => {
  test.each([
    ["a letter is missing", "compny ", "Universities in crisis"],
    ["a letter is too many", "companny ", "Universities in crisis"],
    ["a letter is wrong", "cxmpany ", "Universities in crisis"],
    ["two letters are swapped", "compnay ", "Universities in crisis"],
    ["in one of two words", "universities crisiss ", "Universities in crisis"],
    ["in both words", "univrsities criisis ", "Universities in crisis"],
    ["in a word with accents", "Angstöm ", "A universe of its own"],
    ["in a word of four letters, if none is longer", "awey ", "Universities in crisis"],
    ["in an unfinished word", "univrsit", "Universities in crisis"],
  ])("%s", async (_name, query, expected) => {
    expect(await found(query)).toEqual([expected])
  })

  test("is not forgiven if the word occurs as it is", async () => {
    expect(await found("companion ")).toEqual(["A universe of its own"])
  })

  test.each([
    ["two edits", "cmpny "],
    ["an edit in a phrase", '"compnay"'],
    ["an edit in a word of three letters", "rxn "],
  ])("%s find nothing", async (_name, query) => {
    expect(await found(query)).toEqual([])
  })

  test("is marked in the highlights as the record spells it", async () => {
    const { docs } = await search({ query: "compnay ", highlights: true })
    expect(docs[0]._search.highlights).toEqual({ body: ["The <mark>company</mark> is running away"] })
  })
})

describe("the words of records that the caller may not read", () => {
  // "companies" is one edit away from "compznies" but only in a hidden record. Its stem is also that of "company".
  test("change nothing", async () => {
    expect(await found("compznies ")).toEqual([])
    expect(await found("uniqve ")).toEqual([])
    expect(await found("compznies ", eva)).toEqual(["Unique companies"])
  })

  test("do not change a score", async () => {
    const score = async () => (await search({ query: "compnay " })).docs[0]._search.score
    const before = await score()
    const { posts: all } = app.system.collections as Record<string, any>
    await all.create({ title: "compnaq compxnay", kind: "secret" })
    await app.jobs.settle()

    expect(await score()).toBe(before)
  })
})

test("a record is found by any word if none has all of them, misspelled or not", async () => {
  expect(await found("crisis angsttrom ")).toEqual(["A universe of its own", "Universities in crisis"])
})
