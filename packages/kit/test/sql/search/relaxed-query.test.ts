import { describe, expect, test } from "vitest"
import { adaptedQuery } from "../../../src/sql/search/query/adapted-query.ts"
import { foldWord } from "../../../src/sql/search/query/fold-word.ts"
import { anyWordQuery, forgivableWords, forgivingQuery } from "../../../src/sql/search/query/relaxed-query.ts"
import { parseQuery, type SearchQuery } from "../../../src/sql/search/query/search-query.ts"
import { tsquerySql } from "../../../src/sql/search/query/tsquery.ts"
import { Parameters } from "../../../src/sql/text/fragment.ts"

function texts(query: SearchQuery | undefined): unknown[] | undefined {
  if (query === undefined) return undefined
  const parameters = new Parameters()
  tsquerySql(query, "_kit_english", parameters)
  return parameters.values
}

describe("the words that may be misspelled", () => {
  test.each<[string, string, readonly string[], string | undefined]>([
    ["words of five letters and more", "the cat compnay ", ["compnay"], undefined],
    ["words of four letters if none is longer", "the compn awey ", ["compn"], undefined],
    ["words of four letters alone", "the awey ", ["awey"], undefined],
    ["the last word, which is perhaps unfinished", "compnay universi", ["compnay", "universi"], "universi"],
    ["words with and without their accents", "Ångström ", ["ångström", "angstrom"], undefined],
    ["no phrase, no negated word, no number", '"compnay" -compnay 12345 ', [], undefined],
  ])("are %s", (_name, query, words, unfinished) => {
    expect(forgivableWords(parseQuery(query))).toEqual({ words, unfinished })
  })

  test("get the words of the vocabulary as alternatives", () => {
    const query = parseQuery("red compnay ")
    const neighbours = { words: new Map([["compnay", ["company", "compnay"]]]), beginnings: [] }

    expect(texts(forgivingQuery(query, forgivableWords(query), neighbours))).toEqual([
      "'compnay'",
      "'company'",
      "'red'",
    ])
  })

  test("change nothing if only they themselves are known", () => {
    const query = parseQuery("company ")
    const neighbours = { words: new Map([["company", ["company"]]]), beginnings: [] }

    expect(forgivingQuery(query, forgivableWords(query), neighbours)).toBeUndefined()
  })
})

describe("any of the words", () => {
  test.each<[string, string, unknown[] | undefined]>([
    ["all words and phrases are alternatives", 'red "big sofa" ', ["('red' | 'big sofa')"]],
    ["negated words stay", "red sofa -blue ", ["!'blue' & ('red' | 'sofa')"]],
    ["one word is not wider", "red -blue ", undefined],
    ["alternatives are not wider", "red OR blue ", undefined],
  ])("%s", (_name, query, expected) => {
    expect(texts(anyWordQuery(parseQuery(query)))).toEqual(expected)
  })
})

describe("the author's words", () => {
  const words = {
    synonyms: [
      ["car", "automobile"],
      ["NYC", "New York"],
    ],
    stopWords: ["Please", "köln"],
  }

  test.each<[string, string, unknown[]]>([
    ["a synonym", "Car ", ["('Car' | 'automobile')"]],
    ["a synonym of two words", "nyc ", ["('nyc' | 'New York')"]],
    ["a phrase that is a synonym", '"new york"', ["('new york' | 'NYC')"]],
    ["no synonym of a negated word", "-car ", ["!'car'"]],
    ["a word to ignore", "please koln car ", ["('car' | 'automobile')"]],
    ["words to ignore if there are no others", "please ", ["'please'"]],
  ])("%s", (_name, query, expected) => {
    expect(texts(adaptedQuery(parseQuery(query), words))).toEqual(expected)
  })
})

test("a word is folded as the database does it", () => {
  expect(["Ångström", "STRASSE", "Straße", "Łódź", "Œuvre", "ﬁne"].map(foldWord)).toEqual([
    "angstrom",
    "strasse",
    "strasse",
    "lodz",
    "oeuvre",
    "fine",
  ])
})
