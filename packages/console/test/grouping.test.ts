import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { expect, test } from "vitest"
import { groupItems } from "../src/screens/list/groups/group-items.ts"
import { monthGroupOptions, valueGroupOptions } from "../src/screens/list/groups/group-options.ts"
import { groupCondition, groupingOf, inKnownOrder, type RecordGroup } from "../src/screens/list/groups/grouping.ts"

function field(name: string, type: string, extra: Partial<FieldSchema> = {}): FieldSchema {
  // Only the members that grouping uses.
  return { name, type, label: name, groupable: true, access: { read: true }, ...extra } as FieldSchema
}

const options = ["draft", "review", "published"].map((value) => ({ value, label: value, color: null }))
const toOne = { type: "belongsTo", targetCollection: "teams", titleField: "name" } as RelationSchema
const fields = [
  field("stage", "select", { options }),
  field("open", "boolean"),
  field("team", "relation"),
  field("tags", "relation"),
  field("at", "datetime"),
  field("seen", "datetime", { access: { read: "filtered", create: true, update: true } }),
  field("title", "text"),
  field("secret", "select", { groupable: false }),
]
const schema = {
  fields: Object.fromEntries(fields.map((each) => [each.name, each])),
  relations: { team: toOne, tags: { ...toOne, type: "manyToMany" } },
} as unknown as CollectionSchema

function grouping(name: string) {
  const found = groupingOf(schema, name)
  if (found === null) throw new Error(`The list cannot be grouped by ${name}.`)
  return found
}

function group(value: unknown, extra: Partial<RecordGroup> = {}): RecordGroup {
  return { key: value === null ? "__empty" : String(value), value, title: undefined, count: 1, docs: [], ...extra }
}

test.each([
  ["stage", "value"],
  ["open", "value"],
  ["team", "value"],
  ["at", "month"],
  ["seen", undefined],
  ["tags", undefined],
  ["title", undefined],
  ["secret", undefined],
  ["constructor", undefined],
])("a list is grouped by %s: %s", (name, by) => {
  expect(groupingOf(schema, name)?.by).toBe(by)
})

test("the records of a group are found by a filter that people make", () => {
  const conditionOf = (name: string, value: unknown) => groupCondition(grouping(name), { value })

  expect(conditionOf("stage", "draft")).toEqual({ path: ["stage"], operator: "isAnyOf", operand: ["draft"] })
  expect(conditionOf("team", "7")).toEqual({ path: ["team"], operator: "isAnyOf", operand: ["7"] })
  expect(conditionOf("open", false)).toEqual({ path: ["open"], operator: "isNo", operand: null })
  expect(conditionOf("open", null)).toEqual({ path: ["open"], operator: "isEmpty", operand: null })
  expect(conditionOf("at", "2028-02-01")).toMatchObject({ operator: "between", operand: ["2028-02-01", "2028-02-29"] })
  expect(conditionOf("at", "2026-12-01")).toMatchObject({ operator: "between", operand: ["2026-12-01", "2026-12-31"] })
})

test("options stand in their declared order, related records by title, and nothing at the end", () => {
  const stages = inKnownOrder([group("published"), group(null), group("draft")], grouping("stage"))
  const teams = inKnownOrder([group("1", { title: "Sport" }), group("2", { title: "Arts" })], grouping("team"))

  expect(stages.map(({ value }) => value)).toEqual(["draft", "published", null])
  expect(teams.map(({ title }) => title)).toEqual(["Arts", "Sport"])
})

test("a folded group is its heading alone, and a long one leads to the rest", () => {
  const docs = [{ id: "a" }, { id: "b" }]
  const groups = [
    group("x y", { count: 2, docs }),
    group("z", { count: 9, docs: [{ id: "c" }] }),
    group("w", { docs: undefined }),
  ]
  const linesWith = (isOpen: (each: RecordGroup) => boolean) =>
    groupItems(groups, { isOpen, hasMore: true }).map(({ id }) => id)

  expect(linesWith(() => false)).toEqual(["group-x%20y", "group-z", "group-w", "more-groups"])
  expect(linesWith(() => true)).toEqual([
    ...["group-x%20y", "a", "b"],
    ...["group-z", "c", "rest-z"],
    ...["group-w", "waiting-w", "more-groups"],
  ])
})

test("many groups have fewer records each, as many as one read answers", () => {
  const asked = (limit: number) => valueGroupOptions({ columns: {} }, grouping("stage"), limit).groupBy.docs

  expect([25, 100, 400, 1000].map(asked)).toEqual([10, 10, 2, 1])
})

test("months of moments begin in the zone of the person, those of days in none", () => {
  expect(monthGroupOptions({ stage: "draft" }, grouping("at"), 25)).toMatchObject({
    stage: "draft",
    groupBy: { field: "at", by: "month", timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    orderBy: { at: "desc" },
  })
  const ofDays = { ...grouping("at"), field: field("at", "date") }
  expect(monthGroupOptions({}, ofDays, 25).groupBy).toEqual({ field: "at", by: "month" })
})
