import fc from "fast-check"
import { plainBlockConditionsOnList, plainBlockFields, plainItemLists } from "./block-filters.ts"
import type { Row, Where } from "./where-oracle.ts"

/** The values of a field, for rows and for operands alike, so that they often match. */
type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** The characters and words of rows and filters. */
export interface Alphabet {
  readonly words: readonly string[]
  readonly parts: readonly string[]
  readonly patterns: readonly string[]
}

export const ASCII: Alphabet = {
  words: ["", "apple", "Apple", "a%b", "a_b", "a\\b", "aXb", "APPLE pie", "null"],
  parts: ["", "a", "A", "%", "_", "\\", "pp", "LE"],
  patterns: ["a", "A", "b", "p", "%", "_", "\\%", "\\\\"],
}

/** Upper and lower case, accents, and characters that collations treat specially. */
export const WORLD: Alphabet = {
  words: [
    ...ASCII.words,
    "žltý",
    "ŽLTÝ",
    "éA",
    "e\u0301A",
    "ΟΔΟΣ",
    "οδος",
    "Straße",
    "I",
    "i",
    "İ",
    "ı",
    "\u212a",
    "😀x",
  ],
  parts: [...ASCII.parts, "žl", "TÝ", "É", "Σ", "ς", "ß", "SS", "I", "i", "k", "😀"],
  patterns: [...ASCII.patterns, "Ž", "ž", "Σ", "I", "i", "😀", "é"],
}

export const KINDS = ["red", "green", "blue"] as const

const JSONS: readonly unknown[] = [
  ...[0, 1, -0, 0.1, 1e21, 2 ** 60, "a", "b", "", true, false, [], {}, [1], [0.1], [1, "a", null], [[1]]],
  ...[["a", { a: 1 }], { a: 1 }, { a: "1" }, { a: { b: 2 } }, { a: [1, 2], b: null }, { b: { a: [{ a: 1 }] } }],
]

/** The fields of things: every type that filters support. */
export function thingFields(f: any): Record<string, any> {
  return {
    text: f.text(),
    area: f.textarea(),
    double: f.number(),
    whole: f.number().integer(),
    big: f.number().bigint(),
    money: f.number().decimal(10, 2),
    flag: f.boolean(),
    at: f.datetime(),
    kind: f.select(KINDS),
    data: f.json(),
    day: f.date(),
    time: f.time(),
    tags: f.array(f.text()),
    sums: f.array(f.number().decimal(6, 2)),
    jsons: f.array(f.json()),
    place: f.object({ city: f.text(), at: f.datetime() }),
    body: f.blocks(plainBlockFields(f)),
  }
}

export function personValues({ words }: Alphabet): Values {
  return {
    name: fc.constantFrom(...words),
    age: fc.constantFrom(-2_147_483_648, -1, 0, 1, 7),
    data: fc.constantFrom(...JSONS),
  }
}

export function thingValues(alphabet: Alphabet): Values {
  const word = fc.constantFrom(...alphabet.words)
  return {
    text: word,
    area: word,
    double: fc.constantFrom(-1.5, 0, -0, 0.1, 0.30000000000000004, 2, 3e21, -1e-7, 5e-324),
    whole: fc.constantFrom(-2_147_483_648, -1, 0, 1, 7, 2_147_483_647),
    big: fc.constantFrom(-9_223_372_036_854_775_808n, -1n, 0n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n),
    money: fc.constantFrom("-3.10", "-0.5", "0", "0.00", "-0", "1", "1.0", "1.50", "1.5", "99999999.99"),
    flag: fc.boolean(),
    at: fc.constantFrom(-62_135_596_800_000, 0, 1, 1_767_225_600_000, 253_402_300_799_999).map((ms) => new Date(ms)),
    kind: fc.constantFrom(...KINDS),
    data: fc.constantFrom(...JSONS),
    day: fc.constantFrom("0001-01-01", "2026-05-04", "2026-05-05", "9999-12-31"),
    time: fc.constantFrom("00:00", "10:30:00", "10:30", "23:59:59"),
    tags: fc.array(word, { maxLength: 3 }),
    sums: fc.array(fc.constantFrom("1", "1.00", "-2.5", "0"), { maxLength: 3 }),
    jsons: fc.array(fc.constantFrom(...JSONS), { maxLength: 3 }),
    place: fc.record({ city: fc.option(word), at: fc.constantFrom(null, new Date(0).toISOString()) }),
    body: plainItemLists.map((items) => identified(items ?? [])),
  }
}

// The ids are given, so that the same list is the same value wherever it is written.
function identified(items: readonly Row[]): readonly Row[] {
  return items.map(({ inner, ...item }, index) => ({
    ...item,
    id: `item-${index}`,
    // The cast is safe: this member is a list of blocks.
    ...(inner !== undefined && { inner: inner && identified(inner as readonly Row[]) }),
  }))
}

/** Generates a row with every field, some of them null. */
export function rowsOf(values: Values): fc.Arbitrary<Row> {
  return fc.record(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.option(value)])))
}

interface Forest {
  readonly alphabet: Alphabet
  readonly ids: readonly string[]
  /** The percentage of conditions that are about the related record. */
  readonly relatedPercent: number
  /** Fields that no condition is about. */
  readonly without?: readonly string[]
}

/** Generates filters on things, whose field `owner` refers to people. */
export function treesOn({ alphabet, ids, relatedPercent, without = [] }: Forest): fc.Arbitrary<Where> {
  const own = Object.entries(thingValues(alphabet)).filter(([name]) => !without.includes(name))
  const related = treesOf(fieldConditions(personValues(alphabet), alphabet))
  return treesOf(
    fc.oneof(
      { arbitrary: fieldConditions(Object.fromEntries(own), alphabet), weight: 90 - relatedPercent },
      { arbitrary: idConditions(ids), weight: 10 },
      { arbitrary: relatedConditions(related, ids), weight: relatedPercent },
    ),
  )
}

function treesOf(leaf: fc.Arbitrary<Where>): fc.Arbitrary<Where> {
  const { tree } = fc.letrec<{ tree: Where }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(leaf, { maxLength: 3 }).map((parts) => Object.assign({}, ...parts)),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ AND: parts })),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ OR: parts })),
      tie("tree").map((part) => ({ NOT: part })),
    ),
  }))
  return tree
}

function fieldConditions(values: Values, alphabet: Alphabet): fc.Arbitrary<Where> {
  const fields = Object.entries(values).map(([name, value]) =>
    fc.oneof(...operatorsOn(name, value, alphabet)).map((condition) => ({ [name]: condition })),
  )
  return fc.oneof(...fields)
}

const TEXTS = new Set(["text", "area", "name"])
const ORDERED = new Set(["double", "whole", "big", "money", "at", "age", "day", "time"])
const LISTS = new Set(["tags", "sums", "jsons"])

function operatorsOn(name: string, value: fc.Arbitrary<unknown>, alphabet: Alphabet): fc.Arbitrary<unknown>[] {
  const nullness = [fc.record({ isNull: fc.boolean() }), fc.record({ isNotNull: fc.boolean() }), fc.constant(null)]
  const equality = ["eq", "ne"].map((operator) => fc.option(value, { freq: 8 }).map((given) => ({ [operator]: given })))
  if (name === "body") return [plainBlockConditionsOnList()]
  if (LISTS.has(name)) return [...nullness.slice(0, 2), ...listOperators(value)]
  if (name === "data" || name === "place") return [...nullness, ...equality, ...jsonOperators(value)]
  const lists = taking(["in", "notIn"], fc.array(value, { maxLength: 3 }))
  const own = TEXTS.has(name) ? textOperators(alphabet) : ORDERED.has(name) ? orderOperators(value) : []
  return [...nullness, ...equality, value, ...lists, ...own]
}

function taking(operators: readonly string[], operand: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  return operators.map((operator) => operand.map((given) => ({ [operator]: given })))
}

function orderOperators(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  return [...taking(["gt", "gte", "lt", "lte"], value), ...taking(["between"], fc.tuple(value, value))]
}

function textOperators({ parts, patterns }: Alphabet): fc.Arbitrary<unknown>[] {
  const pattern = fc.array(fc.constantFrom(...patterns), { maxLength: 5 }).map((pieces) => pieces.join(""))
  return [
    ...taking(["like", "ilike", "notLike", "notIlike"], pattern),
    ...taking(["contains", "startsWith", "endsWith"], fc.constantFrom(...parts)),
  ]
}

function listOperators(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  // The values of a list field are lists.
  const lists = value as fc.Arbitrary<unknown[]>
  return [
    ...taking(
      ["contains"],
      lists.filter((list) => list.length > 0).map((list) => list[0]),
    ),
    ...taking(["containsAll", "containsAny"], lists),
    ...taking(["isEmpty", "isNotEmpty"], fc.boolean()),
    ...taking(["length"], fc.nat(3)),
  ]
}

function jsonOperators(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  const at = fc.constantFrom<unknown>(
    "a",
    "b",
    "a.b",
    "a.0",
    ["0"],
    ["-1"],
    ["+1"],
    ["01"],
    ["b", "a", "0", "a"],
    "1.a",
  )
  const scalar = fc.constantFrom<unknown>(0, 1, 2, 0.1, "a", "1", null, true, [1])
  const bound = fc.constantFrom<unknown>(0, 1, 2, 0.1, "a", "b", true)
  const path = fc.oneof(
    ...["eq", "ne"].map((operator) => fc.record({ at, [operator]: scalar })),
    ...["gt", "gte", "lt", "lte"].map((operator) => fc.record({ at, [operator]: bound })),
    fc.record({ at, gt: fc.constantFrom(0, 1), lt: fc.constantFrom(2, 3) }),
  )
  return [
    ...taking(["contains"], value),
    ...taking(["hasKey"], fc.constantFrom("a", "b", "")),
    ...taking(["path"], path),
  ]
}

function idConditions(ids: readonly string[]): fc.Arbitrary<Where> {
  const id = fc.constantFrom(...ids)
  const operators = fc.oneof(
    id,
    ...taking(["eq", "ne", "is"], fc.constant(null)),
    ...taking(["eq", "ne"], id),
    ...taking(["in", "notIn"], fc.array(id, { maxLength: 3 })),
    fc.record({ isNull: fc.boolean() }),
  )
  return operators.map((operator) => ({ owner: operator }))
}

function relatedConditions(target: fc.Arbitrary<Where>, ids: readonly string[]): fc.Arbitrary<Where> {
  const byId = fc.constantFrom(...ids).map((id) => ({ id }))
  const where = fc.oneof({ arbitrary: target, weight: 4 }, byId)
  return fc.oneof(where, ...taking(["is", "isNot"], where)).map((condition) => ({ owner: condition as Where }))
}
