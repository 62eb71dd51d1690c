import { describe, expect, test } from "vitest"
import { checkApp } from "../../src/app/definition/check-app.ts"
import { compileResources } from "../../src/app/definition/compile-resources.ts"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import type { FieldSet } from "../../src/schema/fields/field-set.ts"

const LOCALES = { default: "en", all: ["en", "sk"] }

function mistakesIn(...sources: readonly Collection<any>[]): string[] {
  const resources = sources.map(({ definition }) => ({ file: `src/collections/${definition.name}.ts`, definition }))
  const compiled = compileResources({ locales: LOCALES }, resources)
  return "mistakes" in compiled ? compiled.mistakes.map(({ file, message }) => `${file}: ${message}`) : []
}

function posts(): Collection<any> {
  return collection("posts").fields(({ f }) => ({
    title: f.text(),
    kind: f.select(["text", "video"]),
    author: f.relation("users"),
    secret: f.text().hidden(),
    words: f.computed(() => 1),
    meta: f.json(),
  }))
}

/** A value of a type that the compiler would refuse. */
function wrong(value: unknown): never {
  return value as never
}

const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new Error("boom")
    },
  })

const FILE = "src/collections/posts.ts"

describe("a text", () => {
  test.each([
    ["an empty one", "", "is empty. Write a text, or leave it out."],
    ["one of spaces", "  ", "is empty. Write a text, or leave it out."],
    ["a number", 7, 'is not a text. Write a text such as "Articles", or one per locale such as { en: "Articles" }.'],
    ["a list", ["x"], 'is not a text. Write a text such as "Articles", or one per locale such as { en: "Articles" }.'],
    ["no locale", {}, 'is not a text. Write a text such as "Articles", or one per locale such as { en: "Articles" }.'],
    [
      "a locale that the app does not have",
      { en: "Posts", cz: "Články" },
      'is given for the locale "cz", which the app does not have. Known: en, sk. Remove it, or add the locale to "locales" in kit.config.ts.',
    ],
    ["an empty text in a locale", { sk: " " }, 'in the locale "sk" is empty. Write a text, or leave it out.'],
  ])("that is %s is refused", (_, text, problem) => {
    expect(mistakesIn(posts().label(wrong(text)))).toEqual([`${FILE}: the label of the collection ${problem}`])
  })

  test("is checked wherever it is given, and all mistakes are reported together", () => {
    const broken = collection("posts")
      .fields(({ f }) => ({
        title: f.text().label("").description("").placeholder(""),
        kind: f.select([{ value: "a", label: "" }]),
        parts: f.object({ street: f.text().label("") }),
        many: f.array(f.select([{ value: "b", label: "" }]).placeholder("")),
      }))
      .label("Posts", "")
      .description("")
      .group("")
      .list({ views: [{ label: "" }] })
      .form(({ tab }) => [tab("", ["title"])])
      .options({ workflow: { stages: { draft: { label: "" }, published: { description: "" } } } })

    const places = mistakesIn(broken).map((message) => message.replace(`${FILE}: `, "").replace(/ is empty\..*$/, ""))

    expect(places).toEqual([
      "the label of one record of the collection",
      "the description of the collection",
      "the group of the collection",
      "the label of view 1 of .list()",
      "the label of a tab of .form()",
      'the label of the field "title"',
      'the description of the field "title"',
      'the placeholder of the field "title"',
      'the label of the option "a" of the field "kind"',
      'the label of the part "street" of the field "parts"',
      'the placeholder of the items of the field "many"',
      'the label of the option "b" of the items of the field "many"',
      'the label of the stage "draft"',
      'the description of the stage "published"',
    ])
  })
})

test.each([["News Paper"], [""], [7], ["x".repeat(51)]])("the icon %j is refused", (icon) => {
  expect(mistakesIn(posts().icon(wrong(icon)))).toEqual([
    `${FILE}: .icon() takes the short name of an icon, in small letters, digits and -, such as "newspaper".`,
  ])
})

test.each([
  [{ colums: ["title"] }, '.list() has no "colums". Did you mean "columns"?'],
  ["title", '.list() takes an object, such as .list({ columns: ["title"] }).'],
  [{ columns: "title" }, 'columns of .list() is not a list of field names. Write one such as ["title"].'],
  [{ columns: ["titel"] }, 'columns of .list() names the field "titel", which does not exist. Did you mean "title"?'],
  [{ columns: [7] }, "columns of .list() contains something that is not the name of a field. Remove it."],
  [{ columns: ["title", "title"] }, 'columns of .list() names the field "title" twice. Remove one.'],
  [
    { columns: ["secret"] },
    'columns of .list() names the field "secret", which is hidden, so that no caller could see it. Remove it.',
  ],
  [
    { columns: ["secre"] },
    'columns of .list() names the field "secre", which does not exist. Known: id, title, kind, author, words, meta, createdAt, updatedAt.',
  ],
  [
    { filters: ["words"] },
    'filters of .list() names the field "words", which is computed, so that no filter can use it. Remove it.',
  ],
  [{ orderBy: ["title"] }, 'orderBy of .list() is not an object. Write one such as { createdAt: "desc" }.'],
  [
    { orderBy: { titel: "asc" } },
    'orderBy of .list() names the field "titel", which does not exist. Did you mean "title"?',
  ],
  [
    { orderBy: { meta: "asc" } },
    'orderBy of .list() names the field "meta", by which records cannot be sorted. Name another field.',
  ],
  [{ orderBy: { title: "up" } }, 'the direction of "title" in orderBy of .list() cannot be "up". Known: asc, desc.'],
  [{ views: {} }, 'views of .list() is not a list. Write one such as [{ label: "Mine", where: { … } }].'],
  [{ views: [null] }, 'view 1 of .list() is not an object. Write one such as { label: "Open", where: { … } }.'],
  [{ views: [{}] }, 'view 1 of .list() has no label. Write one, such as label: "Open".'],
  [{ views: [{ label: "Films", wher: {} }] }, 'the view "Films" of .list() has no "wher". Did you mean "where"?'],
  [
    { views: [{ label: "Films", columns: ["film"] }] },
    'columns of the view "Films" of .list() names the field "film", which does not exist. Known: id, title, kind, author, words, meta, createdAt, updatedAt.',
  ],
  [
    { views: [{ label: "Films", where: { kin: "video" } }] },
    'the where of the view "Films" of .list() is not valid: where.kin: There is no field "kin". Did you mean "kind"?',
  ],
  [
    { views: [{ label: "Films", where: { secret: "x" } }] },
    'the where of the view "Films" of .list() is not valid: where.secret: There is no field "secret". Known: id, title, kind, author, words, meta, createdAt, updatedAt.',
  ],
])(".list(%j) is refused", (list, problem) => {
  expect(mistakesIn(posts().list(wrong(list)))).toEqual([`${FILE}: ${problem}`])
})

test("the filter of a view may use fields of related records", () => {
  expect(mistakesIn(posts().list({ views: [{ label: "Ana's", where: { author: { name: "Ana" } } }] }))).toEqual([])
})

test.each([
  [
    "no function",
    "title",
    '.form() takes a function that returns a list, such as ({ tab }) => [tab("Text", ["title"])].',
  ],
  ["no list", () => 7, '.form() takes a function that returns a list, such as ({ tab }) => [tab("Text", ["title"])].'],
  [
    "a throw",
    () => {
      throw new Error("boom")
    },
    ".form() cannot be read: boom.",
  ],
  ["an unknown field", () => ["titel"], '.form() names the field "titel", which does not exist. Did you mean "title"?'],
  [
    "a hidden field",
    () => ["secret"],
    '.form() names the field "secret", which is hidden, so that no caller could see it. Remove it.',
  ],
  [
    "a field twice",
    ({ tab, side }: any) => [tab("Text", ["title"]), side(["title"])],
    '.form() names the field "title" twice. Remove one.',
  ],
  ["null", () => [null], ".form() contains something that is not the name of a field. Remove it."],
  [
    "another object",
    () => [{ kind: "panel" }],
    ".form() has a part that is neither a field nor made by tab, section or side. Remove it.",
  ],
  [
    "a tab in a tab",
    ({ tab }: any) => [tab("A", [tab("B", ["title"])])],
    ".form() has a tab inside a tab. Move it out.",
  ],
  [
    "a side in a section",
    ({ section, side }: any) => [section("A", [side(["title"])])],
    ".form() has a side inside a section. Move it out.",
  ],
  [
    "a tab without a label",
    ({ tab }: any) => [tab(undefined, [])],
    '.form() has a tab without a label. Write tab("Text", ["title"]).',
  ],
  [
    "a tab without fields",
    ({ tab }: any) => [tab("A")],
    '.form() has a tab without a list of fields. Write one such as ["title"].',
  ],
  [
    "another member",
    () => [{ kind: "side", parts: [], label: "Side" }],
    'a side of .form() has no "label". Known: kind, parts.',
  ],
])("a form with %s is refused", (_, layout, problem) => {
  expect(mistakesIn(posts().form(wrong(layout)))).toEqual([`${FILE}: ${problem}`])
})

test("a form that contains itself is refused", () => {
  const parts: unknown[] = []
  parts.push({ kind: "section", label: "A", parts })

  expect(mistakesIn(posts().form(() => wrong(parts)))).toEqual([
    `${FILE}: .form() cannot be read: it contains itself, or is nested too deeply.`,
  ])
})

test("a preview that is no function is refused", () => {
  expect(mistakesIn(posts().preview(wrong("/posts")))).toEqual([
    `${FILE}: .preview() takes a function that returns an address, such as ({ record }) => record.url.`,
  ])
})

describe("of a field,", () => {
  const withField = (declare: (f: FieldSet) => unknown): Collection<any> =>
    collection("posts").fields(({ f }) => ({
      kind: f.select(["text", "video"]),
      author: f.relation("users"),
      tags: f.relation("users").manyToMany(),
      secret: f.text().hidden(),
      given: wrong(declare(f)),
    }))

  test.each([
    [
      "an unknown width",
      (f: FieldSet) => f.text().width(wrong("hlf")),
      'the width of the field "given" cannot be "hlf". Did you mean "half"?',
    ],
    [
      "a width that is no word",
      (f: FieldSet) => f.text().width(wrong(0.5)),
      'the width of the field "given" is not a text. Write one of full, half, third.',
    ],
    [
      "an unknown colour",
      (f: FieldSet) => f.select([{ value: "a", color: wrong("#ff0000") }]),
      'the color of the option "a" of the field "given" cannot be "#ff0000". Known: gray, red, orange, yellow, green, teal, blue, purple, pink.',
    ],
    [
      "a misspelled member of an option",
      (f: FieldSet) => f.select([wrong({ value: "a", colour: "red" })]),
      'the option "a" of the field "given" has no "colour". Did you mean "color"?',
    ],
    [
      "an option without a value",
      (f: FieldSet) => f.select([wrong({ label: "A" })]),
      'field "given" has an option that is neither a text nor an object with a value. Write f.select(["idea", { value: "done", label: "Done" }]).',
    ],
    [
      "an option that throws",
      (f: FieldSet) => f.select([wrong(throwing("value"))]),
      'field "given" has options that cannot be read: boom.',
    ],
    [
      "options that are no list",
      (f: FieldSet) => f.select(wrong("a")),
      'field "given" has options that are not a list. Write f.select(["idea", { value: "done", label: "Done" }]).',
    ],
    [
      "a .visible() on the items of a list",
      (f: FieldSet) => f.array(f.text().visible({ kind: "text" })),
      'field "given" has .visible() on its items, beside which there are no other values. Use it on the list, or on the parts of an object.',
    ],
    [
      "a .visible() of a part by a field of the record",
      (f: FieldSet) => f.object({ street: f.text().visible({ kind: "video" }) }),
      '.visible() of the part "street" of the field "given" is not valid: where.kind: There is no field "kind". Known: street.',
    ],
    [
      "a .visible() of a part by an option that does not exist",
      (f: FieldSet) => f.object({ side: f.select(["left", "right"]), gap: f.number().visible({ side: "lef" }) }),
      '.visible() of the part "gap" of the field "given" is not valid: where.side: Expected one of: left, right.',
    ],
    [
      "a .visible() of a part of an object in a list",
      (f: FieldSet) => f.array(f.object({ side: f.text(), gap: f.number().visible({ side: { gt: "a" } }) })),
      '.visible() of the part "gap" of the items of the field "given" is not valid: where.side.gt: The field "side" has no operator "gt".',
    ],
    [
      "a .visible() of a part in a part by a part of the outer object",
      (f: FieldSet) => f.object({ side: f.text(), inner: f.object({ gap: f.number().visible({ side: "a" }) }) }),
      '.visible() of the part "gap" of the part "inner" of the field "given" is not valid: where.side: There is no field "side". Known: gap.',
    ],
    [
      "a .visible() of a part of a block by a part of another block",
      (f: FieldSet) => f.blocks({ left: { side: f.text() }, right: { gap: f.number().visible({ side: "a" }) } }),
      '.visible() of the part "gap" of the block "right" of the field "given" is not valid: where.side: There is no field "side". Known: gap.',
    ],
    [
      "a .visible() of a part that throws",
      (f: FieldSet) => f.object({ street: f.text().visible(wrong(throwing("kind"))) }),
      '.visible() of the part "street" of the field "given" cannot be read: boom.',
    ],
    [
      "a .width() of a part that does not exist",
      (f: FieldSet) => f.object({ street: f.text().width(wrong("wide")) }),
      'the width of the part "street" of the field "given" cannot be "wide". Known: full, half, third.',
    ],
    [
      "a .visible() by an unknown field",
      (f: FieldSet) => f.text().visible({ kin: "video" }),
      '.visible() of the field "given" is not valid: where.kin: There is no field "kin". Did you mean "kind"?',
    ],
    [
      "a .visible() by a hidden field",
      (f: FieldSet) => f.text().visible({ OR: [{ secret: "x" }] }),
      '.visible() of the field "given" is not valid: where.OR.0.secret: There is no field "secret". Known: id, kind, author, tags, given, createdAt, updatedAt.',
    ],
    [
      "a .visible() by an option that does not exist",
      (f: FieldSet) => f.text().visible({ kind: "vide" }),
      '.visible() of the field "given" is not valid: where.kind: Expected one of: text, video.',
    ],
    [
      "a .visible() by a field of a related record",
      (f: FieldSet) => f.text().visible({ author: { name: "Ana" } }),
      `.visible() of the field "given" is not valid: where.author: A form knows only the record's own fields. Leave the fields of related records out.`,
    ],
    [
      "a .visible() by related records",
      (f: FieldSet) => f.text().visible({ tags: { some: { name: "Ana" } } }),
      `.visible() of the field "given" is not valid: where.tags.some: A form knows only the record's own fields. Leave the fields of related records out.`,
    ],
    [
      "a .visible() that is no filter",
      (f: FieldSet) => f.text().visible(wrong(true)),
      '.visible() of the field "given" is not valid: where: Expected an object of conditions.',
    ],
    [
      "a .visible() that throws",
      (f: FieldSet) => f.text().visible(wrong(throwing("kind"))),
      '.visible() of the field "given" cannot be read: boom.',
    ],
  ])("%s is refused", (_, declare, problem) => {
    expect(mistakesIn(withField(declare))).toEqual([`${FILE}: ${problem}`])
  })

  test("the .visible() of a part may use the other parts of its object", () => {
    const parts = (f: FieldSet) => ({
      kind: f.select(["link", "text"]),
      link: f.url().visible({ kind: "link" }).width("half"),
      inner: f.object({ on: f.boolean(), since: f.date().visible({ on: true }) }).visible({ NOT: { kind: "text" } }),
    })

    expect(mistakesIn(withField((f) => f.object(parts(f))))).toEqual([])
    expect(mistakesIn(withField((f) => f.array(f.object(parts(f)).width("third"))))).toEqual([])
  })

  test("a .visible() may ask whether a relation is empty", () => {
    expect(mistakesIn(withField((f) => f.text().visible({ author: null })))).toEqual([])
  })
})

test.each([
  [{ colour: "red" }, 'the stage "draft" of the option "workflow" has no "colour". Did you mean "color"?'],
  [
    { color: "crimson" },
    'the color of the stage "draft" cannot be "crimson". Known: gray, red, orange, yellow, green, teal, blue, purple, pink.',
  ],
])("a stage with %j is refused", (stage, problem) => {
  const workflow = { stages: { draft: wrong(stage), published: {} } }

  expect(mistakesIn(posts().options({ workflow }))).toEqual([`${FILE}: ${problem}`])
})

test("values whose code throws are mistakes", () => {
  const stages = { draft: wrong(throwing("label")), published: {} }
  const broken = posts()
    .label(wrong(throwing("en")))
    .list(throwing("columns"))
    .options({ workflow: { stages } })

  expect(mistakesIn(broken)).toEqual([
    `${FILE}: the option "workflow" cannot be read: boom.`,
    `${FILE}: the label of the collection cannot be read: boom.`,
    `${FILE}: .list() cannot be read: boom.`,
  ])
})

test.each([[{ default: "en" }], [{ default: "en", all: "en" }], [{ default: "en", all: [7] }]])(
  "with the locales %j, only the setting is a mistake",
  async (locales) => {
    const { definition } = posts().label({ en: "Posts" })
    const check = checkApp({ config: { locales: wrong(locales) }, resources: [{ file: FILE, definition }] })

    await expect(check).rejects.toThrow(/^kit\.config\.ts: the setting "locales[^\n]*$/)
  },
)

test("mistakes for people are reported together with all others", () => {
  const mistakes = mistakesIn(
    posts()
      .title("titel")
      .label("")
      .list({ columns: ["titel"], views: [{ label: "A", where: { kin: 1 } }] }),
  )

  expect(mistakes).toHaveLength(4)
})
