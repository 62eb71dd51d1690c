import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { expect, test } from "vitest"
import { formatsOf } from "../src/kit/formats.ts"
import { comparisonsOf } from "../src/screens/list/filter/comparisons.ts"
import { resolveCondition, whereOf } from "../src/screens/list/filter/resolve-condition.ts"
import { sentenceOf, sentenceText } from "../src/screens/list/filter/sentence.ts"
import type { Condition } from "../src/screens/list/list-state.ts"
import { en } from "../src/words/en/index.ts"
import { sk } from "../src/words/sk/index.ts"

const NULLNESS = ["isNull", "isNotNull"]
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  text: ["eq", "ne", "contains", "startsWith", "endsWith", ...NULLNESS],
  number: ["eq", "ne", "gt", "gte", "lt", "lte", "between", ...NULLNESS],
  datetime: ["eq", "gt", "gte", "lt", "lte", "between", ...NULLNESS],
  date: ["eq", "gt", "lt", "between", ...NULLNESS],
  boolean: ["eq", ...NULLNESS],
  select: ["eq", "in", "notIn", ...NULLNESS],
  multiple: ["containsAny", "containsAll", "isEmpty", "isNotEmpty"],
  relation: ["in", "notIn", ...NULLNESS],
}

function field(name: string, type: string, extra: Partial<FieldSchema> = {}): FieldSchema {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  // Only the members that filters use.
  return { name, label, type, operators: OPERATORS[type] ?? [], limits: {}, ...extra } as FieldSchema
}

const options = [
  { value: "news", label: "News", color: "blue" },
  { value: "report", label: "Report", color: null },
]

const toOne: RelationSchema = {
  type: "belongsTo",
  targetCollection: "teams",
  titleField: "name",
  onDelete: null,
  via: null,
}
const toMany: RelationSchema = { ...toOne, type: "manyToMany", targetCollection: "tags" }

const articles = schemaOf(
  {
    title: field("title", "text"),
    words: field("words", "number"),
    paid: field("paid", "boolean"),
    kind: field("kind", "select", { options }),
    labels: field("labels", "multiple", { options }),
    day: field("day", "date"),
    updated: field("updated", "datetime"),
    team: field("team", "relation"),
    tags: field("tags", "relation", { operators: ["some", "none", "every"] }),
    secret: field("secret", "text", { operators: [] }),
  },
  { team: toOne, tags: toMany },
)
const related: Readonly<Record<string, CollectionSchema>> = {
  teams: schemaOf({ name: field("name", "text") }, {}),
  tags: schemaOf({ name: field("name", "text") }, {}),
}

function schemaOf(fields: CollectionSchema["fields"], relations: CollectionSchema["relations"]): CollectionSchema {
  // Only the members that filters use.
  return { fields, relations } as CollectionSchema
}

const resolve = (condition: Condition) => resolveCondition(articles, condition, (name) => related[name] ?? null)

const TITLES: Readonly<Record<string, string>> = { t1: "Science", t2: "Culture" }

function said(condition: Condition, language: "en" | "sk"): string {
  const resolved = resolve(condition)
  if (!resolved) throw new Error("The condition is not known.")
  const words = { en, sk }[language].list
  const formats = formatsOf({ en, sk }[language].shell.formats)
  return sentenceText(sentenceOf(resolved, { words, formats, titleOf: ({ id }) => TITLES[id] }))
}

const CASES: readonly (readonly [
  path: string,
  operator: string,
  operand: unknown,
  en: string,
  sk: string,
  where: unknown,
])[] = [
  ["title", "contains", "swift", "Title contains swift", "Title obsahuje swift", { title: { contains: "swift" } }],
  ["title", "isEmpty", null, "Title is empty", "Title je prázdne", { title: { isNull: true } }],
  ["words", "atLeast", 1200, "Words is at least 1,200", "Words je aspoň 1 200", { words: { gte: 1200 } }],
  ["words", "between", [1, 5], "Words is between 1 and 5", "Words je medzi 1 a 5", { words: { between: [1, 5] } }],
  ["paid", "isNo", null, "Paid is no", "Paid je nie", { paid: { eq: false } }],
  ["kind", "isAnyOf", ["news"], "Kind is News", "Kind je News", { kind: { in: ["news"] } }],
  [
    "kind",
    "isNoneOf",
    ["news", "report"],
    "Kind is none of News, Report",
    "Kind nie je žiadne z News, Report",
    { kind: { notIn: ["news", "report"] } },
  ],
  [
    "labels",
    "includesAllOf",
    ["news"],
    "Labels include News",
    "Labels obsahuje News",
    { labels: { containsAll: ["news"] } },
  ],
  ["day", "is", "2026-11-18", "Day is 18 Nov 2026", "Day je 18. 11. 2026", { day: { eq: "2026-11-18" } }],
  [
    "team",
    "isAnyOf",
    ["t1", "t2"],
    "Team is any of Science, Culture",
    "Team je jedno z Science, Culture",
    { team: { in: ["t1", "t2"] } },
  ],
  [
    "team.name",
    "startsWith",
    "Sc",
    "Team › Name starts with Sc",
    "Team › Name začína na Sc",
    { team: { name: { startsWith: "Sc" } } },
  ],
  ["tags", "includesNone", null, "Tags are not there", "Tags nemá žiadne", { tags: { none: {} } }],
  [
    "tags",
    "includesAnyOf",
    ["t1"],
    "Tags include Science",
    "Tags obsahuje Science",
    { tags: { some: { id: { in: ["t1"] } } } },
  ],
  ["tags.name", "is", "x", "Tags › Name is x", "Tags › Name je x", { tags: { some: { name: { eq: "x" } } } }],
]

test.each(CASES)(
  "%s %s %j is a sentence in both languages, and a filter",
  (path, operator, operand, english, slovak, where) => {
    const condition = { path: path.split("."), operator, operand }

    const plain = (text: string) => text.replaceAll("\u00a0", " ")
    expect(plain(said(condition, "en"))).toBe(english)
    expect(plain(said(condition, "sk"))).toBe(slovak)
    expect(whereOf(resolve(condition) ?? expect.fail())).toEqual(where)
  },
)

test("the last days begin with a day, so that the filter stays the same until tomorrow", () => {
  const resolved = resolve({ path: ["updated"], operator: "inTheLast", operand: 7 }) ?? expect.fail()
  const { updated } = whereOf(resolved) as { updated: { gte: string } }
  const from = new Date(updated.gte)

  expect([from.getHours(), from.getMinutes(), from.getSeconds()]).toEqual([0, 0, 0])
  expect(said({ path: ["updated"], operator: "inTheLast", operand: 7 }, "en")).toBe("Updated in the last 7 days")
  expect(said({ path: ["updated"], operator: "inTheLast", operand: 2 }, "sk")).toBe("Updated za posledné 2 dni")
})

test.each([
  ["missing", "is", "x"],
  ["title.name", "is", "x"],
  ["team.missing", "is", "x"],
  ["title", "above", 3],
  ["title", "contains", ""],
  ["title", "contains", 3],
  ["title", "__proto__", "x"],
  ["constructor", "is", "x"],
  ["words", "above", "many"],
  ["words", "between", [1]],
  ["kind", "isAnyOf", []],
  ["kind", "isAnyOf", "news"],
  ["day", "is", "2026-99-99"],
  ["day", "is", "yesterday"],
  ["updated", "inTheLast", -3],
  ["updated", "inTheLast", 1e99],
  ["secret", "is", "x"],
])("a condition that means nothing is known as such: %s %s %j", (path, operator, operand) => {
  expect(resolve({ path: path.split("."), operator, operand })).toBeNull()
})

test("a field is compared only as its description allows", () => {
  const names = comparisonsOf(field("title", "text", { operators: ["eq", "isNull"] }), undefined).map(
    ({ name }) => name,
  )

  expect(names).toEqual(["is", "isEmpty"])
  expect(comparisonsOf(field("sum", "computed", { operators: [], valueType: null }), undefined)).toEqual([])
})

test("every comparison has words in both languages", () => {
  expect(Object.keys(sk.list.comparisons)).toEqual(Object.keys(en.list.comparisons))
})
