import { describe, expect, test } from "vitest"
import type { Field } from "../../src/schema/builders/field.ts"
import type { Parsed } from "../../src/schema/compile/field-type.ts"
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"

const ID = "01890000-0000-7000-8000-00000000000a"
const NO = Symbol("a problem")

type Row = [given: unknown, expected: unknown]

function outcome(parsed: Parsed): unknown {
  if ("value" in parsed) return parsed.value
  const problems = parsed.parts?.map(({ problem }) => problem) ?? [parsed.problem]
  for (const problem of problems) expect(problem).toMatch(/^[A-Z].*[.?]$/s)
  return NO
}

const same = (...values: unknown[]): Row[] => values.map((value) => [value, value])
const refused = (...values: unknown[]): Row[] => values.map((value) => [value, NO])
const strangers = [undefined, null, Symbol("x"), () => 1, new Map(), Number.NaN]

const fields: [name: string, field: Field<any, any>, rows: Row[]][] = [
  [
    "text",
    f.text(),
    [...same("", "a", " a ", "💚", "\n"), ...refused(1, true, ["a"], {}, "\0", "\ud800", ...strangers)],
  ],
  ["text(3)", f.text(3), [...same("", "abc", "💚💚💚"), ...refused("abcd", "💚💚💚💚", "💚💚💚a")]],
  ["text().min(2).max(3)", f.text().min(2).max(3), [...same("ab", "abc", "💚💚"), ...refused("", "a", "abcd", "💚")]],
  [
    "text(2).lowercase()",
    f.text(2).lowercase(),
    [["\u0130\u0130", "i\u0307i\u0307"], ...refused("\u0130\u0130\u0130")],
  ],
  ["text().pattern(/^.$/)", f.text().pattern(/^.$/), [...same("a", "💚"), ...refused("", "💚💚")]],
  [
    "text().trim().min(2)",
    f.text().trim().min(2),
    [
      ["  ab ", "ab"],
      ["  a  ", NO],
    ],
  ],
  ["text().lowercase()", f.text().lowercase(), [["ÁB", "áb"]]],
  ["text().pattern()", f.text().pattern(/^\d+$/), [...same("12", "12"), ...refused("", "1a")]],
  [
    "email",
    f.email(),
    [
      ...same("a@b.sk", "Ann.Lee+x@mail.example.com"),
      ...refused("", "a", "a@b", "a@b.", "a@.b", "<a@b.sk>", "a@b@c.d", 5),
    ],
  ],
  [
    "url",
    f.url(),
    [
      ...same("https://a.sk", "HTTP://a.sk:8080/x?y=z#w", "https://žltý.sk"),
      ...refused(
        "",
        "a.sk",
        "//a.sk",
        "ftp://a.sk",
        "javascript:alert(1)",
        " https://a.sk",
        "https://1.2.3",
        "https://a.sk:65536",
        "https://xn--a.sk",
        "https://a\n.sk",
        "https:a",
        5,
      ),
    ],
  ],
  [
    "date",
    f.date(),
    [
      ...same("0001-01-01", "2024-02-29", "9999-12-31"),
      ...refused(
        "2023-02-29",
        "0000-01-01",
        "10000-01-01",
        "2024-1-1",
        "2024-01-01T00:00:00Z",
        new Date(),
        5,
        ...strangers,
      ),
    ],
  ],
  [
    "time",
    f.time(),
    [
      ...same("00:00:00", "23:59:59"),
      ["10:30", "10:30:00"],
      ...refused("24:00", "1:00", "10:60", "10:30:60", "10:30:00.1", "10:30Z", "", 5, ...strangers),
    ],
  ],
  [
    "select().multiple()",
    f.select(["a", "b"]).multiple(),
    [
      [[], []],
      [
        ["b", "a"],
        ["b", "a"],
      ],
      ...refused(["a", "a"], ["c"], "a", [["a"]], { 0: "a" }, ...strangers),
    ],
  ],
  [
    "array(text(2).trim()).min(1).max(2)",
    f.array(f.text(2).trim()).min(1).max(2),
    [
      [[" a "], ["a"]],
      [
        ["a", "b"],
        ["a", "b"],
      ],
      ...refused([], ["a", "b", "c"], ["abc"], [null], [1], "a", ...strangers),
    ],
  ],
  [
    "array(bigint)",
    f.array(f.number().bigint()),
    [
      [
        ["1", 2, 3n],
        [1n, 2n, 3n],
      ],
      ...refused([1.5]),
    ],
  ],
  [
    "object",
    f.object({ a: f.text().required(), b: f.number().default(1), c: f.object({ d: f.date() }) }),
    [
      [{ a: "x" }, { a: "x", b: 1, c: null }],
      [
        { a: "x", b: null, c: {} },
        { a: "x", b: null, c: { d: null } },
      ],
      ...refused({}, { a: null }, { a: "x", z: 1 }, { a: "x", c: { d: "x" } }, [], "a", ...strangers),
    ],
  ],
  [
    "array(object)",
    f.array(f.object({ a: f.datetime() })),
    [[[{ a: "2026-01-01" }], [{ a: new Date("2026-01-01") }]], ...refused([{ a: 5 }], [null], {})],
  ],
  [
    "richText",
    f.richText(),
    [
      ...same(
        { type: "doc", content: [] },
        {
          type: "doc",
          content: [{ type: "paragraph", attrs: null, content: [{ type: "text", text: "a", marks: [] }] }],
        },
      ),
      ...refused({ type: "doc" }, { content: [] }, [], "text", { type: "doc", content: ["a"] }, ...strangers),
      ...refused(
        { type: "doc", content: [{ type: "paragraph", attrs: [] }] },
        { type: "doc", content: [{ type: "paragraph", text: "a" }] },
      ),
      ...refused({ type: "doc", content: [{ type: "text", text: "\0" }] }, { type: "doc", content: [{ type: "\0" }] }),
      ...refused({ type: "doc", content: [], text: 5 }, { type: "doc", content: [{ type: "paragraph", text: "" }] }),
    ],
  ],
  ["computed", f.computed(() => 1), refused(1, null)],
  ["virtual", f.virtual(f.number(), "1"), refused(1, null)],
  ["textarea", f.textarea(), [...same("x".repeat(100_000)), ...refused(5)]],
  [
    "number",
    f.number(),
    [...same(0, -1.5, 5e-324, 1.7e308), ...refused("1", 1n, Number.POSITIVE_INFINITY, [1], {}, ...strangers)],
  ],
  ["number().min(0).max(1)", f.number().min(0).max(1), [...same(0, 0.5, 1), ...refused(-0.1, 1.1)]],
  [
    "integer",
    f.number().integer(),
    [...same(-2_147_483_648, 0, 2_147_483_647), ...refused(1.5, 2_147_483_648, -2_147_483_649, "1", 1n, ...strangers)],
  ],
  [
    "bigint",
    f.number().bigint(),
    [
      ...same(9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n),
      ...([
        ["12", 12n],
        [-7, -7n],
        [2 ** 53 - 1, BigInt(2 ** 53 - 1)],
        ["-0", 0n],
      ] as Row[]),
      ...refused(
        2 ** 53,
        1.5,
        "",
        " 1",
        "1.0",
        "1e3",
        "0x1",
        "9223372036854775808",
        "12345678901234567890",
        ...strangers,
      ),
    ],
  ],
  [
    "bigint().max(5)",
    f.number().bigint().max(5),
    [
      [5, 5n],
      ["6", NO],
    ],
  ],
  [
    "decimal(5, 2)",
    f.number().decimal(5, 2),
    [
      ...same("0.00", "-1.50", "999.99", "-999.99"),
      ...([
        ["0", "0.00"],
        ["-0", "0.00"],
        ["007.1", "7.10"],
        [1.5, "1.50"],
        [-3, "-3.00"],
      ] as Row[]),
      ...refused("1000", "0.001", "", ".5", "1.", "1e2", 1e21, 1e-7, "+1", " 1", "1,5", 5n, ...strangers),
    ],
  ],
  ["decimal(2, 2)", f.number().decimal(2, 2), [...same("0.99", "-0.10", "0.00"), ...refused("1", "1.00", "0.999")]],
  ["decimal(3, 0)", f.number().decimal(3, 0), [...same("999", "-1"), ...refused("1000", "1.0")]],
  [
    "decimal(20, 2).max(9007199254740992n)",
    f.number().decimal(20, 2).max(9_007_199_254_740_992n),
    [...same("9007199254740992.00"), ...refused("9007199254740992.01", "9007199254740993")],
  ],
  ["decimal(5, 2).min(1)", f.number().decimal(5, 2).min(1), [...same("1.00"), ...refused("0.99", -5)]],
  ["boolean", f.boolean(), [...same(true, false), ...refused("true", 1, 0, ...strangers)]],
  [
    "datetime",
    f.datetime(),
    [
      ["2026-05-04", new Date("2026-05-04T00:00:00Z")],
      ["2026-05-04T10:30Z", new Date("2026-05-04T10:30:00Z")],
      ["2026-05-04T10:30:00.123456789-01:30", new Date("2026-05-04T12:00:00.123Z")],
      ["2024-02-29T00:00:00Z", new Date("2024-02-29")],
      ["2024-02-28T24:00Z", new Date("2024-02-29")],
      ...refused("0001-01-01T00:00+01:00", "9999-12-31T23:59-00:01", "9999-12-31T24:00Z", "2024-02-28T24:00:01Z"),
      [new Date(5), new Date(5)],
      ...refused("2026-02-29", "2026-13-01", "2026-00-10", "2026-05-04T10:30", "2026-05-04 10:30:00Z", "20260504"),
      ...refused("2026-05-04T10:30:61Z", "2026-05-04T10:30:00+99:99", "0000-12-31", "10000-01-01", "May 4", ""),
      ...refused(new Date("x"), new Date(Date.UTC(10_000, 0)), 0, 1n, ...strangers),
    ],
  ],
  ["select", f.select(["a", "b"]), [...same("a", "b"), ...refused("c", "A", "", 0, ["a"], ...strangers)]],
  [
    "json",
    f.json(),
    [
      ...same(null, 0, -0.5, "", "x", true, [], {}, [1, [null]], { a: { b: [1] } }, Object.create(null)),
      ...refused(1n, "\0", { "\0": 1 }, ["\ud800"], new Date(), new Map(), [undefined], { a: undefined }, Number.NaN),
      ...refused(Number.POSITIVE_INFINITY, Symbol("x"), () => 1),
    ],
  ],
  [
    "relation",
    f.relation("people"),
    [
      [ID, ID],
      [ID.toUpperCase(), ID],
      [{ connect: { id: ID } }, ID],
      ...refused("", "7", `${ID} `, { id: ID }, { connect: ID }, { connect: { id: 7 } }, { connect: { id: ID, x: 1 } }),
      ...refused({ connect: { id: ID }, create: {} }, [ID], {}, 7, ...strangers),
    ],
  ],
]

describe("what a write may store", () => {
  test.each(fields)("in %s", (_name, field, rows) => {
    const type = field.compile()

    const outcomes = rows.map(([given]) => outcome(type.parse(given)))

    expect(outcomes).toEqual(rows.map(([, expected]) => expected))
  })
})

describe("what a filter may compare with", () => {
  test.each<[string, Field<any, any>, Row[]]>([
    ["text(3).min(2), whose rules are for writes", f.text(3).min(2).lowercase().trim(), same("", "ABCDE", " a ")],
    ["number().min(5)", f.number().min(5), [...same(1), ...refused("1")]],
    [
      "decimal(5, 2)",
      f.number().decimal(5, 2),
      [
        [1, "1.00"],
        ["1000", NO],
      ],
    ],
    [
      "bigint",
      f.number().bigint(),
      [
        ["5", 5n],
        [5, 5n],
      ],
    ],
    [
      "datetime",
      f.datetime(),
      [
        ["2026-05-04", new Date("2026-05-04")],
        ["x", NO],
      ],
    ],
    [
      "select",
      f.select(["a"]),
      [
        ["a", "a"],
        ["b", NO],
      ],
    ],
    [
      "relation",
      f.relation("people"),
      [
        [ID, ID],
        [{ connect: { id: ID } }, NO],
      ],
    ],
    ["json", f.json(), same({ a: 1 }, "x")],
    ["email", f.email(), same("ann", "")],
    ["object, which is compared as JSON", f.object({ a: f.text() }), same({ b: 1 }, 5)],
    [
      "time",
      f.time(),
      [
        ["10:30", "10:30:00"],
        ["x", NO],
      ],
    ],
  ])("for %s", (_name, field, rows) => {
    const type = field.compile()

    expect(rows.map(([given]) => outcome(type.parseOperand(given)))).toEqual(rows.map(([, expected]) => expected))
  })
})

describe("what the text of a query string means", () => {
  test.each<[string, Field<any, any>, [text: string, expected: unknown][]]>([
    [
      "text",
      f.text(3),
      [
        ["12345", "12345"],
        ["", ""],
        ["true", "true"],
      ],
    ],
    [
      "number",
      f.number(),
      [
        ["1.5", 1.5],
        ["-2e3", -2000],
        ["1e999", NO],
        ["", NO],
        ["0x1", NO],
        [" 1", NO],
        ["1_0", NO],
      ],
    ],
    [
      "integer",
      f.number().integer(),
      [
        ["-5", -5],
        ["1.0", 1],
        ["1.5", NO],
        ["NaN", NO],
      ],
    ],
    [
      "bigint",
      f.number().bigint(),
      [
        ["9007199254740993", 9_007_199_254_740_993n],
        ["1.0", NO],
      ],
    ],
    [
      "decimal(5, 2)",
      f.number().decimal(5, 2),
      [
        ["1.50", "1.50"],
        ["1e1", NO],
      ],
    ],
    [
      "boolean",
      f.boolean(),
      [
        ["true", true],
        ["false", false],
        ["1", NO],
        ["", NO],
        ["TRUE", NO],
      ],
    ],
    [
      "datetime",
      f.datetime(),
      [
        ["2026-05-04", new Date("2026-05-04")],
        ["1777852800000", NO],
      ],
    ],
    [
      "select",
      f.select(["a"]),
      [
        ["a", "a"],
        ["", NO],
      ],
    ],
    [
      "json",
      f.json(),
      [
        ["1", 1],
        ['"1"', "1"],
        ['{"a":[null]}', { a: [null] }],
        ["a", NO],
        ["", NO],
        ['"\\u0000"', NO],
      ],
    ],
    [
      "relation",
      f.relation("people"),
      [
        [ID, ID],
        ["", NO],
      ],
    ],
  ])("for %s", (_name, field, rows) => {
    const type = field.compile()

    expect(rows.map(([text]) => outcome(type.parseText(text)))).toEqual(rows.map(([, expected]) => expected))
  })
})

describe("a field", () => {
  test("is a frozen value; each method returns a changed copy of the same class", () => {
    const plain = f.text()

    const changed = plain.required().unique().label("Title").max(5)

    expect(Object.isFrozen(plain) && Object.isFrozen(changed) && Object.isFrozen(changed.traits)).toBe(true)
    expect(plain.traits).toMatchObject({ required: false, unique: false })
    expect(changed.traits).toMatchObject({ required: true, unique: true, label: "Title" })
    expect(changed.constructor).toBe(plain.constructor)
  })

  test("names its types for the generated code", () => {
    const names = [
      f.text(),
      f.number(),
      f.number().bigint(),
      f.number().decimal(4, 2),
      f.datetime(),
      f.select(["a", 'b"']),
      f.select(["a", "b"]).multiple(),
      f.array(f.number().bigint()),
      f.object({ a: f.text().required(), b: f.object({ c: f.datetime() }), d: f.boolean().required().default(true) }),
      f.richText(),
      f.virtual(f.number(), "1"),
    ]

    expect(names.map((field) => field.compile().typescript)).toEqual([
      { output: "string", input: "string" },
      { output: "number", input: "number" },
      { output: "bigint", input: "bigint | number" },
      { output: "string", input: "string | number" },
      { output: "Date", input: "Date | string" },
      { output: '"a" | "b\\""', input: '"a" | "b\\""' },
      { output: '("a" | "b")[]', input: 'readonly ("a" | "b")[]' },
      { output: "bigint[]", input: "readonly (bigint | number)[]" },
      {
        output: "{ a: string; b: { c: Date | null } | null; d: boolean }",
        input: "{ a: string; b?: { c?: Date | string | null } | null; d?: boolean }",
      },
      { output: "RichText", input: "RichText" },
      { output: "number", input: "number" },
    ])
  })
})

describe("a value with parts", () => {
  const address = f.object({ street: f.text().required(), at: f.array(f.object({ lat: f.number() })) }).compile()

  test("says where its problems are", () => {
    const parsed = address.parse({ stret: "x", at: [{ lat: 1 }, { lat: "x", lon: 2 }] })

    expect(parsed).toEqual({
      problem: 'stret: There is no field "stret". Did you mean "street"?',
      parts: [
        { path: "stret", problem: 'There is no field "stret". Did you mean "street"?' },
        { path: "street", problem: "Required." },
        { path: "at.1.lon", problem: expect.stringContaining('There is no field "lon".') },
        { path: "at.1.lat", problem: "Expected a number." },
      ],
    })
  })

  test("reports a hundred problems of a list and no more", () => {
    const parsed = f.array(f.number()).compile().parse(Array(10_000).fill("x"))

    expect("parts" in parsed && parsed.parts).toHaveLength(100)
  })

  test("is stored as JSON and read back from it, with the parts that were declared since", () => {
    const parts = { at: f.datetime(), big: f.number().bigint(), list: f.array(f.datetime()) }
    const before = f.object(parts).compile()
    const after = f.object({ ...parts, later: f.text() }).compile()
    const value = { at: new Date(0), big: 5n, list: [new Date(1)] }

    const stored = String(before.toSql?.(value))

    expect(stored).toBe('{"at":"1970-01-01T00:00:00.000Z","big":"5","list":["1970-01-01T00:00:00.001Z"]}')
    expect(before.fromJson?.(JSON.parse(stored))).toEqual(value)
    expect(after.fromJson?.(JSON.parse(stored))).toEqual({ ...value, later: null })
    expect(after.fromJson?.({ at: null })).toEqual({ at: null, big: null, list: null, later: null })
  })

  test("tags the parts that plain JSON cannot hold", () => {
    const parts = f.array(f.object({ a: f.object({ at: f.datetime() }), codes: f.array(f.number().bigint()) }))

    expect(parts.compile().extendedParts).toEqual({ "*.a.at": "Date", "*.codes.*": "BigInt" })
    expect(f.array(f.date()).compile().extendedParts).toEqual({})
  })
})

describe("a list of blocks", () => {
  const parts = { at: f.datetime(), big: f.number().bigint() }
  const before = f
    .blocks({ note: parts, list: { inner: f.array(f.object({ own: f.blocks({ note: parts }) })) } })
    .compile()
  const item = { type: "note", at: new Date(0), big: 5n }

  test("gives ids to the items without one, at every depth", () => {
    let last = 0
    const given = [{ ...item, id: "a" }, item, { type: "list", inner: [{ own: [item] }, { own: null }] }]

    const parsed = before.parse(given)

    expect("value" in parsed && before.withIds?.(parsed.value, () => String(++last))).toEqual([
      { ...item, id: "a" },
      { ...item, id: "1" },
      { type: "list", id: "2", inner: [{ own: [{ ...item, id: "3" }] }, { own: null }] },
    ])
  })

  test("is read back from its JSON, whatever was declared when it was stored", () => {
    const after = f.blocks({ note: { ...parts, later: f.text() } }).compile()
    const odd = [5, null, { type: 7 }, { type: "gone", at: 1 }]
    const stored = String(before.toSql?.([{ ...item, id: "a" }]))

    expect(stored).toBe('[{"type":"note","at":"1970-01-01T00:00:00.000Z","big":"5","id":"a"}]')
    expect(before.fromJson?.(JSON.parse(stored))).toEqual([{ ...item, id: "a" }])
    expect(after.fromJson?.(JSON.parse(stored))).toEqual([{ ...item, id: "a", later: null }])
    expect(after.fromJson?.([...odd, { type: "note", big: "much" }])).toEqual([
      ...odd,
      { type: "note", id: "5", at: null, big: "much", later: null },
    ])
    expect(after.fromJson?.({ a: 1 })).toEqual({ a: 1 })
  })

  test("keeps items of removed blocks only if they come from storage", () => {
    const gone = [{ type: "gone", id: "a", at: 1 }]

    expect(before.parse(gone, "stored")).toEqual({ value: gone })
    expect(before.parse(gone)).toHaveProperty("problem")
  })

  test("says that only its value tells where dates and big integers are", () => {
    const plain = f.blocks({ note: { day: f.date() } })

    expect([before, plain.compile(), f.object({ a: f.array(f.blocks({ a: parts })) }).compile()].map(unlisted)).toEqual(
      [
        [true, undefined],
        [false, undefined],
        [true, {}],
      ],
    )

    function unlisted({ hasUnlistedParts, extendedParts }: ReturnType<typeof plain.compile>) {
      return [hasUnlistedParts, extendedParts]
    }
  })
})

test("the SQL of a virtual field is split into its text and the columns it names", () => {
  const { expression } = f.virtual(f.text(), `"a" || ' "b" ''' || upper("c")`).compile()

  expect(expression).toEqual([
    { column: "a" },
    { text: " || " },
    { text: `' "b" '''` },
    { text: " || upper(" },
    { column: "c" },
    { text: ")" },
  ])
})
