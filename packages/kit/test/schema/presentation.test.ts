import { describe, expect, test } from "vitest"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import { type Global, global } from "../../src/schema/builders/global.ts"
import { users } from "../../src/schema/builders/users.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"
import { PLAIN_FIELD_PRESENTATION, PLAIN_RESOURCE_PRESENTATION } from "../../src/schema/presentation/presentation.ts"
import { snapshotOf } from "../../src/sql/tables/schema-snapshot.ts"

const LOCALES = { default: "en", all: ["en", "sk"] }

function compile(source: Collection<any> | Global<any>): AppSchema {
  const { definition } = source as Collection<any>
  const compiled = compileSchema([{ file: definition.name, definition }], { locales: LOCALES })
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

function only(source: Collection<any> | Global<any>): Resource {
  const [resource] = compile(source).resources
  if (resource === undefined) throw new Error("Nothing was compiled.")
  return resource
}

const plain = collection("articles").fields(({ f }) => ({
  title: f.text().required(),
  body: f.textarea(),
  kind: f.select(["text", "video"]).required(),
  film: f.url(),
}))

describe("a resource", () => {
  test("keeps what its author says about it", () => {
    const previewUrl = () => "/articles"
    const articles = plain
      .label({ en: "Articles", sk: "Články" }, { en: "Article", sk: "Článok" })
      .description("What we publish.")
      .icon("newspaper")
      .group("Content")
      .list({
        columns: ["title", "createdAt"],
        orderBy: { createdAt: "desc" },
        filters: ["kind"],
        views: [{ label: "Films", where: { kind: "video" }, orderBy: { title: "asc" }, columns: ["title", "film"] }],
      })
      .form(({ tab, section, side }) => [tab("Text", ["title", section("More", ["body"])]), side(["kind"]), "film"])
      .preview(previewUrl)

    const { presentation } = only(articles)

    expect(presentation).toEqual({
      label: { en: "Articles", sk: "Články" },
      singularLabel: { en: "Article", sk: "Článok" },
      description: "What we publish.",
      icon: "newspaper",
      group: "Content",
      list: {
        columns: ["title", "createdAt"],
        orderBy: { createdAt: "desc" },
        filters: ["kind"],
        views: [{ label: "Films", where: { kind: "video" }, orderBy: { title: "asc" }, columns: ["title", "film"] }],
      },
      form: [
        { kind: "tab", label: "Text", parts: ["title", { kind: "section", label: "More", parts: ["body"] }] },
        { kind: "side", parts: ["kind"] },
        "film",
      ],
      preview: previewUrl,
    })
  })

  test("has nothing to say unless its author does", () => {
    expect(only(plain).presentation).toEqual(PLAIN_RESOURCE_PRESENTATION)
    expect(only(plain).fields.get("createdAt")?.presentation).toBe(PLAIN_FIELD_PRESENTATION)
  })

  test("may be a global, or the users", () => {
    const site = global("site").fields(({ f }) => ({ name: f.text() }))
    const people = users().fields(({ f }) => ({ bio: f.textarea() }))

    expect(only(site.label("Site").form(() => ["name"])).presentation).toMatchObject({ label: "Site", form: ["name"] })
    expect(only(people.list({ columns: ["name", "email", "bio"] })).presentation.list).toEqual({
      columns: ["name", "email", "bio"],
    })
  })

  test("does not follow later changes of the objects that its author has passed", () => {
    const columns = ["title"]
    const label = { en: "Articles" }

    const articles = plain.label(label).list({ columns })
    columns.push("nothing")
    label.en = ""

    expect(only(articles).presentation).toMatchObject({ label: { en: "Articles" }, list: { columns: ["title"] } })
    expect(Object.isFrozen(articles.definition.presentation.list?.columns)).toBe(true)
  })
})

describe("a field", () => {
  test("keeps what its author says about it, whatever is said after it", () => {
    const articles = collection("articles").fields(({ f }) => ({
      kind: f.select(["text", "video"]),
      film: f
        .url()
        .label({ en: "Film", sk: "Film" })
        .description("Where the film is.")
        .placeholder("https://…")
        .width("half")
        .visible({ kind: "video" })
        .required(),
    }))

    const film = only(articles).fields.get("film")

    expect(film).toMatchObject({
      required: true,
      presentation: {
        label: { en: "Film", sk: "Film" },
        description: "Where the film is.",
        placeholder: "https://…",
        width: "half",
        visible: { kind: "video" },
      },
    })
    expect(film).not.toHaveProperty("label")
    expect(film).not.toHaveProperty("visible")
  })

  test("of options may give each a label and a colour beside its value, which alone is stored", () => {
    const declared = collection("tasks").fields(({ f }) => ({
      state: f
        .select(["idea", { value: "done", label: { en: "Done", sk: "Hotovo" }, color: "green" }])
        .default("done")
        .replacedOptions({ ready: "done" }),
      tags: f.select([{ value: "a", label: "A" }, "b"]).multiple(),
      states: f.array(f.select([{ value: "x", color: "red" }])),
    }))

    const fields = only(declared).fields

    const state = fields.get("state")?.type
    const done = { label: { en: "Done", sk: "Hotovo" }, color: "green", description: undefined }
    expect(state?.options).toEqual(["idea", "done"])
    expect(state?.optionPresentations).toEqual(new Map([["done", done]]))
    expect(state?.typescript.output).toBe('"idea" | "done"')
    expect([state?.parse("done"), state?.parse("ready")]).toMatchObject([
      { value: "done" },
      { problem: expect.any(String) },
    ])
    expect(fields.get("tags")?.type.parse(["b", "a"])).toEqual({ value: ["b", "a"] })
    expect(fields.get("tags")?.type.optionPresentations?.get("a")?.label).toBe("A")
    expect(fields.get("states")?.type.element?.optionPresentations?.get("x")?.color).toBe("red")
  })
})

test("a stage keeps its label, description and colour", () => {
  const stages = { draft: { label: "Draft" }, published: { description: "Everyone sees it.", color: "green" } } as const

  const { workflow } = only(plain.options({ workflow: { stages } }))

  expect([...(workflow?.stages.values() ?? [])].map(({ presentation }) => presentation)).toEqual([
    { label: "Draft", description: undefined, color: undefined },
    { label: undefined, description: "Everyone sees it.", color: "green" },
  ])
})

test("the tables do not depend on what the author says for people", () => {
  const stages = { draft: {}, published: {} }
  const silent = plain.options({ workflow: { stages } })
  const talking = collection("articles")
    .fields(({ f }) => ({
      title: f.text().required().label("Title").placeholder("A title").width("full"),
      body: f.textarea().description("The text.").visible({ kind: "text" }),
      kind: f
        .select([
          { value: "text", label: "Text" },
          { value: "video", label: "Film", color: "red" },
        ])
        .required(),
      film: f.url(),
    }))
    .label("Articles")
    .list({ columns: ["title"] })
    .form(() => ["title"])
    .preview(() => null)
    .options({ workflow: { stages: { draft: { label: "Draft" }, published: { color: "green" } } } })

  expect(snapshotOf(compile(talking))).toEqual(snapshotOf(compile(silent)))
})
