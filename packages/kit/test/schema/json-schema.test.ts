import { readFile } from "node:fs/promises"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, test } from "vitest"
import { z } from "zod"
import { FIELD_EXAMPLES } from "../../../../test/support/oracles/field-examples.ts"
import { nearInputs } from "../../../../test/support/oracles/json-inputs.ts"
import { seededRandom } from "../../../../test/support/seeded-random.ts"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import type { Field } from "../../src/schema/builders/field.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import { isProblem } from "../../src/schema/compile/field-type.ts"
import type { Resource } from "../../src/schema/compile/resource.ts"
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"
import { CHECK_KEYWORDS, type ServerCheck } from "../../src/schema/json-schema/checked-by-server.ts"
import { jsonSchemaOf } from "../../src/schema/json-schema/from-standard-schema.ts"
import { inputSchema } from "../../src/schema/json-schema/input-schema.ts"
import { withDefinitions } from "../../src/schema/json-schema/json-definitions.ts"
import { recordSchema } from "../../src/schema/json-schema/record-schema.ts"
import type { JsonSchema } from "../../src/wire/results/json-schema.ts"

// All reasons for which the server may refuse an input that its schema accepts.
const REASONS = ["function", "unique", "id", "relation", "rule", "pattern", "scale", "domain"] satisfies ServerCheck[]

const ajv = new Ajv2020({ strict: true, formats: { date: true, "date-time": true, uuid: true } })
ajv.addVocabulary([...CHECK_KEYWORDS])

// The input of a relation depends on the records of its target, so it is tested with a server.
const OWN_VALUES = Object.entries(FIELD_EXAMPLES).filter(([name]) => !name.startsWith("relation"))

test.each(OWN_VALUES)("the JSON Schema of %s accepts what the field accepts", (_name, example) => {
  const { field, examples, isLeftToServer = () => false } = example
  const type = field.compile()
  const isValid = ajv.compile(withDefinitions(type.jsonSchema.input))
  const random = seededRandom()
  const next = nearInputs(random, examples)
  const wrong: string[] = []

  for (let count = 0; count < 500; count += 1) {
    const value = next()
    const isAccepted = !isProblem(type.parse(value))
    const isRight = isValid(value) ? isAccepted || isLeftToServer(value) : !isAccepted
    if (!isRight) wrong.push(JSON.stringify({ value, isAccepted }))
  }

  expect({ seed: random.seed, wrong: wrong.slice(0, 5) }).toEqual({ seed: random.seed, wrong: [] })
})

test.each(Object.entries(FIELD_EXAMPLES))("the JSON Schema of the answers of %s is valid", (_name, { field }) => {
  expect(() => ajv.compile(field.compile().jsonSchema.output)).not.toThrow()
})

test("the schema of an insert requires the fields that the server requires", () => {
  const resource = compiled({
    title: f.text(5).required(),
    kind: f.select(["a", "b"]).required().default("a"),
    made: f
      .text()
      .required()
      .default(() => "x"),
    note: f.text(),
    secret: f.text().hidden(),
    count: f.number().readOnly(),
    sum: f.computed(() => 1),
  })

  const schema = inputSchema(resource, { fields: new Set(resource.fields.values()), operation: "insert" })

  expect(Object.keys(schema["properties"] as object)).toEqual(["title", "kind", "made", "note"])
  expect(schema).toMatchObject({ required: ["title"], additionalProperties: false })
  expect(schema).toHaveProperty("properties.made.x-kit-checks", ["function"])
  expect(verdicts(schema, [{ title: "a" }, { title: "a", note: null }, { title: "a", kind: "b" }])).toEqual([
    true,
    true,
    true,
  ])
  expect(verdicts(schema, [{}, { title: null }, { title: "a", kind: null }, { title: "a", id: "x" }])).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test("the schema of an update requires nothing, and lets no required field be empty", () => {
  const resource = compiled({ title: f.text(5).required(), data: f.json().required(), note: f.text() })

  const schema = inputSchema(resource, { fields: new Set(resource.fields.values()), operation: "update" })

  expect(verdicts(schema, [{}, { note: null }, { data: [null] }])).toEqual([true, true, true])
  expect(verdicts(schema, [{ title: null }, { data: null }, { createdAt: null }])).toEqual([false, false, false])
})

test("a field that the caller may not write is not in the schema", () => {
  const resource = compiled({ title: f.text(), price: f.number() })
  const fields = new Set([...resource.fields.values()].filter(({ name }) => name === "title"))

  const schema = inputSchema(resource, { fields, operation: "insert" })

  expect(JSON.stringify(schema)).not.toContain("price")
})

test("with a hook before the validation, the schema leaves all values to the server", () => {
  const definition = collection("posts")
    .fields(({ f }) => ({ slug: f.text(5).required() }))
    .hooks({ beforeValidate: ({ data }) => data })
  const resource = compiledFrom(definition)

  const schema = inputSchema(resource, { fields: new Set(resource.fields.values()), operation: "insert" })

  expect(schema).toMatchObject({
    "x-kit-checks": ["function"],
    properties: { slug: { "x-kit-checked": "server", "x-kit-checks": ["function"] } },
  })
  expect(schema).not.toHaveProperty("required")
})

test("the marks say what only the server checks", () => {
  const resource = compiled({
    name: f
      .text()
      .unique()
      .validate(() => true),
    price: f.number().access({ create: () => true }),
    self: f.relation("posts"),
    lines: f.array(f.text().validate(z.string())),
  })

  const schema = inputSchema(resource, { fields: new Set(resource.fields.values()), operation: "insert" })

  expect(schema).toHaveProperty("properties.name.x-kit-checks", ["function", "unique"])
  expect(schema).toHaveProperty("properties.price.x-kit-checks", ["rule"])
  expect(schema).toHaveProperty("properties.self.x-kit-checks", ["relation"])
  expect(JSON.stringify(schema)).toContain('"x-kit-checks":["function"]')
})

test("the docs list all reasons for which the server checks more", async () => {
  const page = await readFile(new URL("../../../../docs/json-schema.md", import.meta.url), "utf8")
  const documented = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, word]) => word)
  const fields = Object.values(FIELD_EXAMPLES).map(({ field }) => JSON.stringify(field.compile().jsonSchema.input))
  const used = fields.flatMap((text) => [...text.matchAll(/"x-kit-checks":\["(\w+)"\]/g)].map(([, word]) => word))

  expect(documented).toEqual(REASONS)
  expect(new Set(used)).toEqual(new Set(["id", "relation", "scale", "domain"]))
})

test("the schema of a record has null where an answer can have it", () => {
  const resource = compiled({ title: f.text().required(), note: f.text(), secret: f.text().hidden() })

  const schema = recordSchema(resource, new Set(resource.fields.values()))

  const isValid = ajv.compile(schema)
  const server = { id: "x", createdAt: "2026-05-04T10:30:00.000Z", updatedAt: "2026-05-04T10:30:00.000Z" }
  expect(isValid({ ...server, title: "a", note: null })).toBe(true)
  expect(isValid({ ...server, title: null, note: null })).toBe(false)
  expect(JSON.stringify(schema)).not.toContain("secret")
})

test("a schema of another library gives its JSON Schema, if it can", () => {
  const schema = z.object({ name: z.string().default("x") })
  const older = {
    "~standard": { version: 1, vendor: "zod", validate: () => ({ value: 1 }) },
    toJSONSchema: toOldSchema,
  }
  const other = { "~standard": { version: 1, vendor: "other", validate: () => ({ value: 1 }) } } as const

  expect(jsonSchemaOf(schema, "input")).toMatchObject({ type: "object", properties: { name: { type: "string" } } })
  expect(jsonSchemaOf(schema, "input")).not.toHaveProperty("required")
  expect(jsonSchemaOf(schema, "output")).toMatchObject({ required: ["name"] })
  expect(jsonSchemaOf(older as never, "output")).toEqual({ title: "output" })
  expect(jsonSchemaOf(other, "input")).toBeUndefined()
  expect(jsonSchemaOf(z.string().transform(Number), "output")).toBeUndefined()
})

function toOldSchema({ io }: { io: string }) {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: io }
}

function compiled(fields: Readonly<Record<string, Field>>): Resource {
  return compiledFrom(collection("posts").fields(() => fields))
}

function compiledFrom({ definition }: Pick<Collection, "definition">): Resource {
  const app = compileSchema([{ file: "posts.ts", definition }])
  const posts = "schema" in app ? app.schema.collections.get("posts") : undefined
  if (posts === undefined) throw new Error(JSON.stringify(app))
  return posts
}

function verdicts(schema: JsonSchema, inputs: readonly unknown[]): boolean[] {
  const isValid = ajv.compile(schema)
  return inputs.map((input) => isValid(input))
}
