import { describe, expect, test } from "vitest"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import { type Global, global } from "../../src/schema/builders/global.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"

function compile(...sources: (Collection<any> | Global<any>)[]): AppSchema {
  const compiled = compileSchema(sources.map(({ definition }) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

function only(source: Collection<any> | Global<any>): Resource {
  const [resource] = compile(source).resources
  if (resource === undefined) throw new Error("Nothing was compiled.")
  return resource
}

describe("a compiled collection", () => {
  const posts = collection("posts")
    .fields(({ f }) => ({
      title: f.text().required(),
      secret: f.text().access({ read: () => false }),
      parent: f.relation("posts"),
    }))
    .title("title")
    .searchable({ fields: ["secret"] })

  test("answers id, the author's fields and the timestamps, in that order", () => {
    const resource = only(posts)

    expect([...resource.fields.keys()]).toEqual(["id", "title", "secret", "parent", "createdAt", "updatedAt"])
    expect(resource.columns).toEqual([...resource.fields.values()])
    expect([resource.id.system, resource.fields.get("title")?.system]).toEqual([true, false])
    expect(resource.searchFields.map((field) => field.name)).toEqual(["title", "secret"])
  })

  test("may do without timestamps", () => {
    const resource = only(posts.options({ timestamps: false }))

    expect([...resource.fields.keys()]).toEqual(["id", "title", "secret", "parent"])
    expect([resource.createdAt, resource.updatedAt]).toEqual([undefined, undefined])
    expect(resource.indexes.map((index) => index.name)).toEqual(["posts.parent.index"])
  })

  test("knows the resource that its relation points to", () => {
    const resource = only(posts)

    expect(resource.fields.get("parent")?.target).toBe(resource)
    expect(resource.foreignKeys).toEqual([
      { name: "posts.parent.posts.key", field: resource.fields.get("parent"), target: resource },
    ])
  })

  test("is frozen with all its fields", () => {
    const resource = only(posts)

    expect(Object.isFrozen(resource)).toBe(true)
    expect([...resource.fields.values()].every((field) => Object.isFrozen(field))).toBe(true)
  })

  test("has each index once, however often it is asked for", () => {
    const items = collection("items")
      .fields(({ f }) => ({ a: f.text().index().unique(), b: f.select(["x"]).index() }))
      .indexes([{ fields: ["a"] }, { fields: ["a"], unique: true }, { fields: ["b"] }, { fields: ["a", "b"] }])

    const { indexes } = only(items)

    expect(indexes.map(({ name, newestFirst }) => [name, newestFirst])).toEqual([
      ["items.newest", true],
      ["items.a.unique", false],
      ["items.a.index", false],
      ["items.b.index", true],
      ["items.a.b.index", false],
    ])
  })
})

describe("a compiled global", () => {
  test("is stored with an id and answered without it", () => {
    const resource = only(global("site").fields(({ f }) => ({ name: f.text() })))

    expect(resource.table).toBe("global_site")
    expect(resource.columns.map((field) => field.name)).toEqual(["id", "name", "createdAt", "updatedAt"])
    expect([...resource.fields.keys()]).toEqual(["name", "createdAt", "updatedAt"])
    expect(resource.indexes).toEqual([])
  })
})

test("a schema lists collections before globals, each by name, whatever the order of the files", () => {
  const named = (name: string) => collection(name).fields(({ f }) => ({ a: f.text() }))
  const site = global("about").fields(({ f }) => ({ a: f.text() }))

  const schema = compile(site, named("zebras"), named("ants"))

  expect(schema.resources.map((resource) => resource.name)).toEqual(["ants", "zebras", "about"])
  expect([...schema.collections.keys()]).toEqual(["ants", "zebras"])
  expect([...schema.globals.keys()]).toEqual(["about"])
})

test("builders are frozen; each method returns a new one", () => {
  const plain = collection("posts").fields(({ f }) => ({ title: f.text() }))

  const open = plain.access({ read: true }).title("title").options({ timestamps: false })

  expect(Object.isFrozen(plain) && Object.isFrozen(open) && Object.isFrozen(open.definition)).toBe(true)
  expect(plain.definition).toMatchObject({ access: {}, options: {} })
  expect(open.definition).toMatchObject({ access: { read: true }, title: "title", options: { timestamps: false } })
})
