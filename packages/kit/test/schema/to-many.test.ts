import { describe, expect, test } from "vitest"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import { type Global, global } from "../../src/schema/builders/global.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema } from "../../src/schema/compile/resource.ts"
import { linkSnapshot } from "../../src/sql/tables/link-ddl.ts"

const comments = collection("comments").fields(({ f }) => ({ article: f.relation("articles"), text: f.text() }))
const tags = collection("tags").fields(({ f }) => ({ name: f.text() }))

function compile(...builders: (Collection | Global)[]) {
  return compileSchema(builders.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })))
}

function schemaOf(...builders: (Collection | Global)[]): AppSchema {
  const compiled = compile(...builders)
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

function messagesOf(...builders: (Collection | Global)[]): string[] {
  const compiled = compile(...builders)
  return "mistakes" in compiled ? compiled.mistakes.map(({ message }) => message) : []
}

function relationOf(schema: AppSchema, name: string, field: string) {
  return schema.collections.get(name)?.fields.get(field)?.relation
}

describe("hasMany", () => {
  test("is a field without a column that leads to the records pointing back", () => {
    const articles = collection("articles").fields(({ f }) => ({
      title: f.text(),
      comments: f.relation("comments").label("Comments").hasMany({ via: "article" }),
    }))

    const schema = schemaOf(articles, comments)

    const resource = schema.collections.get("articles")
    expect(relationOf(schema, "articles", "comments")).toMatchObject({
      kind: "hasMany",
      target: { name: "comments" },
      via: { name: "article" },
    })
    expect(resource?.fields.get("comments")).toMatchObject({
      isStored: false,
      target: undefined,
      presentation: { label: "Comments" },
    })
    expect(resource?.columns.map((field) => field.name)).toEqual(["id", "title", "createdAt", "updatedAt"])
    expect(schema.links).toEqual([])
  })

  test.each([
    [
      "artikle",
      `field "comments" is reached via "artikle", which is not a field of "comments". Did you mean "article"?`,
    ],
    [
      "text",
      `field "comments" is reached via "text" of "comments", which does not point to "articles". Name a field with f.relation("articles").`,
    ],
  ])("via %s is a mistake", (via, message) => {
    const articles = collection("articles").fields(({ f }) => ({ comments: f.relation("comments").hasMany({ via }) }))

    expect(messagesOf(articles, comments)).toEqual([message])
  })

  test("what only a column can have is a mistake", () => {
    const articles = collection("articles")
      .fields(({ f }) => ({
        comments: f.relation("comments").hasMany({ via: "article" }).required().unique().default([]),
      }))
      .indexes([{ fields: ["comments"] }])

    expect(messagesOf(articles, comments)).toEqual([
      `field "comments" is a relation to many records and cannot have .required(). Remove it.`,
      `field "comments" is a relation to many records and cannot have .unique(). Remove it.`,
      `field "comments" is a relation to many records and cannot have .default(). Remove it.`,
      '.indexes() names the field "comments", which does not exist. Known: createdAt, updatedAt.',
    ])
  })

  test("a global cannot have it", () => {
    const site = global("site").fields(({ f }) => ({ tags: f.relation("tags").manyToMany() }))

    expect(messagesOf(site, tags)).toEqual([
      'field "tags" is a relation to many records, which a global cannot have. Use a collection, or a relation to one record.',
    ])
  })

  test("a target that does not exist is a mistake", () => {
    const articles = collection("articles").fields(({ f }) => ({ tags: f.relation("tgas").manyToMany() }))

    expect(messagesOf(articles, tags)).toEqual([
      'field "tags" points to collection "tgas", which does not exist. Did you mean "tags"?',
    ])
  })
})

describe("manyToMany", () => {
  test("has a table of its own, named by both sides", () => {
    const articles = collection("articles").fields(({ f }) => ({ tags: f.relation("tags").manyToMany() }))

    const schema = schemaOf(articles, tags)

    expect(relationOf(schema, "articles", "tags")).toMatchObject({
      kind: "manyToMany",
      target: { name: "tags" },
      link: { table: "articles.tags.tags.links", own: "articles_id", other: "tags_id" },
    })
    expect(schema.links.map(linkSnapshot)).toMatchObject([
      {
        name: "articles.tags.tags.links",
        columns: [
          { name: "articles_id", type: "uuid", nullable: false, primaryKey: true },
          { name: "tags_id", type: "uuid", nullable: false, primaryKey: true },
        ],
        indexes: [{ name: "articles.tags.tags.links.tags_id.index", columns: ["tags_id"] }],
        foreignKeys: [
          { name: "articles.tags.tags.links.articles_id.key", target: "articles" },
          { name: "articles.tags.tags.links.tags_id.key", target: "tags" },
        ],
      },
    ])
  })

  test("is one relation when both sides go through the same name", () => {
    const articles = collection("articles").fields(({ f }) => ({
      tags: f.relation("tags").manyToMany({ through: "tagging" }),
    }))
    const labels = collection("tags").fields(({ f }) => ({
      articles: f.relation("articles").manyToMany({ through: "tagging" }),
    }))

    const schema = schemaOf(articles, labels)

    expect(schema.links.map((link) => link.name)).toEqual(["tagging.links"])
    expect(relationOf(schema, "articles", "tags")).toMatchObject({ link: { own: "articles_id", other: "tags_id" } })
    expect(relationOf(schema, "tags", "articles")).toMatchObject({ link: { own: "tags_id", other: "articles_id" } })
  })

  test("of a collection with itself has a source and a target", () => {
    const people = collection("people").fields(({ f }) => ({
      follows: f.relation("people").manyToMany({ through: "following" }),
      followers: f.relation("people").manyToMany({ through: "following" }),
    }))

    const schema = schemaOf(people)

    expect(relationOf(schema, "people", "follows")).toMatchObject({ link: { own: "source", other: "target" } })
    expect(relationOf(schema, "people", "followers")).toMatchObject({ link: { own: "target", other: "source" } })
  })

  test("has a position in its table if it is ordered, and the order belongs to the side that says so", () => {
    const articles = collection("articles").fields(({ f }) => ({
      tags: f.relation("tags").manyToMany({ through: "tagging", ordered: true }),
    }))
    const labels = collection("tags").fields(({ f }) => ({
      articles: f.relation("articles").manyToMany({ through: "tagging" }),
      related: f.relation("tags").manyToMany({ ordered: true }),
    }))

    const schema = schemaOf(articles, labels)

    expect(relationOf(schema, "articles", "tags")).toMatchObject({ link: { ordered: "own" } })
    expect(relationOf(schema, "tags", "articles")).toMatchObject({ link: { ordered: "other" } })
    expect(relationOf(schema, "tags", "related")).toMatchObject({ link: { ordered: "own" } })
    const position = { name: "position", type: "integer", nullable: true }
    expect(schema.links.map(linkSnapshot)).toMatchObject([
      { name: "tagging.links", columns: [{ name: "articles_id" }, { name: "tags_id" }, position] },
      { name: "tags.related.tags.links", columns: [{ name: "source" }, { name: "target" }, position] },
    ])
  })

  test("is ordered at one end only", () => {
    const way = { through: "tagging", ordered: true }
    const articles = collection("articles").fields(({ f }) => ({ tags: f.relation("tags").manyToMany(way) }))
    const labels = collection("tags").fields(({ f }) => ({ articles: f.relation("articles").manyToMany(way) }))
    const people = collection("people").fields(({ f }) => ({
      follows: f.relation("people").manyToMany({ ...way, through: "following" }),
      followers: f.relation("people").manyToMany({ ...way, through: "following" }),
    }))
    const message = (field: string, other: string) =>
      `field "${field}" is ordered, and so is the other side of the relation in "${other}". The links have one order. Leave out \`ordered\` on one side.`

    expect(messagesOf(articles, labels).toSorted()).toEqual([message("articles", "articles"), message("tags", "tags")])
    expect(messagesOf(people)).toEqual([message("follows", "people"), message("followers", "people")])
  })

  test("takes moves only if it is ordered", () => {
    const [a, b] = ["0198b3c1-0000-7000-8000-00000000000a", "0198b3c1-0000-7000-8000-00000000000b"]
    const articles = collection("articles").fields(({ f }) => ({
      tags: f.relation("tags").manyToMany({ ordered: true }),
      loose: f.relation("tags").manyToMany(),
    }))
    const fields = schemaOf(articles, tags).collections.get("articles")?.fields
    const parse = (name: string, input: unknown) => fields?.get(name)?.type.parse(input)
    const moves = [
      { id: a, before: b },
      { id: a, after: b },
      { id: a, to: "start" },
    ]

    const parsed = parse("tags", { move: moves })

    expect(parsed).toMatchObject({ value: { move: moves } })
    expect(parse("tags", parsed && "value" in parsed && parsed.value)).toEqual(parsed)
    expect(parse("tags", { move: moves[0] })).toMatchObject({ value: { move: [moves[0]] } })
    expect(parse("loose", { move: moves })).toMatchObject({ problem: expect.stringContaining("have no order") })
    expect(parse("loose", [])).not.toHaveProperty("value.move")
    expect(JSON.stringify(fields?.get("tags")?.type.jsonSchema.input)).toContain('"move"')
    expect(JSON.stringify(fields?.get("loose")?.type.jsonSchema.input)).not.toContain('"move"')
  })

  test("through a name that joins something else is a mistake", () => {
    const articles = collection("articles").fields(({ f }) => ({
      tags: f.relation("tags").manyToMany({ through: "links" }),
      more: f.relation("tags").manyToMany({ through: "links" }),
      odd: f.relation("tags").manyToMany({ through: "a.b" }),
    }))

    expect(messagesOf(articles, tags)).toEqual([
      'field "odd" has an invalid name "a.b" in through. Use up to 40 letters, digits and _.',
      'field "more" goes through "links", which is not the other side of the relation. Choose another name.',
    ])
  })
})

describe("onDelete", () => {
  test("is kept with the relation, and restricts unless said otherwise", () => {
    const notes = collection("notes").fields(({ f }) => ({
      tag: f.relation("tags"),
      other: f.relation("tags").onDelete("setNull"),
    }))

    const schema = schemaOf(notes, tags)

    expect(relationOf(schema, "notes", "tag")).toMatchObject({ kind: "belongsTo", onDelete: "restrict" })
    expect(relationOf(schema, "notes", "other")).toMatchObject({ kind: "belongsTo", onDelete: "setNull" })
  })

  test("what cannot be done is a mistake", () => {
    const notes = collection("notes").fields(({ f }) => ({
      tag: f.relation("tags").required().onDelete("setNull"),
      other: f.relation("tags").onDelete("destroy" as "cascade"),
    }))
    const site = global("site").fields(({ f }) => ({ tag: f.relation("tags").onDelete("cascade") }))

    expect(messagesOf(notes, tags, site)).toEqual([
      'field "tag" is required and cannot have .onDelete("setNull"). Use "cascade", or leave out .required().',
      'field "other" has .onDelete("destroy"). Use one of restrict, setNull, cascade.',
      'field "tag" has .onDelete("cascade"), but a global is not deleted. Use "setNull".',
    ])
  })
})
