// @module-tag not-about-engine

import { validate } from "@readme/openapi-parser"
import { collection, route } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { Document } from "./answer-checker.ts"

interface Converter {
  input?(): unknown
  output?(): unknown
}

// A Standard Schema that accepts everything, and has this JSON Schema.
function schemaWith(jsonSchema: unknown): any {
  return { "~standard": { version: 1, vendor: "hostile", validate: (value: unknown) => ({ value }), jsonSchema } }
}

function returning(schema: unknown): any {
  return schemaWith({ input: () => schema, output: () => schema } satisfies Converter)
}

const withInput = (schema: any) =>
  route()
    .post()
    .access(true)
    .schema(schema)
    .handler(() => null)

async function documentOf(app: TestApp): Promise<Document> {
  const answer = await app.fetch("/_kit/openapi.json")
  expect(answer.status).toBe(200)
  const document = (await answer.json()) as Document
  // The parser replaces references in its argument. The cast is safe: it takes any document, and reports what is wrong.
  expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true })
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  return document
}

const bodyOf = ({ paths }: Document, path: string) =>
  paths[path]?.["post"]?.requestBody.content["application/json"].schema

const circular: Record<string, unknown> = { type: "object" }
circular["properties"] = { child: circular }

const UNUSABLE: Readonly<Record<string, any>> = {
  "is circular": returning(circular),
  "cannot be written as JSON": returning({ type: "integer", maximum: 10n }),
  "is a promise": schemaWith({ input: () => Promise.resolve({ type: "string" }) }),
  "is a promise that rejects": schemaWith({ input: () => Promise.reject(new Error("too late")) }),
  throws: schemaWith({
    input: () => {
      throw new Error("no")
    },
  }),
  "is a list": returning([]),
  "is a text": returning("text"),
}

test.each(Object.entries(UNUSABLE))("a JSON Schema that %s leaves the input open", async (_problem, schema) => {
  await using app = await testApp({ routes: { "odd/input": withInput(schema) }, config: { openapi: true } })

  const document = await documentOf(app)

  expect(bodyOf(document, "/odd/input")).toEqual({})
})

test("references that lead nowhere, or out of the document, allow everything", async () => {
  const refs = [
    "#/$defs/missing",
    "#/$defs/constructor",
    "#/properties/missing",
    "#anchor",
    "Other",
    "https://example.com/schema",
  ]
  const properties = Object.fromEntries(refs.map((ref, place) => [`to${place}`, { $ref: ref }]))
  await using app = await testApp({
    routes: { odd: withInput(returning({ type: "object", properties })) },
    config: { openapi: true },
  })

  const document = await documentOf(app)

  expect(JSON.stringify(document)).not.toMatch(/example\.com|#anchor|"Other"|#\/properties/)
})

test("a reference to a part of the schema leads to that part", async () => {
  const schema = {
    type: "object",
    properties: {
      first: { type: "integer" },
      second: { $ref: "#/properties/first" },
      third: { $ref: "#/$defs/a~1b/items" },
    },
    $defs: { "a/b": { items: { type: "boolean" } } },
  }
  await using app = await testApp({ routes: { odd: withInput(returning(schema)) }, config: { openapi: true } })

  const document = await documentOf(app)

  const { second, third } = bodyOf(document, "/odd").properties
  const resolve = ({ $ref }: { $ref: string }) => document.components.schemas[$ref.split("/").at(-1) ?? ""]
  expect([resolve(second), resolve(third)]).toEqual([{ type: "integer" }, { type: "boolean" }])
})

test("definitions with similar names, in routes with similar paths, stay apart", async () => {
  const named = (types: Readonly<Record<string, string>>) =>
    returning({
      type: "object",
      properties: Object.fromEntries(Object.keys(types).map((name) => [name, { $ref: `#/$defs/${name}` }])),
      $defs: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
    })
  await using app = await testApp({
    routes: {
      "odd/[team]": withInput(named({ "a b": "string", a_b: "integer" })),
      "odd/team": withInput(named({ "a b": "boolean", a_b: "null" })),
      "odd~.x/team": withInput(named({ "a b": "array", a_b: "object" })),
    },
    config: { openapi: true },
  })

  const document = await documentOf(app)

  const typesAt = (path: string) =>
    Object.values<{ $ref: string }>(bodyOf(document, path).properties).map(
      ({ $ref }) => document.components.schemas[$ref.split("/").at(-1) ?? ""].type,
    )
  expect(typesAt("/odd/{team}")).toEqual(["string", "integer"])
  expect(typesAt("/odd/team")).toEqual(["boolean", "null"])
  expect(typesAt("/odd~.x/team")).toEqual(["array", "object"])
})

test("routes whose paths differ only in dots and slashes have ids of their own", async () => {
  const open = route()
    .access(true)
    .handler(() => null)
  await using app = await testApp({
    routes: { "a/b": open, "a.b": open, "a/[b]/c": open, "a/b/c": open },
    config: { openapi: true },
  })

  const { paths } = await documentOf(app)

  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/a/b", "/a.b", "/a/{b}/c", "/a/b/c"]))
})

test("collections may have the names of the document's own words", async () => {
  const names = ["Error", "error", "paths", "components", "IfMatch", "routes", "globalError"]
  const collections = names.map((name) =>
    collection(name)
      .fields(({ f }) => ({ properties: f.text(), required: f.boolean(), type: f.text(), enum: f.text() }))
      .access({ read: true, create: true, update: true }),
  )
  await using app = await testApp({ collections, config: { openapi: true } })

  await documentOf(app)
})

test("a rule of a route that fails without parameters is logged once, however often the document is read", async () => {
  const errors: unknown[] = []
  const logger = { info: () => undefined, warn: () => undefined, error: (message: string) => void errors.push(message) }
  const own = route()
    .access(({ params, session }) => params["team"]?.toLowerCase() === session?.user.id.toLowerCase() && failing())
    .handler(() => null)
  const failing = () => {
    throw new Error("The rule fails.")
  }
  await using app = await testApp({ routes: { "teams/[team]/own": own }, config: { openapi: true, logger } })

  const documents = [await documentOf(app), await documentOf(app), await documentOf(app)]

  expect(documents.map(({ paths }) => Object.keys(paths).includes("/teams/{team}/own"))).toEqual([false, false, false])
  expect(errors).toEqual(["The access rule of POST /teams/:team/own failed; access is denied."])
})
