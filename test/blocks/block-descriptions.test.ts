// @module-tag not-about-engine

import { Ajv2020 } from "ajv/dist/2020.js"
import { collection } from "kit"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const pages = collection("pages")
  .fields(({ f }) => ({
    body: f
      .blocks({
        hero: f
          .block({ heading: f.text(20).required().label({ sk: "Nadpis" }), inner: f.blocks({ rule: {} }).min(1) })
          .label({ en: "Big head", sk: "Hlavička" })
          .description("At the top of a page")
          .icon("star"),
        shortQuote: { text: f.textarea() },
      })
      .max(3)
      .label("Parts"),
  }))
  .access({ read: true, create: true, update: true })

const LOCALES = { default: "en", all: ["en", "sk"] } as const

test("the description of a field has its blocks, with the author's texts in the locale", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })

  const { body } = await app.fetch("/pages/schema?locale=sk")

  expect(body.fields.body).toMatchObject({
    ...{ type: "blocks", label: "Parts", limits: { maxItems: 3 }, sortable: false, groupable: false },
    operators: ["some", "none", "every", "isEmpty", "isNotEmpty", "length", "isNull", "isNotNull"],
    blocks: {
      hero: {
        ...{ label: "Hlavička", description: "At the top of a page", icon: "star" },
        fields: {
          heading: { type: "text", label: "Nadpis", required: true, limits: { maxLength: 20 } },
          inner: {
            type: "blocks",
            limits: { minItems: 1, maxItems: 1000 },
            blocks: { rule: { label: "Rule", fields: {} } },
          },
        },
      },
      shortQuote: { label: "Short quote", description: null, icon: null, fields: { text: { type: "textarea" } } },
    },
  })
  expect(Object.keys(body.fields.body.blocks)).toEqual(["hero", "shortQuote"])
})

test("the OpenAPI document describes filters on items, which its server takes", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES, openapi: true } })
  const { body: document } = await app.fetch("/_kit/openapi.json")
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const isWhere = ajv.addSchema(document, "api").compile({ $ref: "api#/components/schemas/PagesWhere" })
  const items = [
    { type: "hero" },
    { type: { in: ["hero"] } },
    { type: "hero", heading: { contains: "x" } },
    { type: { eq: "shortQuote" }, text: null },
    { type: "hero", inner: { some: { type: "rule" }, length: 2 } },
    { OR: [{ type: "hero" }, { NOT: { type: "shortQuote", text: "x" } }] },
    { type: "hero", text: "x" },
    { type: "heroe" },
    { heading: "x" },
    { type: { in: ["hero"] }, heading: "x" },
    { type: "hero", heading: { gt: "x" } },
    { type: "hero", inner: { type: "rule" } },
    { id: "x" },
    "hero",
  ]
  const filters = items.flatMap((item) => ["some", "none", "every"].map((name) => ({ body: { [name]: item } })))

  const asked = (where: object) => app.fetch("/pages/query", { method: "POST", body: JSON.stringify({ where }) })
  const answers = await Promise.all(filters.map(asked))

  expect(filters.map((where) => isWhere(where))).toEqual(answers.map(({ status }) => status === 200))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
})

const files = collection("files")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .access({ read: true })
const drawers = collection("drawers")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: false, introspect: false })
const shelves = collection("shelves")
  .fields(({ f }) => ({
    body: f.blocks({
      hero: { image: f.relation("files").onDelete("setNull"), drawer: f.relation("drawers") },
      list: { files: f.array(f.relation("files")), shelf: f.object({ above: f.relation("shelves") }) },
    }),
    plain: f.blocks({ rule: {} }),
  }))
  .access({ read: true, create: true })

test("a relation inside of a block is described as far as the caller may know its collection", async () => {
  await using app = await testApp({ resources: [files, drawers, shelves] })

  const { body } = await app.fetch("/shelves/schema")

  const file = { targetCollection: "files", titleField: "name" }
  const { hero, list } = body.fields.body.blocks
  expect(hero.fields.image).toMatchObject({ type: "relation", relation: { ...file, onDelete: "setNull" } })
  expect(hero.fields.drawer.relation).toEqual({ targetCollection: null, titleField: null, onDelete: "restrict" })
  expect(list.fields.files).toMatchObject({
    type: "array",
    items: { type: "relation", relation: { ...file, onDelete: "restrict" } },
  })
  expect(list.fields.files).not.toHaveProperty("relation")
  expect(list.fields.shelf.fields.above.relation).toMatchObject({ targetCollection: "shelves" })
})

test("the OpenAPI document describes the relations inside of blocks that a read may include", async () => {
  await using app = await testApp({ resources: [files, drawers, shelves], config: { openapi: true } })
  const { body: document } = await app.fetch("/_kit/openapi.json")
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "api")
  const isWith = ajv.compile({ $ref: "api#/components/schemas/ShelvesWith" })
  const above = { with: { body: { hero: { image: { where: { name: "x" } } } } } }
  const taken = [
    { body: { hero: { image: true } } },
    { body: { list: { files: true, shelf: { above } } } },
    { body: { hero: { drawer: true } } },
    { body: { hero: true } },
    { body: { list: { image: true } } },
    { plain: { rule: {} } },
  ]

  const answers = await Promise.all(
    taken.map(
      async (related) =>
        (await app.fetch("/shelves/query", { method: "POST", body: JSON.stringify({ with: related }) })).status === 200,
    ),
  )

  expect(taken.map((related) => isWith(related))).toEqual([true, true, false, false, false, false])
  // A collection that the caller may not know hydrates to null, as in every relation.
  expect(answers).toEqual([true, true, true, false, false, false])
})
