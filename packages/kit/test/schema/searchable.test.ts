import { describe, expect, test } from "vitest"
import { findConfigMistakes } from "../../src/app/config/settings/find-config-mistakes.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import type { ResourceDefinition } from "../../src/schema/builders/definition.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource } from "../../src/schema/compile/resource.ts"
import { languageOf } from "../../src/schema/search/languages.ts"

const LOCALES = { default: "en", all: ["en", "sk", "de-AT"], fallback: { "de-AT": ["sk"] } }

type Parts = NonNullable<Parameters<typeof compileSchema>[1]>

function compiled(definitions: readonly ResourceDefinition[], parts: Parts = {}) {
  return compileSchema(
    definitions.map((definition) => ({ file: `${definition.name}.ts`, definition })),
    parts,
  )
}

function schemaOf(definition: ResourceDefinition, parts: Parts = {}): AppSchema {
  const app = compiled([definition, people], parts)
  if ("mistakes" in app) throw new Error(app.mistakes.map(({ message }) => message).join("\n"))
  return app.schema
}

function compile(definition: ResourceDefinition, parts: Parts = {}): Resource {
  const resource = schemaOf(definition, parts).collections.get(definition.name)
  if (resource === undefined) throw new Error("not compiled")
  return resource
}

function mistakesOf(definition: ResourceDefinition): readonly string[] {
  const app = compiled([definition, people])
  return "mistakes" in app ? app.mistakes.map(({ message }) => message) : []
}

const people = collection("people").fields(({ f }) => ({ name: f.text() })).definition

const posts = collection("posts").fields(({ f }) => ({
  title: f.text(),
  lead: f.textarea().localized(),
  body: f.richText(),
  notes: f.text().hidden(),
  draft: f.text().access({ read: false }),
  secret: f.text().access({ read: () => false }),
  section: f.select(["news", "sport"]),
  labels: f.select(["new", "old"]).multiple(),
  words: f.array(f.text()),
  sizes: f.array(f.number()),
  days: f.array(f.date()),
  price: f.number(),
  isOpen: f.boolean(),
  day: f.date(),
  at: f.time(),
  moment: f.datetime(),
  place: f.object({ street: f.text() }),
  loud: f.virtual(f.text(), 'upper("title")'),
  author: f.relation("people"),
  readers: f.relation("people").manyToMany(),
}))

/** The plain values in a compiled object, without its functions. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A value as an author without a type checker may write it. */
const untyped = (value: unknown) => value as never

describe(".searchable()", () => {
  test("is off unless it is declared", () => {
    const resource = compile(posts.title("title").definition)

    expect(resource.search).toBeUndefined()
    expect(resource.searchFields.map(({ name }) => name)).toEqual(["title"])
  })

  test("searches the title first, with the highest weight", () => {
    const { search } = compile(posts.title("title").searchable({ fields: ["body", "title"] }).definition)

    expect(search?.title?.name).toBe("title")
    expect(search?.fields.map(({ field, label }) => [field.name, label])).toEqual([
      ["title", "A"],
      ["body", "B"],
    ])
    expect(search?.labelWeights).toEqual([1, 0.5, 0, 0])
  })

  test("takes the title and the weights of the author", () => {
    const { search } = compile(
      posts.title("title").searchable({
        title: "secret",
        fields: ["title", "body", "words"],
        content: () => "",
        weights: { secret: 2, title: 8, content: 4 },
      }).definition,
    )

    expect(search?.title?.name).toBe("secret")
    expect(search?.fields.map(({ field, label }) => field.name + label)).toEqual([
      "secretC",
      "titleA",
      "bodyD",
      "wordsD",
    ])
    expect(search?.content?.label).toBe("B")
    expect(search?.labelWeights).toEqual([1, 0.5, 0.25, 0.125])
  })

  test("distinguishes the function content from a field of that name", () => {
    const pages = collection("pages").fields(({ f }) => ({ content: f.text(), title: f.text() }))

    const { search } = compile(pages.searchable({ fields: ["title"], content: () => "" }).definition)

    expect(search?.fields.map(({ field }) => field.name)).toEqual(["title"])
  })

  test("keeps one index in the language of the default locale, if no text depends on the locale", () => {
    const { search } = compile(posts.searchable({ fields: ["title"] }).definition, { locales: LOCALES })

    expect(search?.indexes).toMatchObject([
      { locale: undefined, vector: "_search", key: undefined, configuration: "_kit_english" },
    ])
  })

  test("keeps an index for each locale, if a field is localized", () => {
    const { search } = compile(posts.searchable({ fields: ["lead"] }).definition, {
      locales: LOCALES,
      search: { languages: { sk: "russian" }, hasEmbedder: true },
    })

    expect(search?.indexes).toMatchObject([
      { locale: "en", vector: "_search_en", key: "_search_key_en", configuration: "_kit_english" },
      { locale: "sk", vector: "_search_sk", key: "_search_key_sk", configuration: "_kit_russian" },
      { locale: "de-AT", vector: "_search_de-AT", key: "_search_key_de-AT", configuration: "_kit_german" },
    ])
    expect(search?.indexes.map(({ fields }) => fields[0]?.field.localized?.chain)).toEqual([
      ["en"],
      ["sk", "en"],
      ["de-AT", "sk", "en"],
    ])
  })

  test("keeps an index for each locale, if there is content", () => {
    const { search } = compile(posts.searchable({ content: () => "" }).definition, { locales: LOCALES })

    expect(search?.indexes.map(({ vector }) => vector)).toEqual(["_search_en", "_search_sk", "_search_de-AT"])
    expect(search?.content?.column).toBe("_search_content")
  })

  test("embeds no field with a read rule of its own", () => {
    const { search } = compile(posts.searchable({ fields: ["title", "notes", "secret"] }).definition)

    expect(search?.fields.map(({ isEmbedded }) => isEmbedded)).toEqual([true, true, false])
  })

  test("reads the fields in the locale of each view, with the same indexes", () => {
    const schema = schemaOf(posts.searchable({ fields: ["lead"] }).definition, { locales: LOCALES })

    const view = schema.inLocale({ locale: "sk", hasFallback: false }).collections.get("posts")?.search

    expect(view?.fields[0]?.field.localized?.chain).toEqual(["sk"])
    expect(plain(view?.indexes)).toEqual(plain(schema.collections.get("posts")?.search?.indexes))
  })

  test("indexes the copies of every stage like the working copies", () => {
    const schema = schemaOf(posts.options({ workflow: true }).searchable({ fields: ["lead"] }).definition)

    const [working, ...copies] = schema.tables.filter(({ name }) => name === "posts")

    expect(copies.map(({ table }) => table)).toEqual(["posts.stage.published"])
    expect(plain(copies[0]?.search?.indexes)).toEqual(plain(working?.search?.indexes))
  })

  test("searches the file name of an upload", () => {
    const { search } = compile(
      collection("media")
        .upload()
        .searchable({ facets: ["visibility"] }).definition,
    )

    expect(search?.fields.map(({ field }) => field.name)).toEqual(["filename"])
  })

  test("accepts every field type with text, and every facet type", () => {
    const searchable = {
      fields: ["title", "lead", "body", "notes", "section", "labels", "words"],
      facets: [
        ...["title", "section", "labels", "words", "sizes", "price", "isOpen", "day", "moment", "author", "createdAt"],
      ],
    }

    expect(mistakesOf(posts.searchable(searchable).definition)).toEqual([])
  })

  test("reports all mistakes together", () => {
    const searchable = {
      title: "notes",
      fields: ["titel", "price", "place", "loud", "author", "draft", "body", "body"],
      facets: ["sectoin", "at", "days", "place", "readers", "notes", "draft"],
      with: { auhtor: true },
      content: () => "",
      weights: { price: 2, body: 0, lead: 1 },
    }

    expect(mistakesOf(posts.searchable(searchable).definition)).toEqual([
      'title of .searchable() names the field "notes", which is hidden, so no caller could read it. Name another field.',
      '.searchable() names the field "titel", which does not exist. Did you mean "title"?',
      ...["price", "place", "loud", "author"].map(
        (name) =>
          `.searchable() names the field "${name}", which is not stored text. Name a text field, or return the words to find in content: content: (record) => ….`,
      ),
      '.searchable() names the field "draft", whose read rule is false, so no caller could find or read it. Name another field, or change the rule.',
      'fields of .searchable() names the field "body" twice. Remove one.',
      'facets of .searchable() names the field "sectoin", which does not exist. Did you mean "section"?',
      ...["at", "days", "place", "readers"].map(
        (name) =>
          `facets of .searchable() names the field "${name}", whose values cannot be counted. A facet is a select, a boolean, a number, a date, text, a list of texts or numbers, or a relation to one record.`,
      ),
      'facets of .searchable() names the field "notes", which is hidden, so no caller could see its values. Remove it.',
      'facets of .searchable() names the field "draft", whose read rule is false, so no caller could find or read it. Name another field, or change the rule.',
      'with of .searchable() names "auhtor", which is not a relation. Did you mean "author"?',
      'weights of .searchable() names "lead", which is not searched. Did you mean "loud"?',
      'the weight of "body" in .searchable() is not a number above 0. Write one such as 2.',
    ])
  })

  test("content cannot follow relations inside of values, at any depth", () => {
    const part = { body: { hero: { author: true } } }
    const definition = collection("posts")
      .fields(({ f }) => ({
        title: f.text(),
        parent: f.relation("posts"),
        body: f.blocks({ hero: { author: f.relation("people") } }),
      }))
      .searchable({ with: { ...part, parent: { with: part } }, content: () => "" }).definition

    const remedy = "Declare the relation as a field, or leave"
    expect(mistakesOf(definition)).toEqual([
      expect.stringContaining(
        `names "body", a value with relations inside of it, which content cannot follow. ${remedy}`,
      ),
      expect.stringContaining(`names "parent.body", a value with relations inside of it`),
    ])
  })

  test.each([
    ["a list", ["title"], '.searchable() takes an object. Write .searchable({ fields: ["body"] }).'],
    ["an unknown member", { feilds: ["title"] }, '.searchable() has no "feilds". Did you mean "fields"?'],
    ["names that are no list", { fields: "title" }, ".searchable() needs a list of field names in fields"],
    ["facets that are no list", { facets: [1] }, ".searchable() needs a list of field names in facets"],
    ["content that is no function", { content: "x" }, "content of .searchable() is not a function"],
    ["a title that is no name", { title: 1 }, "title of .searchable() is not the name of a field"],
    ["related records that are no object", { with: ["author"] }, "with of .searchable() is not an object"],
    ["weights that are no object", { weights: 2 }, "weights of .searchable() is not an object"],
    ["nothing", {}, ".searchable() names no text"],
    ["related records without content", { fields: ["title"], with: { author: true } }, "requests related records"],
    ["a title that is no text", { title: "price" }, "which is not stored text, so it cannot be searched"],
    ["a virtual title", { title: "loud" }, "which is not stored text, so it cannot be searched"],
    ["an unknown title", { title: "titel" }, 'which does not exist. Did you mean "title"?'],
    ["a title that nobody may read", { title: "draft" }, "whose read rule is false"],
    [
      "five different weights",
      {
        title: "title",
        fields: ["body", "words", "notes"],
        weights: { body: 5, words: 4, notes: 3 },
        content: () => "",
      },
      ".searchable() has 5 different weights (5, 4, 3, 2, 1, with those that are not set). Use at most 4.",
    ],
    [
      "an infinite weight",
      { fields: ["title"], weights: { title: Number.POSITIVE_INFINITY } },
      "is not a number above 0",
    ],
    ["a weight as text", { fields: ["title"], weights: { title: "2" } }, "is not a number above 0"],
  ])("refuses %s", (_name, searchable, message) => {
    expect(mistakesOf(posts.searchable(untyped(searchable)).definition)).toEqual([expect.stringContaining(message)])
  })

  test("refuses a virtual field of .title(), unless it names another title", () => {
    const titled = posts.title("loud")

    expect(mistakesOf(titled.searchable({ fields: ["body"] }).definition)).toEqual([
      '.title() names the field "loud", which is not stored text, so it cannot be searched. Name a stored text field in title of .searchable().',
    ])
    expect(mistakesOf(titled.searchable({ title: "title" }).definition)).toEqual([])
  })
})

describe("the language of a locale", () => {
  test.each([
    ["en", "english"],
    ["de-AT", "german"],
    ["PT-br", "portuguese"],
    ["nn", "norwegian"],
    ["sk", "simple"],
    ["ja", "simple"],
  ])("%s is %s", (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })

  test("is the author's choice", () => {
    expect(languageOf("sk", { sk: "russian" })).toBe("russian")
  })

  test("must be known, and the locale one of the app", () => {
    const search = { languages: { en: "englisch", cs: "simple" }, stopWords: { sk: ["a"], fr: ["le"] }, synonyms: {} }

    expect(findConfigMistakes({ locales: { default: "en", all: ["en", "sk"] }, search })).toEqual([
      'the setting "search.languages" names the locale "cs", which the app does not have. Known: en, sk. Remove it, or add the locale to "locales".',
      'the setting "search.stopWords" names the locale "fr", which the app does not have. Known: en, sk. Remove it, or add the locale to "locales".',
      'the setting "search.languages" gives the locale "en" the language "englisch", which PostgreSQL does not know. Did you mean "english"?',
    ])
    expect(findConfigMistakes({ search: { languages: { en: "klingon" } } })).toEqual([
      expect.stringContaining("Use one of arabic, armenian"),
    ])
  })
})
