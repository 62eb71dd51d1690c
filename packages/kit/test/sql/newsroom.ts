import { collection } from "../../src/schema/builders/collection.ts"
import { global } from "../../src/schema/builders/global.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"

const teams = collection("teams").fields(({ f }) => ({ name: f.text().required() }))

const people = collection("people").fields(({ f }) => ({
  name: f.text().required(),
  age: f.number().integer(),
  team: f.relation("teams"),
}))

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    slug: f.text().unique(),
    price: f.number().decimal(10, 2),
    views: f.number().bigint(),
    at: f.datetime(),
    kind: f.select(["news", "story"]),
    meta: f.json(),
    author: f.relation("people").required(),
  }))
  .indexes([{ fields: ["kind", "slug"], unique: true }])

const lists = collection("lists").fields(({ f }) => ({
  name: f.text(),
  tags: f.array(f.text()).index(),
  prices: f.array(f.number().decimal(6, 2)),
  moments: f.array(f.datetime()),
  parts: f.array(f.object({ sku: f.text() })),
  size: f.virtual(f.number().integer(), `length("name") + 1`),
  loud: f.computed(({ row }) => String(row["name"]).toUpperCase()),
}))

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text(), parent: f.relation("plain") }))
  .options({ timestamps: false })

const site = global("site").fields(({ f }) => ({ name: f.text(), home: f.relation("posts") }))

/** A compiled schema to write SQL for. */
export const schema: AppSchema = compile()

function compile(): AppSchema {
  const sources = [teams, people, posts, lists, plain, site].map(({ definition }) => ({
    file: definition.name,
    definition,
  }))
  const compiled = compileSchema(sources)
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

export function resourceNamed(name: string): Resource {
  const resource = schema.collections.get(name) ?? schema.globals.get(name)
  if (resource === undefined) throw new Error(`There is no ${name}.`)
  return resource
}
