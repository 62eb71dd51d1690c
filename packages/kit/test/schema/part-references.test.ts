import { describe, expect, test } from "vitest"
import { compileResources } from "../../src/app/definition/compile-resources.ts"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"
import { findReferencedParts, withoutReference } from "../../src/schema/references/referenced-parts.ts"

const media = collection("media").upload({})
const tags = collection("tags").fields(() => ({ name: f.text() }))

function mistakesIn(declared: Parameters<Collection<any>["fields"]>[0]): string[] {
  const sources = [collection("pages").fields(declared), media, tags]
  const resources = sources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))
  const compiled = compileResources({}, resources)
  return "mistakes" in compiled ? compiled.mistakes.map(({ message }) => message) : []
}

describe("a relation that is a part of a field", () => {
  test.each([
    [
      "a target that does not exist",
      f.relation("tag" as never),
      'field "body" has a part "hero.to" that points to collection "tag", which does not exist. Did you mean "tags"?',
    ],
    [
      "an upload without files",
      f.upload("tags" as never),
      'field "body" has a part "hero.to" that points to collection "tags", which has no files.',
    ],
    [
      "a cascade",
      f.relation("tags" as never).onDelete("cascade"),
      'has .onDelete("cascade") on "to" of its block "hero", which would delete the whole record. Use "restrict" or "setNull".',
    ],
    [
      "a required one that becomes null",
      f
        .relation("tags" as never)
        .required()
        .onDelete("setNull"),
      'is required and cannot have .onDelete("setNull")',
    ],
    [
      "a default",
      f.relation("tags" as never).default("x"),
      'has .default() on "to" of its block "hero", which is a relation. Remove it.',
    ],
    [
      "an index",
      f.relation("tags" as never).index(),
      'has .index() on "to" of its block "hero". Use it on the whole field.',
    ],
    [
      "a relation to many records",
      f.relation("tags" as never).manyToMany(),
      'makes "to" of its block "hero" a relation to many records. Use a list of relations, f.array(f.relation("tags")), or declare the relation as a field.',
    ],
  ])("refuses %s", (_name, to, message) => {
    expect(mistakesIn(() => ({ body: f.blocks({ hero: { to } }) })).join()).toContain(message)
  })

  test("may be a member of an object, and an item of a list, but not of a list that is the field", () => {
    const upload = f.upload("media" as never)
    const parts = { one: upload, many: f.array(upload), deep: f.array(f.object({ one: upload })) }

    expect(mistakesIn(() => ({ seo: f.object(parts), body: f.blocks({ hero: parts }) }))).toEqual([])
    expect(mistakesIn(() => ({ pictures: f.array(upload) }))).toEqual([
      'field "pictures" is a list of relations. Declare a relation to many records: f.relation(…).manyToMany({ ordered: true }).',
    ])
  })
})

describe("the references in a value", () => {
  const picture = f.relation("media" as never)
  const inner = f.blocks({ figure: { picture } })
  const body = f.blocks({
    hero: { picture },
    gallery: { items: f.array(f.object({ picture })), all: f.array(picture) },
    columns: { left: inner },
  })
  const { references = [] } = body.compile()
  const value = [
    { type: "hero", picture: "a" },
    { type: "gallery", items: [{ picture: "b" }, { picture: null }], all: ["a", "c"] },
    {
      type: "columns",
      left: [
        { type: "figure", picture: "a" },
        { type: "gone", picture: "a" },
      ],
    },
    { type: "gone", picture: "a" },
  ]

  test("are found at every depth, with their paths", () => {
    const found = references.flatMap(({ steps }) => findReferencedParts(value, steps))

    expect(found).toEqual([
      { path: "0.picture", id: "a" },
      { path: "1.items.0.picture", id: "b" },
      { path: "1.all.0", id: "a" },
      { path: "1.all.1", id: "c" },
      { path: "2.left.0.picture", id: "a" },
    ])
  })

  test("are taken out one by one, and everything else stays", () => {
    const rest = references.reduce<unknown>((left, { steps }) => withoutReference(left, steps, "a"), value)

    expect(rest).toEqual([
      { type: "hero", picture: null },
      { type: "gallery", items: [{ picture: "b" }, { picture: null }], all: ["c"] },
      {
        type: "columns",
        left: [
          { type: "figure", picture: null },
          { type: "gone", picture: "a" },
        ],
      },
      { type: "gone", picture: "a" },
    ])
  })

  test("are not looked for in values of another form", () => {
    for (const odd of [null, 7, "a", {}, { items: 7 }, [null, "a", []]]) {
      expect(references.flatMap(({ steps }) => findReferencedParts(odd, steps))).toEqual([])
      expect(references.reduce<unknown>((left, { steps }) => withoutReference(left, steps, "a"), odd)).toEqual(odd)
    }
  })
})
