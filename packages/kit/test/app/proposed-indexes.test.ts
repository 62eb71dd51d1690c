import { describe, expect, test } from "vitest"
import { proposalsFor } from "../../src/app/doctor/proposed-indexes.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { ALWAYS, EVERYTHING, type Predicate } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseGroupBy } from "../../src/sql/parse/parse-group.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { shapesOfRead } from "../../src/sql/read/read-shapes.ts"

const people = collection("people").fields(({ f }) => ({ name: f.text(), city: f.text() }))
const orders = collection("orders")
  .fields(({ f }) => ({
    code: f.text(),
    number: f.text().unique(),
    note: f.textarea(),
    found: f.text().index("contains"),
    amount: f.number().decimal(10, 2),
    placed: f.date(),
    status: f.select(["open", "paid"]),
    isLate: f.boolean(),
    data: f.json(),
    double: f.virtual(f.number(), '"amount" * 2'),
    buyer: f.relation("people"),
    due: f.date().localized(),
    label: f.text().localized(),
  }))
  .indexes([{ fields: ["code", "placed"] }])
  .options({ softDelete: true, revision: true })

const schema = compileAll(orders)
const order = resourceNamed("orders")
const context = typedParseContext(EVERYTHING)

describe("for a slow read, kit proposes", () => {
  test.each([
    ["an index for a comparison and the order", { amount: 1 }, { placed: "desc" }, ['fields: ["amount", "placed"]']],
    ["one for several comparisons", { amount: 1, isLate: true }, { placed: "asc" }, ['"amount", "isLate", "placed"']],
    ["one for the default order", { amount: { in: [1, 2] } }, undefined, ['fields: ["amount", "createdAt"]']],
    ["one for a range", { amount: { gte: 1, lt: 5 } }, undefined, ['fields: ["amount"]']],
    ["one for an order alone", undefined, { amount: "desc" }, ['fields: ["amount"]']],
    ["one for the first keys of a mixed order", undefined, [{ amount: "desc" }, { placed: "asc" }], ['["amount"]']],
    [
      "trigrams for a part of a text",
      { note: { contains: "x" } },
      undefined,
      ['.index("contains") on the field "note"'],
    ],
    [
      "one for each alternative",
      { OR: [{ amount: 1 }, { placed: "2026-01-01" }] },
      undefined,
      ['["amount"]', '["placed"]'],
    ],
    ["one for a localized text", { label: "x" }, { placed: "asc" }, ['fields: ["label", "placed"]']],
    ["one for what can have an index", { amount: 1, due: "2026-01-01" }, { placed: "asc" }, ['["amount", "placed"]']],
    ["one for the time of a change", undefined, { updatedAt: "desc" }, ['fields: ["updatedAt"]']],
    ["one in the collection of a related record", { buyer: { is: { city: "Brno" } } }, undefined, ['["city"]']],
  ])("%s", (_, where, orderBy, expected) => {
    const found = proposalsOf({ where, orderBy })

    expect(found).toHaveLength(expected.length)
    for (const [index, part] of expected.entries()) expect(found[index]).toContain(part)
  })

  test.each([
    { amount: 1 },
    { amount: { gt: 1 } },
    { label: "x", isLate: true },
    { amount: 1, code: "x", placed: { lt: "2026-01-01" } },
  ])("an index with which it proposes nothing more for %j", (where) => {
    const [advice = ""] = proposalsOf({ where })
    const indexes = JSON.parse(/\.indexes\((.*)\)/.exec(advice.replace("fields:", '"fields":'))?.[1] ?? "[]")
    const indexed = compileAll(orders.indexes(indexes))

    expect(proposalsOf({ where }, indexed)).toEqual([])
  })

  test.each([
    ["an index serves it", { code: "a" }, { placed: "desc" }],
    ["an index serves it without its range", { code: "a", amount: { gt: 1 } }, { placed: "asc" }],
    ["the value is unique", { number: "a" }, { amount: "asc" }],
    ["the index of a select serves it", { status: "open" }, undefined],
    ["the default order serves it", undefined, undefined],
    ["trigrams serve it", { found: { contains: "x" } }, undefined],
    ["it has an id", { id: "01a1f4cd-4453-7000-a198-0f9b992992e6", amount: 1 }, undefined],
    ["no index can serve its condition", { amount: { ne: 1 } }, undefined],
    ["the value is computed", { double: 4 }, { double: "asc" }],
    ["the value is JSON", { data: { hasKey: "a" } }, undefined],
    ["it is in the order of related records", undefined, { buyer: { name: "asc" } }],
    ["the server alone sets the value", { revision: 3 }, { revision: "asc" }],
    ["only what is not asked for is compared", { NOT: { amount: 1 } }, undefined],
  ])("nothing if %s", (_, where, orderBy) => {
    expect(proposalsOf({ where, orderBy })).toEqual([])
  })

  test("nothing if only a boolean is compared, as in a count", () => {
    expect(proposalsOf({ where: { isLate: true }, ordered: false })).toEqual([])
  })

  test("nothing for a field that the caller sees in some records only", () => {
    const field = order.fields.get("amount")
    if (field === undefined) throw new Error("There is no amount.")
    const masked: Predicate = { ...compared({ amount: 1 }), field: maskedField(field, compared({ status: "open" })) }

    expect(shapesOfRead({ resource: order, predicate: masked })).toEqual([])
  })

  test("nothing for a field that has been removed", () => {
    const shape = { resource: "orders", equal: ["gone"], ranges: [], contained: ["gone too"], order: [] }

    expect(proposalsFor(order, { shape, times: 1, longestMs: 400 })).toEqual([])
  })

  test("an index for the field of groups", () => {
    const grouping = parseGroupBy(order, { field: "placed" }, context)

    expect(shapesOfRead({ resource: order, predicate: ALWAYS, grouping })).toMatchObject([{ order: ["placed"] }])
  })

  test("with the reason", () => {
    const [shape] = shapesOfRead({
      resource: order,
      predicate: compared({ amount: 1 }),
      order: keysOf({ placed: "asc" }),
    })
    if (shape === undefined) throw new Error("There is no shape.")

    expect(proposalsFor(order, { shape, times: 1_234, longestMs: 4_210 })).toEqual([
      {
        reason:
          'reads of "orders" filtered by "amount" and in the order of "placed" took up to 4.2 s, and were slow 1,234 times',
        advice: 'Write .indexes([{ fields: ["amount", "placed"] }]) in "orders".',
      },
    ])
    expect(proposalsFor(order, { shape, times: 1, longestMs: 300 })).toMatchObject([
      { reason: 'reads of "orders" filtered by "amount" and in the order of "placed" took up to 0.3 s' },
    ])
  })
})

test("a filter has a limited number of shapes, each with a limited number of fields", () => {
  const OR = Array.from({ length: 20 }, () => ({ code: "a" }))
  const names = ["amount", "buyer", "code", "number", "placed", "status"]
  const all = { OR: [Object.fromEntries(names.map((name) => [name, { isNull: true }]))] }

  expect(shapesOfRead({ resource: order, predicate: parseWhere(order, { OR }, context) })).toHaveLength(5)
  expect(shapesOfRead({ resource: order, predicate: parseWhere(order, all, context) })).toMatchObject([
    { equal: ["amount", "buyer", "code", "number"] },
  ])
})

interface Asked {
  readonly where?: unknown
  readonly orderBy?: unknown
  /** False for a read without an order, such as a count. */
  readonly ordered?: boolean
}

function proposalsOf({ where, orderBy, ordered = true }: Asked, inSchema = schema): readonly string[] {
  const predicate = where === undefined ? ALWAYS : parseWhere(order, where, context)
  const shapes = shapesOfRead({ resource: order, predicate, ...(ordered && { order: keysOf(orderBy) }) })
  return shapes.flatMap((shape) =>
    proposalsFor(resourceNamed(shape.resource, inSchema), { shape, times: 1, longestMs: 400 }).map(
      ({ advice }) => advice,
    ),
  )
}

function compared(where: Record<string, unknown>): Extract<Predicate, { kind: "compare" }> {
  const predicate = parseWhere(order, where, context)
  if (predicate.kind !== "compare") throw new Error("Compare one field.")
  return predicate
}

function keysOf(orderBy: unknown) {
  return parseOrder(order, orderBy, context)
}

function compileAll(declared: typeof orders): AppSchema {
  const result = compileSchema(
    [declared, people].map(({ definition }) => ({ file: "it.ts", definition })),
    {
      locales: { default: "en", all: ["en", "sk"] },
    },
  )
  if ("mistakes" in result) throw new Error(result.mistakes.map(({ message }) => message).join("\n"))
  return result.schema
}

function resourceNamed(name: string, { resources } = schema): Resource {
  const found = resources.find((resource) => resource.name === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}
