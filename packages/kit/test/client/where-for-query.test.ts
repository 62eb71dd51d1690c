import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { queryOf } from "../../src/client/resources/query.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { Resource } from "../../src/schema/compile/resource.ts"
import { EVERYTHING, type Predicate } from "../../src/sql/filter/predicate.ts"
import { textParseContext, typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { parseQueryString } from "../../src/wire/codecs/query-string.ts"

const ID = "018f2c6e-1111-7000-8000-000000000001"

const articles = compileArticles()

describe("a filter means the same to the server after its way through a query string", () => {
  test.each<[string, Record<string, unknown>]>([
    ["bare null", { title: null }],
    ["null as an operand", { title: { eq: null }, body: { ne: null } }],
    ["a null relation", { author: null }],
    ["is null", { author: { is: null } }],
    ["an empty list", { title: { in: [] }, words: { notIn: [] } }],
    ["an empty AND", { AND: [] }],
    ["an empty OR", { OR: [] }],
    ["a list of empty filters", { OR: [{}] }],
    ["an empty filter beside another", { OR: [{}, { title: "a" }] }],
    ["an empty NOT", { NOT: {} }],
    ["an empty is", { author: { is: {} } }],
    ["an empty isNot", { author: { isNot: {} } }],
    ["an empty relation", { author: {} }],
    ["an empty text", { title: "", body: { in: [""] } }],
    ["null behind a relation", { author: { name: null, boss: { is: { name: { ne: null } } } } }],
    ["lists behind a relation", { author: { OR: [], NOT: {}, name: { in: [] } } }],
    ["a field of a relation that is called like an operator", { author: { path: { startsWith: "a" } } }],
    ["dates and numbers", { at: { gte: new Date(0), lt: "2026-01-01" }, words: { between: [1, 2] } }],
    ["big integers", { views: { in: [12345678901234567890n % 2n ** 62n, 5] } }],
    ["JSON objects", { meta: { eq: { a: [1, { b: null }] }, ne: {} } }],
    ["JSON lists", { meta: { contains: ["a"], ne: [] } }],
    ["JSON scalars", { meta: { eq: 5, ne: true } }],
    ["a path into JSON", { meta: { path: { at: ["seo", "title"], eq: "Hello", ne: null }, hasKey: "seo" } }],
    ["lists", { tags: { contains: "", containsAll: ["a", "[b"], containsAny: [], length: 0, isEmpty: true } }],
    ["lists of objects", { parts: { contains: { a: 1 }, containsAll: [{ a: [null] }], containsAny: [{}, 5] } }],
    ["a list that is null", { tags: null, parts: { isNull: false } }],
    ["days and times", { day: { between: ["2026-01-01", "2026-01-02"] }, time: { in: ["10:30"] } }],
    ["reserved characters", { title: { in: ["a&b=c", "[x]", "%41", "+ "], contains: "ž" } }],
  ])("%s", (_name, where) => {
    expect(meaningOfText(where)).toEqual(meaningOf(where))
  })

  test("any filter that the server accepts", () => {
    fc.assert(
      fc.property(whereOfDepth(3), (where) => {
        expect(meaningOfText(where)).toEqual(meaningOf(where))
      }),
    )
  })
})

describe("what cannot be sent is refused with its path", () => {
  test.each<[unknown, string]>([
    [{ team: undefined }, "where.team is undefined: leave it out, or use null."],
    [{ title: { eq: undefined } }, "where.title.eq is undefined: leave it out, or use null."],
    [{ author: { is: undefined } }, "where.author.is is undefined: leave it out, or use null."],
    [{ author: { name: undefined } }, "where.author.name is undefined: leave it out, or use null."],
    [{ title: { in: undefined } }, "where.title.in is undefined: leave it out, or use null."],
    [{ title: { in: ["a", undefined] } }, "where.title.in.1 is undefined: leave it out, or use null."],
    [{ OR: [{ title: "a" }, undefined] }, "where.OR.1 is undefined: leave it out, or use null."],
    [
      { meta: { contains: { a: { b: undefined } } } },
      "where.meta.contains: b is undefined: leave it out, or use null.",
    ],
    [{ title: { in: [null] } }, "where.title.in.0 is null: use isNull."],
    [{ title: { in: [[]] } }, "where.title.in.0 must be a single value."],
    [{ title: { in: "a" } }, "where.title.in must be a list."],
    [{ title: [] }, "where.title is a list: use { in: [...] }."],
    [{ title: { startsWith: [] } }, "where.title.startsWith is a list: use { in: [...] }."],
    [{ tags: { containsAll: [null] } }, "where.tags.containsAll.0 is null: use isNull."],
    [{ tags: { containsAny: ["a", undefined] } }, "where.tags.containsAny.1 is undefined: leave it out, or use null."],
    [{ OR: {} }, "where.OR must be a list."],
    [{ NOT: null }, "where.NOT must be an object of conditions."],
    [null, "where must be an object of conditions."],
    [[], "where must be an object of conditions."],
    [{ title: { eq: null, isNull: false } }, "where.title checks for null twice."],
  ])("%j", (where, message) => {
    expect(() => queryOf({ where })).toThrow(new TypeError(message))
  })

  test("the path of a filter in a relation starts with the relation", () => {
    const options = { with: { author: { with: { boss: { where: { name: undefined } } } } } }

    expect(() => queryOf(options)).toThrow("with.author.with.boss.where.name is undefined")
  })
})

test("a condition that makes no sense reaches the server, which refuses it", () => {
  for (const where of [{ title: {} }, { words: { gt: null } }, { title: { isNull: null } }]) {
    expect(() => meaningOfText(where)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }))
  }
})

function compileArticles(): Resource {
  const people = collection("people").fields(({ f }) => ({
    name: f.text(),
    path: f.text(),
    boss: f.relation("people"),
  }))
  const declared = collection("articles").fields(({ f }) => ({
    title: f.text(),
    body: f.textarea(),
    status: f.select(["a", "b"]),
    words: f.number().integer(),
    views: f.number().bigint(),
    ok: f.boolean(),
    at: f.datetime(),
    meta: f.json(),
    tags: f.array(f.text()),
    parts: f.array(f.json()),
    day: f.date(),
    time: f.time(),
    author: f.relation("people"),
  }))
  const compiled = compileSchema([people, declared].map(({ definition }) => ({ file: definition.name, definition })))
  const resource = "schema" in compiled ? compiled.schema.collections.get("articles") : undefined
  if (resource === undefined) throw new Error("The collections of this test are wrong.")
  return resource
}

function meaningOf(where: unknown): string {
  return inWords(parseWhere(articles, where, typedParseContext(EVERYTHING)))
}

function meaningOfText(where: unknown): string {
  const { where: text } = parseQueryString(queryOf({ where }))
  return inWords(parseWhere(articles, text ?? {}, textParseContext(EVERYTHING)))
}

function inWords(predicate: Predicate): string {
  switch (predicate.kind) {
    case "all":
    case "any":
      return `${predicate.kind}(${predicate.parts.map(inWords).join(", ")})`
    case "not":
      return `not ${inWords(predicate.part)}`.replace(/^not (\w+) isNull true$/, "$1 isNotNull true")
    case "related":
      return `${predicate.field.name}(${inWords(predicate.part)})`
    case "some":
      return `some ${predicate.relation.target.name}(${inWords(predicate.part)})`
    case "compare":
      return `${predicate.field.name} ${predicate.operator.name} ${operandInWords(predicate.operand)}`
    case "text":
      return "text"
    default:
      return predicate satisfies never
  }
}

function operandInWords(operand: unknown): string {
  return JSON.stringify(operand, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}

type Conditions = Record<string, fc.Arbitrary<unknown>>

function whereOfDepth(depth: number): fc.Arbitrary<object> {
  return someOf({ ...OF_ARTICLES, author: relationOfDepth(depth), ...groupsOf(depth, whereOfDepth) })
}

function peopleWhereOfDepth(depth: number): fc.Arbitrary<object> {
  const ownFields = { name: textConditions(), path: textConditions(), boss: relationOfDepth(depth) }
  return someOf({ ...ownFields, ...groupsOf(depth, peopleWhereOfDepth) })
}

// Few conditions at each level, or three levels of them would exceed what one filter may hold.
function someOf(conditions: Conditions): fc.Arbitrary<object> {
  const entries = Object.entries(conditions).map(([name, condition]) => fc.tuple(fc.constant(name), condition))
  return fc.array(fc.oneof(...entries), { maxLength: 3 }).map((chosen) => Object.fromEntries(chosen))
}

function groupsOf(depth: number, inner: (depth: number) => fc.Arbitrary<object>): Conditions {
  if (depth === 0) return {}
  const list = fc.array(inner(depth - 1), { maxLength: 3 })
  return { AND: list, OR: list, NOT: inner(depth - 1) }
}

function relationOfDepth(depth: number): fc.Arbitrary<unknown> {
  const byId = equality(fc.constant(ID))
  if (depth === 0) return byId
  const target = peopleWhereOfDepth(depth - 1)
  const isOrNot = fc.record({ is: fc.option(target), isNot: fc.option(target) }, { requiredKeys: [] })
  return fc.oneof(byId, isOrNot, target)
}

function equality(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const list = fc.array(value, { maxLength: 3 })
  const operators = { in: list, notIn: list, isNull: fc.boolean(), isNotNull: fc.boolean() }
  return fc.oneof(
    value,
    fc.constant(null),
    fc.record({ eq: value, ne: value, ...operators }, { requiredKeys: ["eq"] }),
    fc.record({ in: list }),
    fc.constantFrom({ eq: null }, { ne: null }),
  )
}

function textConditions(): fc.Arbitrary<unknown> {
  const value = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"))
  return fc.oneof(equality(value), fc.record({ contains: value, startsWith: value }))
}

const jsonOperand = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => typeof value === "object" && value !== null && !JSON.stringify(value).includes("\\u"))

const OF_ARTICLES: Conditions = {
  id: equality(fc.constant(ID)),
  title: textConditions(),
  status: equality(fc.constantFrom("a", "b")),
  words: equality(fc.integer({ min: -1000, max: 1000 })),
  views: equality(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })),
  ok: equality(fc.boolean()),
  at: equality(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  meta: fc.record({ eq: jsonOperand, contains: jsonOperand }),
}
