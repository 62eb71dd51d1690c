import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { EVERYTHING } from "../../src/sql/filter/predicate.ts"
import { textParseContext, typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { selectPageWithTotal } from "../../src/sql/read/select.ts"
import { ApiError } from "../../src/wire/errors/api-error.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")
const readings = [typedParseContext(EVERYTHING), textParseContext(EVERYTHING)]
const KNOWN = new Set([...posts.fields.keys(), "AND", "OR", "NOT"])

const evil = fc.oneof(
  fc.constantFrom(
    'title"; drop table posts; --',
    "title'",
    "t0.title",
    "title->>x",
    "__proto__",
    "constructor",
    "toString",
  ),
  fc.constantFrom('"people"."name"', "title)", "$1", "Title", "title ", "", "hasOwnProperty", "author.name"),
  fc.string({ maxLength: 20 }),
)
const names = evil.filter((name) => !KNOWN.has(name))

describe("a name that is not in the schema never reaches SQL", () => {
  test.each([
    ["where", (name: string) => ({ where: { [name]: "x" } })],
    ["an operator", (name: string) => ({ where: { title: { [name]: "x" } } })],
    ["a nested where", (name: string) => ({ where: { author: { is: { [name]: "x" } } } })],
    ["orderBy", (name: string) => ({ orderBy: { [name]: "asc" } })],
    ["a direction", (name: string) => ({ orderBy: { title: name } })],
    ["columns", (name: string) => ({ columns: { [name]: true } })],
    ["with", (name: string) => ({ with: { [name]: true } })],
  ])("in %s", (_place, optionsOf) => {
    fc.assert(
      fc.property(names, (name) => {
        // A key that sets the prototype gives no own key; JSON.parse keeps it as one.
        const options = JSON.parse(JSON.stringify(optionsOf("?")).replace('"?"', () => JSON.stringify(name)))
        for (const reading of readings) expect(() => textOf(options, reading)).toThrow(ApiError)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})

test("a value never becomes a part of the text", () => {
  const value = fc.string({ minLength: 3, maxLength: 30 }).filter((text) => text.isWellFormed() && !text.includes("\0"))
  const plain = textOf(optionsWith("a"), typedParseContext(EVERYTHING))

  fc.assert(
    fc.property(value, (text) => {
      expect(textOf(optionsWith(text), typedParseContext(EVERYTHING))).toBe(plain)
    }),
    { seed: 7, numRuns: 200 },
  )
})

function optionsWith(text: string) {
  return {
    where: {
      title: { eq: text, ne: text, in: [text], notIn: [text], contains: text, startsWith: text, endsWith: text },
      meta: { eq: text, contains: { [text]: text }, hasKey: text, path: { at: [text], eq: text } },
      author: { is: { name: text } },
    },
    with: { author: { where: { name: text } } },
  }
}

function textOf(options: { [name: string]: unknown }, reading: (typeof readings)[number]): string {
  const read = {
    selection: parseSelection(posts, options, reading),
    predicate: parseWhere(posts, options["where"] ?? {}, reading),
    order: parseOrder(posts, options["orderBy"], reading),
    window: { limit: 10, offset: 0 },
    visibility: EVERYTHING,
  }
  return selectPageWithTotal(read).text
}
