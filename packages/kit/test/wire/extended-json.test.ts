// @module-tag full-count

import fc from "fast-check"
import superjson from "superjson"
import { afterEach, describe, expect, test } from "vitest"
import { count } from "../../../../test/support/count.ts"
import {
  decodeExtended,
  type ExtendedMeta,
  encodeExtended,
  encodeWithMeta,
  isExtendedHeader,
} from "../../src/wire/codecs/extended-json.ts"
import { decodeAnswer } from "../../src/wire/codecs/extended-json-answer.ts"
import { JSON_MAX_DEPTH, parseJsonBody } from "../../src/wire/codecs/json-body.ts"
import { ApiError } from "../../src/wire/errors/api-error.ts"
import { leastMsOf } from "../least-time.ts"

const EPOCH = "1970-01-01T00:00:00.000Z"

afterEach(() => {
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
})

function roundTrip(value: unknown): unknown {
  return decodeAnswer(JSON.parse(encodeExtended(value)))
}

function metaOf(value: unknown): unknown {
  return JSON.parse(encodeExtended(value)).meta
}

function decode(json: unknown, values: unknown): unknown {
  return decodeExtended({ json, meta: { values } })
}

function refusalOf(read: () => unknown): { status: number; code: string; path: string | undefined; message: string } {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, code: error.code, path: error.fieldErrors?.[0]?.path, message: error.message }
  }
  throw new Error("It was accepted")
}

describe("encodeExtended", () => {
  test("what plain JSON can hold has no meta", () => {
    const text = encodeExtended({ a: [1, "x", null, true, { b: {} }] })

    expect(text).toBe('{"json":{"a":[1,"x",null,true,{"b":{}}]}}')
  })

  test("every type has its plain form and its entry", () => {
    const value = {
      at: new Date(0),
      map: new Map([["k", 1]]),
      set: new Set(["a"]),
      big: 12345678901234567890n,
      nothing: undefined,
    }

    const envelope = JSON.parse(encodeExtended(value))

    expect(envelope).toEqual({
      json: { at: EPOCH, map: [["k", 1]], set: ["a"], big: "12345678901234567890", nothing: null },
      meta: { values: { at: "Date", map: "Map", set: "Set", big: "BigInt", nothing: "undefined" } },
    })
  })

  test.each<[string, unknown, ExtendedMeta | undefined]>([
    ["equal items", { docs: [{ at: new Date(0) }, { at: new Date(1) }] }, { "docs.*.at": "Date" }],
    ["items of which some are null", [new Date(0), null, new Date(1)], { "*": "Date" }],
    ["a member that is null at first", [{ at: null }, { at: new Date(0) }], { "*.at": "Date" }],
    ["a member that is missing in some", [{}, { at: new Date(0) }], { "*.at": "Date" }],
    ["a list that is empty in some", [{ l: [] }, { l: [{ at: new Date(0) }] }], { "*.l.*.at": "Date" }],
    ["items of a Set", new Set([1n, 2n]), { "": "Set", "*": "BigInt" }],
    ["values of a Map", { m: new Map([["k", new Date(0)]]) }, { m: "Map", "m.*.1": "Date" }],
    ["different types", [new Date(0), 1n], { "0": "Date", "1": "BigInt" }],
    ["a Date beside its text", [{ at: new Date(0) }, { at: EPOCH }], { "0.at": "Date" }],
    ["undefined beside null", [undefined, null], { "0": "undefined" }],
    ["a Set beside an array", [new Set([1]), [1]], { "0": "Set" }],
    ["a list beside an object", [{ l: [1n] }, { l: { "*": "1" } }], { "0.l.*": "BigInt" }],
    [
      "lists of which only one is even",
      [
        [1n, 2n],
        [1n, 2],
      ],
      { "0.*": "BigInt", "1.0": "BigInt" },
    ],
    ["a hole", [new Date(0), ...Array(1)], { "0": "Date", "1": "undefined" }],
  ])("the meta of %s says no more than is true", (_name, value, values) => {
    const meta = metaOf(value)

    expect(meta).toEqual({ values })
    expect(roundTrip(value)).toEqual(value)
  })

  test.each<[string, unknown, string]>([
    ["a dot", { "a.b": 1n }, "a\\.b"],
    ["a backslash", { "a\\b": 1n }, "a\\\\b"],
    ["a backslash and a dot", { "a\\.b": { c: 1n } }, "a\\\\\\.b.c"],
    ["a star", { "*": 1n }, "\\*"],
    ["a star within", { "a*": 1n }, "a*"],
    ["nothing", { "": 1n }, ""],
    ["nothing, twice", { "": { "": 1n } }, "."],
    ["a line break", { "a\nb.c": 1n }, "a\nb\\.c"],
  ])("a key made of %s is escaped and found again", (_name, value, path) => {
    expect(metaOf(value)).toEqual({ values: { [path]: "BigInt" } })
    expect(roundTrip(value)).toEqual(value)
  })

  test.each<[string, unknown]>([
    ["a Date", new Date(0)],
    ["a BigInt", -5n],
    ["undefined", undefined],
    ["an empty Map", new Map()],
    ["an empty Set", new Set()],
    ["null", null],
    ["a Set with an empty text", new Set([""])],
    ["a Map by Dates of Sets of BigInts", new Map([[new Date(0), new Set([1n, 2n])]])],
    ["a Map by Maps", new Map([[new Map([[1n, undefined]]), new Map([[undefined, 1n]])]])],
  ])("%s may be the whole value", (_name, value) => {
    expect(roundTrip(value)).toStrictEqual(value)
  })

  test("an object that says how it is written is written that way", () => {
    const price = { toJSON: () => ({ amount: 5n, at: new Date(0) }) }
    const value = { list: [price, price], url: new URL("http://localhost/x") }

    expect(roundTrip(value)).toEqual({
      list: [
        { amount: 5n, at: new Date(0) },
        { amount: 5n, at: new Date(0) },
      ],
      url: "http://localhost/x",
    })
  })

  test("a function is left out as in plain JSON", () => {
    expect(encodeExtended({ f: () => 1, big: 1n })).toBe('{"json":{"big":"1"},"meta":{"values":{"big":"BigInt"}}}')
    expect(encodeExtended(() => 1)).toBe('{"json":null}')
  })

  test("a key that names a prototype holds plain JSON only", () => {
    expect(roundTrip({ constructor: "Lotus" })).toEqual({ constructor: "Lotus" })
    expect(() => encodeExtended({ constructor: { since: new Date(0) } })).toThrow(TypeError)
  })

  test("an invalid Date is refused with its place", () => {
    expect(() => encodeExtended({ a: [{ at: new Date(Number.NaN) }] })).toThrow(
      new TypeError('Extended JSON cannot hold an invalid Date (at "a.0.at").'),
    )
  })

  test("a value that holds itself is refused", () => {
    const value: Record<string, unknown> = { at: new Date(0) }
    value["self"] = [value]

    expect(() => encodeExtended(value)).toThrow(/circular/)
  })
})

describe("encodeWithMeta", () => {
  test("without meta it is the plain envelope", () => {
    expect(encodeWithMeta({ a: 1 }, undefined)).toBe('{"json":{"a":1}}')
    expect(encodeWithMeta({ a: 1 }, {})).toBe('{"json":{"a":1}}')
  })

  test("Dates, BigInts, Maps and Sets are written plainly and optional members stay away", () => {
    const value = { docs: [{ at: new Date(0), big: 5n, tags: new Set([1]), map: new Map([["a", 1n]]), no: undefined }] }

    const text = encodeWithMeta(value, { "docs.*.at": "Date", "docs.*.big": "BigInt" })

    expect(text).toBe(
      `{"json":{"docs":[{"at":"${EPOCH}","big":"5","tags":[1],"map":[["a","1"]]}]},` +
        '"meta":{"values":{"docs.*.at":"Date","docs.*.big":"BigInt"}}}',
    )
  })

  test("a null where the schema has a type stays null", () => {
    const text = encodeWithMeta([{ at: null, big: null }], { "*.at": "Date", "*.big": "BigInt", "*.set": "Set" })

    expect(decodeExtended(JSON.parse(text))).toEqual([{ at: null, big: null }])
  })
})

describe("decodeExtended", () => {
  test.each<[string, unknown, unknown, unknown]>([
    ["a star", { docs: [{ at: EPOCH }, {}, null, { at: null }, 7] }, { "docs.*.at": "Date" }, [new Date(0)]],
    ["an index", { docs: [{ at: EPOCH }] }, { "docs.0.at": "Date" }, [new Date(0)]],
  ])("%s in a path finds what is there and passes over what is not", (_name, json, values, expected) => {
    const { docs } = decode(json, values) as { docs: ({ at?: Date } | null)[] }

    expect(docs.slice(0, 1).map((record) => record?.at)).toEqual(expected)
    expect(docs.slice(1)).toEqual((json as { docs: unknown[] }).docs.slice(1))
  })

  test("an index stands instead of the star for its item", () => {
    expect(decode([EPOCH, "5", EPOCH], { "*": "Date", "1": "BigInt" })).toEqual([new Date(0), 5n, new Date(0)])
  })

  test.each(["a.b", "b", "a.length", "l.length", "l.5", "l.00", "l.-1", "l.\\*", "text.0", "toString", "l.*.x.y"])(
    "the path %s leads nowhere and is passed over",
    (path) => {
      const json = { a: {}, l: ["1"], text: "abc" }

      expect(decode(structuredClone(json), { [path]: "BigInt" })).toEqual(json)
    },
  )

  test("null stays null under every type but undefined", () => {
    const json = { a: null, b: null, c: null, d: null, e: null }

    const value = decode(json, { a: "Date", b: "Map", c: "Set", d: "BigInt", e: "undefined" })

    expect(value).toStrictEqual({ a: null, b: null, c: null, d: null, e: undefined })
  })

  test.each([
    "2030-01-31T12:00:00.000Z",
    "2030-01-31T12:00:00Z",
    "2030-01-31T12:00Z",
    "2030-01-31T12:00:00.123456+02:00",
    "2030-01-31",
    "2028-02-29",
    "0000-02-29T00:00:00.000Z",
    "-000004-02-29T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
    "-271821-04-20T00:00:00.000Z",
  ])("the Date %s is read", (text) => {
    expect(decode(text, ["Date"])).toEqual(new Date(text))
  })

  test.each<[string, unknown, unknown]>([
    ["Invalid Date", "Invalid Date", "Date"],
    ["an empty Date", "", "Date"],
    ["a Date in another notation", "Jan 1, 2030", "Date"],
    ["a Date without a zone", "2030-01-31T12:00:00", "Date"],
    ["February 30", "2030-02-30T00:00:00.000Z", "Date"],
    ["February 29 of a common year", "2100-02-29T00:00:00.000Z", "Date"],
    ["April 31 with a zone", "2030-04-31T00:00:00+02:00", "Date"],
    ["month 13", "2030-13-01", "Date"],
    ["day 0", "2030-01-00", "Date"],
    ["hour 25", "2030-01-01T25:00:00Z", "Date"],
    ["a year minus zero", "-000000-01-01T00:00:00.000Z", "Date"],
    ["a Date past the last", "+275760-09-13T00:00:00.001Z", "Date"],
    ["a number as Date", 0, "Date"],
    ["an object as Date", {}, "Date"],
    ["a BigInt with an exponent", "1e5", "BigInt"],
    ["a hexadecimal BigInt", "0x10", "BigInt"],
    ["an empty BigInt", "", "BigInt"],
    ["a BigInt with spaces", " 1", "BigInt"],
    ["a BigInt with a line break", "1\n", "BigInt"],
    ["a number as BigInt", 5, "BigInt"],
    ["1,001 digits", "1".repeat(1002), "BigInt"],
    ["an object as Set", {}, "Set"],
    ["a text as Map", "ab", "Map"],
    ["a Map of something else than pairs", [[1]], "Map"],
    ["a Map of texts", ["ab"], "Map"],
    ["a Map of triples", [[1, 2, 3]], "Map"],
    ["a text as undefined", "x", "undefined"],
    ["false as undefined", false, "undefined"],
    ["a Set of 10,001", Array(10_001).fill(0), "Set"],
    ["a Map of 10,001", Array(10_001).fill([0, 0]), "Map"],
  ])("%s is refused at its path", (_name, json, type) => {
    const refusal = refusalOf(() => decode({ list: [{ value: json }] }, { "list.*.value": type }))

    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", path: "list.0.value" })
  })

  test("the bounds themselves are within bounds", () => {
    const digits = "9".repeat(1000)
    const items = Array.from({ length: 10_000 }, (_, index) => index)

    expect(decode(`-${digits}`, ["bigint"])).toBe(-BigInt(digits))
    expect((decode(items, { "": "Set" }) as Set<number>).size).toBe(10_000)
    expect(decode({ a: "1" }, Object.fromEntries(items.slice(0, 1000).map((n) => [`a.${n}`, "Date"])))).toEqual({
      a: "1",
    })
  })

  test.each([
    "RegExp",
    "regexp",
    "Error",
    "number",
    "URL",
    "symbol",
    "class",
    "date",
    "",
    "__proto__",
    "toString",
    ["regexp"],
    ["class", "User"],
    [["custom", "x"]],
    [["typed-array", "Uint8Array"]],
    [],
    7,
    null,
    { a: "Date" },
  ])("the type %j is unknown", (tag) => {
    const refusal = refusalOf(() => decode({ a: "x" }, { a: tag }))

    expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", message: expect.stringMatching(/type must be/) })
  })

  test.each([
    "__proto__.polluted",
    "a.__proto__.polluted",
    "constructor.prototype.polluted",
    "a.constructor",
    "*.prototype",
    "\\__proto__",
    "a\\b",
    "a\\",
    Array(21).fill("a").join("."),
  ])("the path %s is refused", (path) => {
    const json = JSON.parse('{"a":{"__proto__":{"polluted":"1"},"constructor":"1"}}')

    const refusal = refusalOf(() => decode(json, { [path]: "BigInt" }))

    expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST" })
  })

  test.each<[string, unknown]>([
    ["no object", "x"],
    ["null", null],
    ["an array", []],
    ["an envelope without json", { meta: { values: {} } }],
    ["meta that is no object", { json: 1, meta: "x" }],
    ["meta that is null", { json: 1, meta: null }],
    ["values that are no object", { json: 1, meta: { values: "Date" } }],
    ["values that are null", { json: 1, meta: { values: null } }],
    [
      "1,001 entries",
      { json: 1, meta: { values: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, "Date"])) } },
    ],
    ["entries nested 21 deep", { json: 1, meta: { values: nestedSets(21) } }],
  ])("%s is malformed", (_name, envelope) => {
    expect(refusalOf(() => decodeExtended(envelope))).toMatchObject({ status: 400, code: "BAD_REQUEST" })
  })

  test.each<[string, unknown, unknown]>([
    ["a BigInt of a million digits", "9".repeat(1_000_000), { "": "BigInt" }],
    ["a Set of a million", Array(1_000_000).fill(0), { "": "Set" }],
    ["a Map of a million", Array(1_000_000).fill([1, 1]), ["map"]],
    ["a list of a million Dates", Array(1_000_000).fill(EPOCH), { "*": "Date" }],
    [
      "a hundred thousand entries",
      {},
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, "Date"])),
    ],
    ["a path of a million dots", {}, { [".".repeat(1_000_000)]: "Date" }],
    ["a path of a million backslashes", {}, { ["\\".repeat(1_000_001)]: "Date" }],
  ])("%s is refused at once", (_name, json, values) => {
    const milliseconds = leastMsOf(() => expect(refusalOf(() => decode(json, values)).status).toBe(400))

    expect(milliseconds).toBeLessThan(200)
  })

  test("many paths to the same items do not multiply the work", () => {
    const leaves = Array.from({ length: 20 }, () => Array(10_000).fill(null))
    const json = Array.from({ length: 10 }).reduce<unknown>((inner) => [inner], leaves)
    const paths = Array.from({ length: 1000 }, (_, number) =>
      number.toString(2).padStart(10, "0").replaceAll("1", "*").split("").concat("*", "*").join("."),
    )

    const milliseconds = leastMsOf(() => decode(json, Object.fromEntries(paths.map((path) => [path, "Date"]))))

    expect(milliseconds).toBeLessThan(500)
  })

  test("many members named in many small objects do not multiply the work", () => {
    const json = Array.from({ length: 20 }, () => Array.from({ length: 10_000 }, () => ({})))
    const values = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`*.*.k${number}`, "Date"]))

    const milliseconds = leastMsOf(() => decode(json, values))

    expect(milliseconds).toBeLessThan(500)
  })

  test("an answer may be larger than a request", () => {
    const value = { list: Array.from({ length: 20_000 }, (_, index) => (index % 2 ? BigInt(index) : new Date(index))) }

    expect(roundTrip(value)).toEqual(value)
  })
})

function nestedSets(levels: number): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner) => ["set", { "0": inner }], ["Date"])
}

describe("parseJsonBody", () => {
  test.each(["{}", "[]", "null", "1", '"x"', ' {"a":[1,{"b":"]]}}{{[["}]} ', '"\\\\"', '{"a":"\\\\\\"[","b":[]}'])(
    "%s is parsed as by JSON.parse",
    (text) => {
      expect(parseJsonBody(text)).toEqual(JSON.parse(text))
    },
  )

  test.each(["", "{", "[1,]", "{'a':1}", "NaN", "undefined", '"', '"\\', "]", "]]]][", "}{", "\ufeff{}"])(
    "%j is not JSON",
    (text) => {
      const refusal = refusalOf(() => parseJsonBody(text))

      expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", message: "The body is not valid JSON." })
    },
  )

  test("32 levels are parsed and one more is refused", () => {
    const deep = (levels: number) => '{"a":['.repeat(levels / 2) + "]}".repeat(levels / 2)

    expect(parseJsonBody(deep(JSON_MAX_DEPTH))).toEqual(JSON.parse(deep(JSON_MAX_DEPTH)))
    expect(refusalOf(() => parseJsonBody(`[${deep(JSON_MAX_DEPTH)}]`)).message).toMatch(/32 levels/)
  })

  test("brackets count outside of strings only, wherever a string ends", () => {
    const brackets = "[".repeat(40) + "]".repeat(40)

    expect(parseJsonBody(`["\\\\\\"${brackets}"]`)).toEqual([`\\"${brackets}`])
    expect(refusalOf(() => parseJsonBody(`["\\\\",${brackets},""]`)).message).toMatch(/32 levels/)
  })

  test("an array of 10,000 items is parsed, one more is refused, and objects and neighbours do not count", () => {
    const list = (length: number) => `[${Array(length).fill("[1,2]").join()}]`
    const wide = `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":",[,"`).join()}}`

    expect(parseJsonBody(list(10_000))).toHaveLength(10_000)
    expect(parseJsonBody(`[${list(9_000)},${list(9_000)}]`)).toHaveLength(2)
    expect(Object.keys(parseJsonBody(wide) as object)).toHaveLength(20_000)
    expect(refusalOf(() => parseJsonBody(list(10_001))).message).toMatch(/10000 items/)
  })

  test.each([
    '{"__proto__":{"polluted":1}}',
    '[{"a":{"__proto__":1}}]',
    '{"\\u005f_proto__":1}',
    '{"\\u005F\\u005Fproto__":1}',
  ])("%s is refused", (text) => {
    const refusal = refusalOf(() => parseJsonBody(text))

    expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", message: expect.stringMatching(/__proto__/) })
  })

  test("the name of a prototype is harmless as a value", () => {
    expect(parseJsonBody('{"a":"__proto__","b":["\\u005f"]}')).toEqual({ a: "__proto__", b: ["_"] })
  })

  test.each<[string, string]>([
    ["a hundred thousand opening brackets", "[".repeat(100_000)],
    ["a hundred thousand levels", "[".repeat(100_000) + "]".repeat(100_000)],
    ["a hundred thousand nested objects", '{"a":'.repeat(100_000)],
    ["an array of a million", `[${"0,".repeat(1_000_000)}0]`],
    ["a million commas", ",".repeat(1_000_000)],
    ["a megabyte of escaped quotes without an end", `"${'\\"'.repeat(500_000)}`],
    ["a megabyte of backslashes without an end", `"${"\\".repeat(1_000_000)}`],
  ])("%s is refused at once", (_name, text) => {
    const milliseconds = leastMsOf(() => expect(refusalOf(() => parseJsonBody(text)).status).toBe(400))

    expect(milliseconds).toBeLessThan(100)
  })
})

test.each<[string | null, boolean]>([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
  ["", false],
  ["yes", false],
  [null, false],
])("the header %j means %s", (value, expected) => {
  expect(isExtendedHeader(value)).toBe(expected)
})

const oddKey = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.constantFrom("", "*", ".", "\\", "a.b", "a\\.b", "\\*", "0", "1", "length", "toString", "json", "meta"),
)
const key = oddKey.filter((text) => !/^(?:__proto__|constructor|prototype)$/.test(text))
const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.date({ noInvalidDate: true }),
  fc.bigInt(),
)

const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => new Set(items)),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
    tie("records"),
  ),
  // Rows that are alike, which is where folding has something to do.
  records: fc.array(
    fc.record({ at: tie("value"), a: fc.option(tie("value")) }, { requiredKeys: ["at"], noNullPrototype: true }),
    {
      maxLength: 4,
    },
  ),
}))

describe("against generated values and the reference library", () => {
  test("what is written is read back, as an answer and as a request", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(roundTrip(value)).toStrictEqual(value)
        expect(decodeExtended(JSON.parse(encodeExtended(value)))).toStrictEqual(value)
      }),
      { numRuns: count({ short: 500, long: 2_000 }) },
    )
  })

  test("the text is the same whether the meta is searched for or known", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const text = encodeExtended(value)
        const known = encodeWithMeta(value, JSON.parse(text).meta?.values)

        expect(decodeAnswer(JSON.parse(known))).toStrictEqual(value)
      }),
      { numRuns: count({ short: 150, long: 500 }) },
    )
  })

  test("what superjson writes is read as it was meant", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const envelope = JSON.parse(superjson.stringify(value))

        expect(decodeExtended(envelope)).toStrictEqual(value)
      }),
      { numRuns: count({ short: 500, long: 2_000 }) },
    )
  })

  test("arbitrary envelopes are either read or refused with 400", () => {
    const tag = fc.constantFrom(
      "Date",
      "Map",
      "Set",
      "BigInt",
      "undefined",
      "set",
      "map",
      "regexp",
      ["set"],
      ["Date", {}],
    )
    const path = fc.string({ unit: fc.constantFrom("a", "b", "0", ".", "*", "\\", "__proto__") })
    const envelope = fc.record({
      json: fc.jsonValue(),
      meta: fc.record({ values: fc.oneof(fc.dictionary(path, tag), tag, fc.jsonValue()) }),
    })

    fc.assert(
      fc.property(envelope, (value) => {
        try {
          decodeExtended(value)
        } catch (error) {
          expect(error).toMatchObject({ name: "ApiError", status: 400 })
        }
      }),
      { numRuns: count({ short: 750, long: 3_000 }) },
    )
  })

  test("bodies of generated JSON are parsed as by JSON.parse", () => {
    const harmlessJson = fc.json({ maxDepth: 10 }).filter((text) => !text.includes("__proto__"))

    fc.assert(
      fc.property(harmlessJson, (text) => {
        expect(parseJsonBody(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: count({ short: 250, long: 1_000 }) },
    )
  })
})
