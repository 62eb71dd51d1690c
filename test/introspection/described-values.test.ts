// @module-tag not-about-engine

import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const anyone: Session = { user: { id: "ann", role: "user" } }

const offers = collection("offers")
  .fields(({ f }) => ({
    name: f.text(),
    count: f.number().integer(),
    views: f.number().bigint(),
    score: f.number(),
    price: f.number().decimal(10, 2),
    size: f.object({ width: f.number().decimal(6, 1), unit: f.text(3) }),
    prices: f.array(f.number().decimal(10, 2)),
    parts: f.array(f.object({ count: f.number().integer(), note: f.richText({ nodes: ["paragraph"], marks: [] }) })),
    intro: f.object({ text: f.richText({ nodes: ["paragraph", "heading"], marks: ["strong"] }) }),
    notes: f.array(f.richText({ nodes: ["paragraph"], marks: ["em"] })),
    total: f.virtual(f.number().decimal(12, 2), '"price" * "count"'),
    isFree: f.virtual(f.boolean(), '"price" = 0'),
    shout: f.computed(({ row }) => String(row["name"]).toUpperCase()),
  }))
  .title("name")
  .access({ read: true, create: true, update: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [offers] })
})
afterAll(() => app[Symbol.asyncDispose]())

async function describedFields(): Promise<any> {
  return (await app.fetch("/offers/schema", { session: anyone })).body.fields
}

test("a number says which kind it is, also as a member of an object and as an item of a list", async () => {
  const fields = await describedFields()

  expect(fields.count.numberType).toBe("integer")
  expect(fields.views.numberType).toBe("bigint")
  expect(fields.score.numberType).toBe("double")
  expect(fields.price.numberType).toBe("decimal")
  expect(fields.size.fields.width.numberType).toBe("decimal")
  expect(fields.prices.items.numberType).toBe("decimal")
  expect(fields.parts.items.fields.count.numberType).toBe("integer")
})

test("other values have no kind of number", async () => {
  const fields = await describedFields()

  for (const part of [fields.name, fields.size, fields.size.fields.unit, fields.prices])
    expect(part).not.toHaveProperty("numberType")
})

test("a virtual field says which values it gives, and a computed one that nobody has declared it", async () => {
  const fields = await describedFields()

  expect(fields.total).toMatchObject({ type: "number", valueType: "number", numberType: "decimal", readOnly: true })
  expect(fields.isFree.valueType).toBe("boolean")
  expect(fields.shout).toMatchObject({ type: "computed", valueType: null })
  expect(fields.price).not.toHaveProperty("valueType")
})

test("a rich text inside of an object or of a list has its vocabulary", async () => {
  const fields = await describedFields()

  expect(fields.intro.fields.text.vocabulary).toMatchObject({ marks: ["strong"] })
  expect(fields.notes.items.vocabulary).toMatchObject({ marks: ["em"] })
  expect(fields.parts.items.fields.note.vocabulary).toMatchObject({ marks: [] })
  expect(fields.intro.fields.text.vocabulary.nodes).toEqual(expect.arrayContaining(["paragraph", "heading"]))
})
