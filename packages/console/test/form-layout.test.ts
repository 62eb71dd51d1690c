import type { CollectionSchema, FieldSchema, FormPartSchema } from "kit/client"
import { describe, expect, test } from "vitest"
import { layoutOf } from "../src/screens/record/layout/form-layout.ts"

const field = (name: string, type = "text", more: Partial<FieldSchema> = {}) => ({ name, type, limits: {}, ...more })

const FIELDS = [
  field("id", "id"),
  field("title"),
  field("slug", "text", { limits: { pattern: "^[a-z]+$" } }),
  field("summary", "textarea"),
  field("kind", "select"),
  field("comments", "relation"),
  field("createdAt", "datetime"),
]

function schemaWith(form: readonly FormPartSchema[] | null, title: string | null): CollectionSchema {
  const described = {
    fields: Object.fromEntries(FIELDS.map((each) => [each.name, each])),
    relations: { comments: { type: "hasMany" } },
    form,
    options: { title: title === null ? { defined: false } : { defined: true, type: "field", fieldName: title } },
  }
  // Only what the layout looks at.
  return described as unknown as CollectionSchema
}

const layout = (form: readonly FormPartSchema[] | null, title: string | null, isShown = (_: FieldSchema) => true) =>
  layoutOf(schemaWith(form, title), isShown)

describe("A form without a declared layout", () => {
  test("has texts and long lists in the document, and short properties at the side", () => {
    const { title, tabs, side, isPlain } = layout(null, "title")

    expect(title).toBe("title")
    expect(tabs).toEqual([{ label: null, groups: [{ label: null, fields: ["summary", "comments"] }] }])
    expect(side.map(({ fields }) => fields)).toEqual([["slug", "kind"], ["createdAt"]])
    expect(isPlain).toBe(false)
  })

  test("is a plain column of inputs if there is no title either", () => {
    const { title, tabs, isPlain } = layout(null, null)

    expect(title).toBeNull()
    expect(tabs[0]?.groups[0]?.fields).toEqual(["title", "slug", "summary", "kind", "comments"])
    expect(isPlain).toBe(true)
  })
})

describe("A declared layout", () => {
  const form: readonly FormPartSchema[] = [
    "kind",
    { kind: "tab", label: "Text", parts: ["title", "summary"] },
    { kind: "tab", label: "More", parts: [{ kind: "section", label: "Address", parts: ["slug"] }] },
    { kind: "side", parts: ["comments"] },
  ]

  test("keeps its tabs and sections; what stands outside of them opens the first tab", () => {
    const { tabs, side } = layout(form, "title")

    expect(tabs).toEqual([
      {
        label: "Text",
        groups: [
          { label: null, fields: ["kind"] },
          { label: null, fields: ["summary"] },
        ],
      },
      { label: "More", groups: [{ label: "Address", fields: ["slug"] }] },
    ])
    expect(side[0]?.fields).toEqual(["comments"])
  })

  test("is followed by the fields that it does not name", () => {
    const { tabs, side } = layout([{ kind: "side", parts: ["comments"] }], "title")

    expect(tabs[0]?.groups.flatMap(({ fields }) => fields)).toEqual(["summary"])
    expect(side.flatMap(({ fields }) => fields)).toEqual(["comments", "slug", "kind", "createdAt"])
  })

  test("leaves out the fields that the person may not know, and the sections and tabs that become empty", () => {
    const { tabs } = layout(form, "title", ({ name }) => name !== "slug")

    expect(tabs.map(({ label }) => label)).toEqual(["Text"])
  })
})
