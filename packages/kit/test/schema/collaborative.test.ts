import { describe, expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import type { ResourceDefinition } from "../../src/schema/builders/definition.ts"
import type { Field } from "../../src/schema/builders/field.ts"
import { global } from "../../src/schema/builders/global.ts"
import { users } from "../../src/schema/builders/users.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import { isProblem } from "../../src/schema/compile/field-type.ts"
import type { Resource } from "../../src/schema/compile/resource.ts"
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"

function compiled(definition: ResourceDefinition) {
  return compileSchema([{ file: `${definition.name}.ts`, definition }])
}

function compile(definition: ResourceDefinition): Resource {
  const app = compiled(definition)
  if ("mistakes" in app) throw new Error(app.mistakes.map(({ message }) => message).join("\n"))
  const [resource] = app.schema.resources
  if (resource === undefined) throw new Error("Nothing was compiled.")
  return resource
}

function mistakesOf(definition: ResourceDefinition): readonly string[] {
  const app = compiled(definition)
  return "mistakes" in app ? app.mistakes.map(({ message }) => message) : []
}

const postsWith = (body: Field) => collection("posts").fields(() => ({ title: f.text(), body })).definition

const shapeOf = ({ fields }: Resource) => fields.get("body")?.collaborative

describe(".collaborative()", () => {
  test.each([
    ["rich text", f.richText().collaborative(), "richText"],
    ["a text", f.textarea().collaborative(), "text"],
    ["JSON", f.json().collaborative(), "json"],
    ["a localized text", f.textarea().localized().collaborative(), "text"],
    ["a field that is not collaborative", f.textarea(), undefined],
  ])("gives %s the kind of its document", (_what, body, shape) => {
    expect(shapeOf(compile(postsWith(body)))).toBe(shape)
    expect(shapeOf(compile(global("about").fields(() => ({ body })).definition))).toBe(shape)
  })

  test("may be used for users", () => {
    const body = f.textarea().collaborative()

    expect(shapeOf(compile(users().fields(() => ({ body })).definition))).toBe("text")
  })

  test.each([
    ["a longest length", f.textarea().max(5_000).min(1).collaborative()],
    [
      "a pattern and a check",
      f
        .textarea()
        .pattern(/^\S/)
        .validate(() => true)
        .collaborative(),
    ],
    [
      "rules",
      f
        .richText()
        .access({ read: () => false, update: () => true, create: false })
        .collaborative(),
    ],
    ["an index, a default and a former name", f.textarea().index().default("").renamedFrom("text").collaborative()],
  ])("may have %s", (_what, body) => {
    expect(mistakesOf(postsWith(body))).toEqual([])
  })

  test.each([
    [
      "unique",
      f.textarea().collaborative().unique(),
      "the text of one record would depend on what is typed in another one",
    ],
    ["hidden", f.richText().hidden().collaborative(), "nobody could open its document"],
    ["readOnly", f.json().collaborative().readOnly(), "nobody could edit its document"],
    ["trim", f.textarea().trim().collaborative(), "it would change the text while somebody types it"],
    ["lowercase", f.textarea().collaborative().lowercase(), "it would change the text while somebody types it"],
  ])("cannot have .%s()", (modifier, body, reason) => {
    expect(mistakesOf(postsWith(body))).toEqual([
      `field "body" is collaborative and cannot have .${modifier}(), because ${reason}. Remove one of them.`,
    ])
  })

  test.each(["read", "update"] as const)("cannot have a %s rule that denies it to everybody", (operation) => {
    expect(
      mistakesOf(
        postsWith(
          f
            .textarea()
            .access({ [operation]: false })
            .collaborative(),
        ),
      ),
    ).toEqual([
      `field "body" is collaborative, but its ${operation} rule is false, so nobody could edit its document. Change the rule, or remove .collaborative().`,
    ])
  })

  test.each([
    ["its items", f.array(f.textarea().collaborative())],
    ['its part "text"', f.object({ text: f.richText().collaborative() })],
    ["its items", f.array(f.json().collaborative())],
  ])("cannot stand inside of another field: %s", (named, body) => {
    expect(mistakesOf(postsWith(body))).toEqual([
      `field "body" has .collaborative() on ${named}. Only a whole field is collaborative: declare it as a separate field.`,
    ])
  })
})

describe("the records of a resource with a collaborative field", () => {
  test("have a revision", () => {
    const { revision, fields } = compile(postsWith(f.textarea().collaborative()))

    expect(revision?.name).toBe("revision")
    expect([...fields.keys()]).toContain("revision")
    expect(compile(postsWith(f.textarea())).revision).toBeUndefined()
  })

  test("cannot do without it", () => {
    const posts = collection("posts").fields(() => ({ body: f.textarea().collaborative() }))

    expect(mistakesOf(posts.options({ revision: true }).definition)).toEqual([])
    expect(mistakesOf(posts.options({ revision: false }).definition)).toEqual([
      'the field "body" is collaborative, and its records have a revision therefore. Remove the option "revision".',
    ])
  })
})

test("collaborative JSON is an object", () => {
  const { fields } = compile(postsWith(f.json().collaborative()))
  const type = fields.get("body")?.type
  const problemOf = (value: unknown) => {
    const parsed = type?.parse(value)
    return parsed && isProblem(parsed) ? parsed.problem : undefined
  }

  expect(problemOf({ a: [1, { b: null }] })).toBeUndefined()
  for (const other of [[1], "text", 1, true]) expect(problemOf(other)).toBe("Expected an object.")
  expect(problemOf({ a: "\0" })).toBe("Must not contain the character U+0000.")
  expect(type?.jsonSchema.input).toMatchObject({ type: "object" })
  expect(mistakesOf(postsWith(f.json().default([]).collaborative()))).toEqual([
    'field "body" has a default that does not fit: Expected an object.',
  ])
})
