// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const texts = collection("texts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea(), tags: f.array(f.text()) }))
  .title("title")
  .searchable({ fields: ["body", "tags"] })
  .access({ read: true })

const RECORDS: Record<string, { title: string; body?: string; tags?: string[] }> = {
  talks: { title: "Budget negotiations", body: "The council is running out of time." },
  cats: { title: "Cats and dogs", body: "A well-known story of a red sofa and the king of Spain." },
  cafe: { title: "Café Ångström", body: "Crème brûlée at https://example.com/menu or ask@example.com" },
  sofa: { title: "A sofa that is red", body: "Universities like it. It costs 3.14 in 2026. Model XJ-900, vitamin C." },
  tokyo: { title: "全文検索 in Tokyo", tags: ["quiet gardens", "شكرا"] },
  river: { title: "River", body: "Budget budget budget: the river was in every budget of the town this year." },
  who: { title: "The Who", body: "Music" },
}

let app: TestApp

beforeAll(async () => {
  const config = {
    search: {
      synonyms: {
        en: [
          ["couch", "sofa"],
          ["pub", "public house", "café"],
        ],
      },
      stopWords: { en: ["please"] },
      typos: false,
    },
  }
  app = await testApp({ resources: [texts], config })
  for (const record of Object.values(RECORDS)) {
    await app.app.system.collections["texts"]?.create(record)
  }
})

afterAll(() => app[Symbol.asyncDispose]())

/** Returns the names of the found records, in the order of the result. */
async function found(query: string, more: object = {}): Promise<string> {
  const { docs } = await app.client().search.search({ query, ...more })
  const names = docs.map((doc: any) => Object.keys(RECORDS).find((name) => RECORDS[name]?.title === doc.title))
  return names.join(" ")
}

/** Returns the names of the found records in the order of the alphabet. */
async function foundAny(query: string): Promise<string> {
  return (await found(query)).split(" ").sort().join(" ")
}

describe("words", () => {
  test.each([
    ["other forms of a word", "negotiation ", "talks"],
    ["a word in any case", "BUDGETS negotiate ", "talks"],
    ["the words of several fields", "negotiations council ", "talks"],
    ["words without their accents", "cafe angstrom ", "cafe"],
    ["words with other accents", "càfé ", "cafe"],
    ["a word of a list", "gardens ", "tokyo"],
    ["a number", "3.14 ", "sofa"],
    ["a year", "2026 ", "sofa"],
    ["a number after a hyphen", "900 ", "sofa"],
    ["a name with a number after a hyphen", "xj-900 ", "sofa"],
    ["an address", "example.com ", "cafe"],
    ["an e-mail address", "ask@example.com ", "cafe"],
    ["a word with a hyphen", "well-known ", "cats"],
    ["words of a language without spaces", "全文検索 ", "tokyo"],
    ["words from right to left", "شكرا ", "tokyo"],
    ["words that the language ignores beside others", "the story of the sofa ", "cats"],
  ])("%s", async (_name, query, expected) => {
    expect(await foundAny(query)).toBe(expected)
  })

  test("that the language ignores are found if nothing else is asked for", async () => {
    expect(await foundAny("the who ")).toBe("who")
  })

  test("that no record has find nothing", async () => {
    expect(await found("nonsense ")).toBe("")
  })

  test.each(["?", "!!", "😀", '""', "-"])("%j is not empty and finds nothing", async (query) => {
    expect(await found(query)).toBe("")
  })
})

describe("an unfinished last word", () => {
  test.each([
    ["neg", "talks"],
    ["negotiat", "talks"],
    ["negotiations", "talks"],
    ["council runnin", "talks"],
    ["universit", "sofa"],
    ["sofa universiti", "sofa"],
    ["全文", "tokyo"],
    ["caf", "cafe"],
    ["well-kn", "cats"],
    ["model 90", "sofa"],
    ["xj-9", "sofa"],
    ["example.", "cafe"],
  ])("%j finds longer words", async (query, expected) => {
    expect(await foundAny(query)).toBe(expected)
  })

  test("is a whole word if a space follows", async () => {
    expect(await found("negotiat ")).toBe("")
  })

  test.each(["c++", "c#", "c,", "c)"])("is a whole word if a sign follows: %s", async (query) => {
    expect(await found(query)).toBe("sofa")
  })

  test("counts for nothing while it is a word that the language ignores", async () => {
    expect(await foundAny("negotiations an")).toBe("talks")
  })
})

describe("the syntax of a query", () => {
  test.each([
    ["a phrase", '"red sofa"', "cats"],
    ["a phrase over a word that the language ignores", '"king of spain"', "cats"],
    ["no phrase across two fields", '"negotiations council"', ""],
    ["a negated word", "sofa -spain", "sofa"],
    ["a negated phrase", 'sofa -"red sofa"', "sofa"],
    ["alternatives", "spain OR music ", "cats who"],
    ["alternatives beside a word", "red spain OR universities ", "cats sofa"],
    ["only a negated word", "-budget -sofa -café", "tokyo who"],
    ["a minus sign inside of a word", "well-known", "cats"],
    ["a quote without a partner", '"red sofa spain', "cats"],
  ])("%s", async (_name, query, expected) => {
    expect(await foundAny(query)).toBe(expected)
  })
})

describe("the author's settings", () => {
  test.each([
    ["a synonym", "couch ", "cats sofa"],
    ["a synonym of several words", "pub ", "cafe"],
    ["a phrase as synonym", '"public house"', "cafe"],
    ["a word to ignore", "negotiations please ", "talks"],
    ["a negated word has no synonyms", "red -couch ", "cats sofa"],
  ])("%s", async (_name, query, expected) => {
    expect(await foundAny(query)).toBe(expected)
  })

  test("a misspelled word finds nothing if typos are not forgiven", async () => {
    expect(await found("negotiatoins ")).toBe("")
  })
})

describe("the order", () => {
  test("puts a record with the word in its title before one with the word in its text", async () => {
    expect(await found("river ")).toBe("river")
    expect(await found("budget ")).toBe("talks river")
  })

  test("is the same with a word that the records must not contain", async () => {
    expect(await found("budget -sofa -cats ")).toBe(await found("budget "))
  })

  test("of an empty query is the newest first", async () => {
    expect(await found("")).toBe("who river tokyo sofa cafe cats talks")
    expect(await found("  ", { limit: 2, offset: 1 })).toBe("river tokyo")
  })

  test("can be paged through", async () => {
    const pages = await Promise.all([0, 1, 2].map((offset) => found("budget ", { limit: 1, offset })))
    const { total } = await app.client().search.search({ query: "budget ", limit: 1, offset: 2 })
    expect({ pages, total }).toEqual({ pages: ["talks", "river", ""], total: 2 })
  })

  test("has scores that fall", async () => {
    const { docs } = await app.client().search.search({ query: "budget " })
    const scores = docs.map((doc: any) => doc._search.score)
    expect(scores[0]).toBeGreaterThan(scores[1])
    expect(scores[1]).toBeGreaterThan(0)
  })
})

describe("if no record has all words", () => {
  test("those with any of them are found, the best first", async () => {
    expect(await found("spain universities music ")).not.toBe("")
    expect(await foundAny("spain universities music ")).toBe("cats sofa who")
  })

  test("negated words are still excluded", async () => {
    expect(await foundAny("spain universities music -who-cares -tokyo -council -3.14")).toBe("cats who")
  })
})
