import type { Field } from "../../../packages/kit/src/schema/builders/field.ts"
import { fieldSet as f } from "../../../packages/kit/src/schema/fields/field-set.ts"

/** A field, and values that it accepts or almost accepts. */
export interface FieldExample {
  readonly field: Field
  readonly examples: readonly unknown[]
  /** True for values of which the schema says that only the server can check them. It may then refuse more. */
  readonly isLeftToServer?: (value: unknown) => boolean
}

const isNumber = (value: unknown) => typeof value === "number"
const isAny = () => true
// Characters beyond ASCII, or the prefix of a name that encodes such characters.
const hasInternationalName = (value: unknown) => /[\u0080-\u{10FFFF}]|xn--/iu.test(String(value))

const WORDS = ["", "a", "ab", "abc", "Abcde", " abcde ", "\u{1F600}\u{1F600}\u{1F600}", "İİİ", "abcdefghij"]
const DAYS = ["2026-05-04", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2026-04-30", "2026-12-31"]
const MOMENTS = [
  ...DAYS,
  "2026-05-04T10:30Z",
  "2026-05-04T10:30:15+02:00",
  "2026-05-04T10:30:15.123456789-23:59",
  "2024-02-29T24:00:00.000Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
]
const IDS = ["01890f3e-0000-7000-8000-000000000000", "01890f3e-0000-7000-8000-00000000000a"]
const DOCUMENT = {
  type: "doc",
  content: [
    { type: "paragraph", attrs: { level: 1 }, content: [{ type: "text", text: "Hi", marks: [{ type: "strong" }] }] },
    { type: "image", attrs: null },
  ],
}

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function nestedNodes(depth: number): unknown {
  let content: unknown[] = []
  for (let level = 1; level < depth; level += 1) content = [{ type: "blockquote", content }]
  return { type: "doc", content: [{ type: "blockquote", content }] }
}

// True if two items of a list of blocks have one id.
function hasRepeatedId(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const ids = value.flatMap((item) => (item as { id?: unknown } | null)?.id ?? [])
  return new Set(ids).size < ids.length
}

function someList(value: unknown, test: (list: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((part) => test(part) || someList(part, test))
}

/** The field types with their modifiers, by a name for the test. */
export const FIELD_EXAMPLES: Readonly<Record<string, FieldExample>> = {
  text: { field: f.text(), examples: WORDS },
  "text with limits": { field: f.text(5).min(2), examples: WORDS },
  "text, trimmed": { field: f.text(5).min(1).trim(), examples: WORDS },
  "text, trimmed, of length two to three": { field: f.text(3).min(2).trim(), examples: WORDS },
  "text, trimmed, of length zero": { field: f.text(0).trim(), examples: WORDS },
  "text, in lower case": { field: f.text(5).lowercase(), examples: WORDS },
  "text with a pattern": { field: f.text().pattern(/^[a-z]+$/), examples: [...WORDS, "slug", "slug-slug"] },
  "text with a pattern of any characters": { field: f.text().pattern(/^.{2,3}$/), examples: WORDS },
  "text with a pattern without case": {
    field: f.text().pattern(/^[a-k]+x?$/i),
    examples: [...WORDS, "kK", "KX"],
  },
  "text, trimmed, in lower case, with a pattern": {
    field: f
      .text(9)
      .trim()
      .lowercase()
      .pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    examples: [...WORDS, "Slug", " slug-1 ", "K-k"],
  },
  "text, in lower case, with a pattern of words": {
    field: f
      .text()
      .lowercase()
      .pattern(/^(k|[\w\s-]{2}|Z)$/),
    examples: [...WORDS, "k", "K", "\u212A", "z", "Z", "a ", "A-", "sS"],
  },
  "text, trimmed, with a pattern that matches nothing, too": {
    field: f
      .text()
      .trim()
      .pattern(/^(?:[^,]{2}| a|\s)?$/),
    examples: [...WORDS, "  ", " a", "a ", ",", "é\u{1F600}"],
  },
  "text with a pattern of escapes": {
    // biome-ignore lint/complexity/noUselessEscapeInRegex: authors write such escapes.
    field: f.text().pattern(/^[\_\-a-c\@]+\@}?[^\s\d]\-$/i),
    examples: ["a@}é-", "A_-@@x-", "C@B-", "a@1-", "a@}\u{1F600}-"],
  },
  "text with a pattern of lines": {
    field: f.text().pattern(/^a.c$/ms),
    examples: ["abc", "x\nabc", "a\nc\ny", "a\u{1F600}c", "\u2028a\u2028c"],
  },
  textarea: { field: f.textarea(), examples: WORDS },
  email: { field: f.email(), examples: ["ann@example.com", "é@é.é", `${"a".repeat(242)}@example.com`] },
  "email, trimmed, in lower case": { field: f.email().trim().lowercase(), examples: [" Ann@Example.com ", "İ@x.y"] },
  url: {
    field: f.url(),
    isLeftToServer: hasInternationalName,
    examples: [
      "https://example.com",
      "http://localhost:3000/a?b=c#d",
      "HTTPS://user:pw@Example.com:65535/",
      "http://127.0.0.1",
      "http://[::1]:80/x",
      "http://[1:2:3:4:5:6:7:8]",
      "http://[1:2::7:8]?q",
      "http://[::ffff:1.2.3.4]",
      "http://a.b_c-d.:/",
      "http://1.2.3",
      "http://x.0x1f",
      "http://a@b@c.d",
      "https://münchen.de/ä",
      "https://xn--mnchen-3ya.de",
    ],
  },
  "url, trimmed, in lower case": {
    field: f.url().trim().lowercase(),
    isLeftToServer: hasInternationalName,
    examples: [" HTTP://Example.COM/A ", "https://1.1.1.1:8080"],
  },
  number: { field: f.number(), examples: [0, 1.5, -3, 1e300] },
  "number with bounds": { field: f.number().min(-1).max(1.5), examples: [0, 1.5, -1, 1.51] },
  "number with a bigint as bound": { field: f.number().min(9007199254740993n), examples: [2 ** 53, 2 ** 53 + 2] },
  integer: { field: f.number().integer(), examples: [0, 1, -5, 2 ** 31 - 1, -(2 ** 31)] },
  "integer with bounds": { field: f.number().integer().min(0.5).max(10), examples: [0, 1, 10, 11] },
  bigint: { field: f.number().bigint(), examples: [0, "12", "-9223372036854775808", 2 ** 53 - 1, "0099"] },
  "bigint with bounds": {
    field: f.number().bigint().min(-15).max(1234n),
    examples: ["-15", "-16", "0", "-0", 1234, "1235", "001234", -15],
  },
  "bigint above a large bound": {
    field: f.number().bigint().min(9007199254740993n),
    examples: ["9007199254740993", "9007199254740992", 2 ** 53 - 1],
  },
  decimal: {
    field: f.number().decimal(6, 2),
    isLeftToServer: isNumber,
    examples: ["1.50", "9999.99", "-0.00", 12, 0.25, "0001.5", "10000"],
  },
  "decimal with bounds": {
    field: f.number().decimal(6, 2).min(-1.25).max(20.05),
    isLeftToServer: isNumber,
    examples: ["-1.25", "-1.26", "20.05", "20.06", 20, 0.5, "0", "-0", "1.2", "-1.2"],
  },
  "decimal between close bounds": {
    field: f.number().decimal(6, 3).min(0.12).max(0.345),
    isLeftToServer: isNumber,
    examples: ["0.12", "0.119", "0.345", "0.35", "0.2", 0.3, "0.120", "00.34"],
  },
  "decimal below one": {
    field: f.number().decimal(3, 3),
    isLeftToServer: isNumber,
    examples: ["0.123", "0", "1", "0.5", 0.25],
  },
  "decimal without a fraction": { field: f.number().decimal(5, 0).max(-1), examples: ["-5", -5, "0", "-99999", -1] },
  boolean: { field: f.boolean(), examples: [true, false] },
  date: { field: f.date(), examples: DAYS },
  time: { field: f.time(), examples: ["10:30", "23:59:59", "00:00"] },
  datetime: { field: f.datetime(), examples: MOMENTS },
  select: { field: f.select(["idea", "done"]), examples: ["idea", "done", "Idea"] },
  multiple: { field: f.select(["a", "b", "c"]).multiple(), examples: [[], ["a"], ["a", "b"], ["c", "b", "a"]] },
  json: { field: f.json(), examples: [1, "a", nested(19, 1), nested(20, 1), nested(20, []), { a: [null, { b: 1 }] }] },
  richText: { field: f.richText(), examples: [DOCUMENT, DOCUMENT, nestedNodes(12), nestedNodes(13)] },
  object: {
    field: f.object({
      street: f.text(5).required(),
      zip: f.number().integer().required().default(7),
      note: f.text(3),
      any: f.json().required(),
    }),
    examples: [
      { street: "a", any: 1 },
      { street: "b", zip: 1, note: null, any: [] },
      { street: "c", note: "x", any: 0 },
    ],
  },
  "object in an object": {
    field: f.object({ inner: f.object({ days: f.array(f.date()).required() }), on: f.datetime() }),
    examples: [{ inner: { days: ["2024-02-29"] } }, { inner: null, on: "2024-02-29" }, { inner: { days: [] } }, {}],
  },
  blocks: {
    field: f
      .blocks({
        hero: { heading: f.text(5).required(), wide: f.boolean().required().default(false), at: f.datetime() },
        quote: f.block({ text: f.text(3), stars: f.number().integer().min(1) }),
        rule: {},
      })
      .min(1)
      .max(3),
    isLeftToServer: hasRepeatedId,
    examples: [
      [{ type: "hero", heading: "a" }],
      [
        { type: "quote", text: "abc", stars: 1 },
        { type: "rule" },
        { type: "hero", id: "a_B-1", heading: "b", wide: true },
      ],
      [
        { type: "rule", id: "a" },
        { type: "quote", id: "a" },
      ],
      [
        { type: "rule", id: IDS[0] },
        { type: "hero", id: "x", heading: "c", at: "2024-02-29" },
      ],
    ],
  },
  "blocks in blocks": {
    field: f.blocks({
      columns: {
        left: f.blocks({ note: { text: f.text(3).required() }, rule: {} }).required(),
        size: f.object({ n: f.number() }),
      },
      list: { items: f.array(f.blocks({ rule: {} }).max(1)) },
    }),
    isLeftToServer: (value) => hasRepeatedId(value) || someList(value, hasRepeatedId),
    examples: [
      [],
      [{ type: "columns", left: [{ type: "note", text: "a" }, { type: "rule" }], size: { n: 1 } }],
      [
        { type: "columns", left: [], size: null },
        { type: "list", items: [[{ type: "rule" }], []] },
      ],
    ],
  },
  array: {
    field: f.array(f.text(3)).min(1).max(3),
    examples: [["a"], ["a", "b", "c"], ["\u{1F600}\u{1F600}\u{1F600}"]],
  },
  "array of objects": {
    field: f.array(f.object({ sku: f.text(3).required(), count: f.number().integer().min(1) })),
    examples: [[], [{ sku: "a" }, { sku: "b", count: 2 }]],
  },
  "array of JSON": { field: f.array(f.json()).max(2), examples: [[null, 1], [{ a: nested(18, 1) }], [nested(20, 1)]] },
  "array of bigints": { field: f.array(f.number().bigint()), examples: [["1", 2], ["9223372036854775807"]] },
  relation: {
    field: f.relation("targets"),
    isLeftToServer: isAny,
    examples: [
      IDS[0],
      IDS[1],
      { connect: { id: IDS[0] } },
      { disconnect: true },
      { connectOrCreate: { where: {}, create: {} } },
      { create: {} },
    ],
  },
  "relation to a record with an id of the caller": {
    field: f.relation("named"),
    isLeftToServer: isAny,
    examples: [
      "one",
      "two",
      "a/b",
      "..",
      "schema",
      { connect: { id: "one" } },
      { create: { id: "three" } },
      "é".repeat(200),
    ],
  },
  "relation to many": {
    field: f.relation("targets").manyToMany(),
    isLeftToServer: isAny,
    examples: [
      [],
      IDS,
      [{ id: IDS[0] }],
      { set: [IDS[0]], disconnect: IDS[1] },
      { update: { id: IDS[0], data: {} } },
      { connect: Array(1000).fill(IDS[0]) },
      { connect: Array(1001).fill(IDS[0]) },
      { create: [{}], connectOrCreate: [{ where: {}, create: {} }], delete: [] },
    ],
  },
}
