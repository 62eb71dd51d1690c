import { describe, expect, test } from "vitest"
import { MAX_QUERY_WORDS, parseQuery } from "../../../src/sql/search/query/search-query.ts"
import { prefilterOf, tsquerySql } from "../../../src/sql/search/query/tsquery.ts"
import { Parameters } from "../../../src/sql/text/fragment.ts"

// A query as the texts of its tsqueries, which show its whole tree.
function texts(query: string): unknown[] {
  const parameters = new Parameters()
  tsquerySql(parseQuery(query), "_kit_english", parameters)
  return parameters.values
}

describe("the parts of a query", () => {
  test.each<[string, string, unknown[]]>([
    ["the last word as a prefix", "red sof", ["'sof'", "'sof':*", "'red'"]],
    ["a finished last word", "red sofa ", ["'red' & 'sofa'"]],
    ["a phrase", '"red sofa"', ["'red sofa'"]],
    ["typographic quotes", "“red sofa”", ["'red sofa'"]],
    ["a negated word", "-red sofa ", ["!'red' & 'sofa'"]],
    ["a negated word at the end", "sofa -red", ["'sofa' & !'red'"]],
    ["a negated phrase", '-"red sofa" lamp ', ["!'red sofa' & 'lamp'"]],
    ["alternatives", "red OR blue sofa ", ["('red' | 'blue') & 'sofa'"]],
    ["three alternatives", "red OR blue OR green ", ["('red' | 'blue' | 'green')"]],
    ["an unfinished alternative", "red OR blu", ["('red' | 'blu')", "'blu':*"]],
    ["or in lower case", "red or blue ", ["'red' & 'or' & 'blue'"]],
    ["OR at the beginning", "OR red ", ["'OR' & 'red'"]],
    ["OR at the end", "red OR ", ["'red' & 'OR'"]],
    ["OR twice", "red OR OR blue ", ["('red' | 'OR') & 'blue'"]],
    ["a quote without a partner", '"red sof', ["'sof'", "'sof':*", "'red'"]],
    ["words joined by punctuation", "red,sofa;lamp ", ["'red' & 'sofa' & 'lamp'"]],
    ["a hyphen inside of a word", "well-known ", ["'well-known'"]],
    ["two minus signs", "--red ", ["'--red'"]],
    ["a minus sign alone", "- red ", ["'red'"]],
    ["quotes and backslashes inside of words", "o'ne\\two ", ["'o''ne\\\\two'"]],
    ["operators of tsquery", "!(red & sofa) | lamp:* <-> x ", ["'red' & 'sofa' & 'lamp:' & 'x'"]],
    ["an address", "me@example.com/a_b?c=d ", ["'me' & 'example.com' & 'a' & 'b?c=d'"]],
  ])("%s", (_name, query, expected) => {
    expect(texts(query)).toEqual(expected)
  })

  test.each(["", "  ", "?!", "---", '""', "-", "😀", ". , ;"])("%j has no words", (query) => {
    expect(parseQuery(query)).toEqual({ groups: [] })
  })

  test("words beyond the limit are ignored", () => {
    const words = Array.from({ length: 200 }, (_, index) => `w${index}`)
    expect(parseQuery(words.join(" ")).groups).toHaveLength(MAX_QUERY_WORDS)
    expect(parseQuery(`"${words.join(" ")}"`).groups[0]?.[0]?.words).toHaveLength(MAX_QUERY_WORDS)
  })

  test("a long word is cut between two characters", () => {
    const [word] = parseQuery(`${"𝒳".repeat(250)} `).groups[0]?.[0]?.words ?? []
    expect(word).toBe("𝒳".repeat(100))
  })
})

describe("the words that a record needs at least", () => {
  function prefilterTexts(query: string): unknown[] | undefined {
    const prefilter = prefilterOf(parseQuery(query))
    if (prefilter === undefined) return undefined
    const parameters = new Parameters()
    tsquerySql(prefilter.query, "_kit_english", parameters)
    return [...parameters.values, prefilter.isOptional]
  }

  test.each<[string, string, unknown[] | undefined]>([
    ["a phrase is a list of words", '"red sofa" lam', ["'lam'", "'lam':*", "('red' & 'sofa')", false]],
    ["a negated word is left out", "red -blue ", ["'red'", true]],
    ["and with it an unfinished word, which may be one to ignore", "red -blue an", ["'red'", true]],
    ["a group with a negated alternative is left out", "red OR -blue sofa ", ["'sofa'", true]],
    ["only negations need no words", "-red -blue", undefined],
  ])("%s", (_name, query, expected) => {
    expect(prefilterTexts(query)).toEqual(expected)
  })
})
