// @module-tag not-about-engine

import { AppMistakesError, type Collection, collection, createApp, type Global, global } from "kit"
import { describe, expect, test } from "vitest"
import { findConfigMistakes } from "../../packages/kit/src/app/config/settings/find-config-mistakes.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"

type Source = Collection<any> | Global<any>

function mistakesOf(...sources: Source[]): string[] {
  const compiled = compileSchema(sources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })))
  return "mistakes" in compiled ? compiled.mistakes.map(({ file, message }) => `${file}: ${message}`) : []
}

type Tools = Parameters<Parameters<Collection["fields"]>[0]>[0]

const withField = (declare: (tools: Tools) => any) => collection("posts").fields((tools) => ({ x: declare(tools) }))

const named = (name: string) => collection(name).fields(({ f }) => ({ title: f.text() }))

/** A value as an author without a type checker may write it. */
const untyped = (value: unknown) => value as never

describe("names", () => {
  test.each([
    ["globals", "is a path of the API"],
    ["auth", "is a path of the API"],
    ["search", "is a path of the API"],
    ["realtime", "is a path of the API"],
    ["channels", "is a path of the API"],
    ["crdt", "is a path of the API"],
    ["transaction", "is a path of the API"],
    ["health", "is a path of the API"],
    ["pg_class", "which the database reserves"],
    ["_posts", "is not a name"],
    ["blog-posts", "is not a name"],
    ["1st", "is not a name"],
    ["", "is not a name"],
    ['a"b', "is not a name"],
    ["constructor", "is used by JavaScript itself"],
    ["toString", "is used by JavaScript itself"],
    ["a".repeat(64), "is longer than 63 characters"],
  ])("a resource may not be called %s", (name, reason) => {
    const asGlobal = global(name).fields(({ f }) => ({ title: f.text() }))

    expect(mistakesOf(named(name))).toEqual([expect.stringContaining(reason)])
    expect(mistakesOf(asGlobal)).toEqual([expect.stringContaining(reason)])
  })

  test.each([
    ["id", "is reserved by the server"],
    ["createdAt", "is reserved by the server"],
    ["updatedAt", "is reserved by the server"],
    ["deletedAt", "is reserved by the server"],
    ["revision", "is reserved by the server"],
    ["stage", "is reserved by the server"],
    ["AND", "is reserved by the server"],
    ["OR", "is reserved by the server"],
    ["NOT", "is reserved by the server"],
    ["version", 'starts with "version"'],
    ["versionNote", 'starts with "version"'],
    ["_hidden", "is not a name"],
    ["first-name", "is not a name"],
    ["__proto__x", "is not a name"],
    ["prototype", "is used by JavaScript itself"],
    ["ctid", "is reserved by the database"],
    ["xmin", "is reserved by the database"],
    ["tableoid", "is reserved by the database"],
    ["a".repeat(64), "is longer than 63 characters"],
  ])("a field may not be called %s", (name, reason) => {
    const posts = collection("posts").fields(({ f }) => ({ [name]: f.text() }))

    expect(mistakesOf(posts)).toEqual([expect.stringContaining(`posts.ts: field "${name}": `)])
    expect(mistakesOf(posts)).toEqual([expect.stringContaining(reason)])
  })

  test("a name may be used once", () => {
    const twice = mistakesOf(named("posts"), named("posts"))
    const sameTable = mistakesOf(
      global("site").fields(({ f }) => ({ a: f.text() })),
      named("global_site"),
    )

    expect(twice).toEqual(['posts.ts: collection "posts" is already declared in posts.ts. Rename one of them.'])
    expect(sameTable).toEqual([expect.stringContaining('collection "global_site"')])
    expect(sameTable[0]).toContain("Rename one of them.")
  })

  test("a collection and a global may share a name", () => {
    expect(
      mistakesOf(
        named("site"),
        global("site").fields(({ f }) => ({ a: f.text() })),
      ),
    ).toEqual([])
  })
})

describe("fields", () => {
  test.each<[string, Source, string]>([
    [
      "no fields",
      collection("posts"),
      'collection "posts" has no fields. Add .fields(({ f }) => ({ title: f.text() })).',
    ],
    [
      "something that is no field",
      collection("posts").fields(({ f }) => ({ a: f.text(), title: untyped("text"), body: untyped(f.text) })),
      'field "title" is not a field. Write it as a call such as f.text().',
    ],
    [
      "an empty select",
      withField(({ f }) => f.select([])),
      'field "x" has no options. Give at least one: f.select(["draft", "done"]).',
    ],
    [
      "an option twice",
      withField(({ f }) => f.select(["a", "a"])),
      'field "x" lists the option "a" twice. Remove one.',
    ],
    ["an empty option", withField(({ f }) => f.select(["a", ""])), 'field "x" has an empty option.'],
    ["a default that is no option", withField(({ f }) => f.select(["a"]).default(untyped("b"))), "Expected one of: a."],
    ["a default of the wrong type", withField(({ f }) => f.number().default(untyped("5"))), "Expected a number."],
    ["a default that is too long", withField(({ f }) => f.text(2).default("abc")), "at most 2 characters"],
    ["a default of null", withField(({ f }) => f.text().default(untyped(null))), "has a default that does not fit"],
    ["a default out of bounds", withField(({ f }) => f.number().max(1).default(2)), "Must be at most 1."],
    [
      "a date that does not exist",
      withField(({ f }) => f.datetime().default("2026-02-30")),
      "Expected a date and time",
    ],
    ["a length that is none", withField(({ f }) => f.text(-1)), "max(-1) is not a length"],
    ["a fractional length", withField(({ f }) => f.text().min(1.5)), "min(1.5) is not a length"],
    ["bounds that leave nothing", withField(({ f }) => f.text(2).min(3)), "min(3) is above max(2). Swap them."],
    [
      "a bound that is a text",
      withField(({ f }) => f.number().decimal(8, 2).min(JSON.parse('"0"'))),
      'min("0") is not a number. Give a bound.',
    ],
    ["numbers between nothing", withField(({ f }) => f.number().min(3).max(2)), "min(3) is above max(2). Swap them."],
    ["a bound that is no number", withField(({ f }) => f.number().min(Number.NaN)), "min(NaN) is not a number"],
    ["a pattern with a memory", withField(({ f }) => f.text().pattern(/a/g)), "has the flag g or y"],
    ["a decimal of no digits", withField(({ f }) => f.number().decimal(0, 0)), "1 ≤ precision ≤ 1000"],
    ["a decimal with too large a scale", withField(({ f }) => f.number().decimal(2, 3)), "0 ≤ scale ≤ precision"],
    ["unique JSON", withField(({ f }) => f.json().unique()), "is JSON and cannot be unique"],
    [
      "a rule of an unknown operation",
      withField(({ f }) => f.text().access(untyped({ raed: true }))),
      'access rule for "raed"',
    ],
    [
      "a rule that is none",
      withField(({ f }) => f.text().access(untyped({ read: "yes" }))),
      "neither true, false nor a function",
    ],
    [
      "a check that is none",
      withField(({ f }) => f.text().validate(untyped({}))),
      "neither a function nor a Standard Schema",
    ],
    [
      "an unknown target",
      withField(({ f }) => f.relation("pots")),
      'field "x" points to collection "pots", which does not exist. Did you mean "posts"?',
    ],
  ])("%s is a mistake with its file, name and fix", (_name, source, message) => {
    expect(mistakesOf(source)[0]).toContain("posts.ts: ")
    expect(mistakesOf(source)[0]).toContain(message)
  })

  test("a relation cannot point to a global", () => {
    const site = global("site").fields(({ f }) => ({ a: f.text() }))

    expect(
      mistakesOf(
        withField(({ f }) => f.relation("site")),
        site,
      ),
    ).toEqual(['posts.ts: field "x" points to collection "site", which does not exist. Known: posts.'])
  })

  test("what is right is no mistake", () => {
    const posts = collection("posts").fields(({ f }) => ({
      a: f.text(5).min(5).default("12345"),
      b: f.number().decimal(4, 2).default("12.34").min(-1).max(20n),
      c: f.select(["x"]).default("x").required(),
      d: f.datetime().default(() => new Date()),
      e: f.relation("posts").unique().index(),
      f: f.json<object>().default({}),
    }))

    expect(mistakesOf(posts)).toEqual([])
  })
})

describe("fields of fields", () => {
  test.each<[string, Source, string]>([
    ["a list of nothing", withField(({ f }) => f.array(untyped(undefined))), "declares its items without a field"],
    [
      "a list of relations",
      withField(({ f }) => f.array(f.relation("posts"))),
      "is a list of relations. Declare a relation to many",
    ],
    ["a list of unique items", withField(({ f }) => f.array(f.text().unique())), "has .unique() on its items"],
    ["items with a default", withField(({ f }) => f.array(f.text().default("a"))), "gives its items a default"],
    ["a mistake in an item", withField(({ f }) => f.array(f.text(-1))), "in its items: max(-1) is not a length"],
    ["a list of computed items", withField(({ f }) => f.array(f.computed(() => 1))), "computes its items"],
    ["a list with bounds that leave nothing", withField(({ f }) => f.array(f.text()).min(3).max(2)), "Swap them."],
    ["a list of a fraction of items", withField(({ f }) => f.array(f.text()).max(1.5)), "max(1.5) is not a number of"],
    ["a default with a wrong item", withField(({ f }) => f.array(f.text()).default(untyped(["a", 5]))), "1: Expected"],
    ["a unique list of objects", withField(({ f }) => f.array(f.object({ a: f.text() })).unique()), "cannot be unique"],
    ["an object without parts", withField(({ f }) => f.object({})), "has no parts. Give at least one"],
    ["an object of nothing", withField(({ f }) => f.object(untyped(undefined))), "has no parts. Give at least one"],
    ["a part that is no field", withField(({ f }) => f.object(untyped({ a: 5 }))), 'its part "a" without a field'],
    ["a part without a name", withField(({ f }) => f.object({ "a.b": f.text() })), '"a.b" is not a name'],
    ["a hidden part", withField(({ f }) => f.object({ a: f.text().hidden() })), 'has .hidden() on its part "a"'],
    [
      "a part with a rule",
      withField(({ f }) => f.object({ a: f.text().access({ read: true }) })),
      'has .access() on its part "a"',
    ],
    [
      "a part with a wrong default",
      withField(({ f }) => f.object({ a: f.number().default(untyped("x")) })),
      'default of its part "a" that does not fit: Expected a number.',
    ],
    ["blocks of nothing", withField(({ f }) => f.blocks(untyped(undefined))), "has no blocks. Give at least one"],
    ["no block", withField(({ f }) => f.blocks({})), "has no blocks. Give at least one"],
    [
      "a block that is a field",
      withField(({ f }) => f.blocks(untyped({ a: f.text() }))),
      'its block "a" without an object',
    ],
    [
      "a block of nothing",
      withField(({ f }) => f.blocks({ a: f.block(untyped(null)) })),
      'its block "a" without an object',
    ],
    [
      "a block without a name",
      withField(({ f }) => f.blocks({ "a b": {} })),
      'a block with an invalid name: "a b" is not',
    ],
    [
      "a member that is no field",
      withField(({ f }) => f.blocks(untyped({ a: { b: 5 } }))),
      '"b" of its block "a" without a',
    ],
    ["a member called type", withField(({ f }) => f.blocks({ a: { type: f.text() } })), 'has its own "type"'],
    ["a member called id", withField(({ f }) => f.blocks({ a: f.block({ id: f.text() }) })), 'has its own "id"'],
    ["a member called NOT", withField(({ f }) => f.blocks({ a: { NOT: f.text() } })), "has a meaning in filters"],
    ["a member without a name", withField(({ f }) => f.blocks({ a: { "b.c": f.text() } })), '"b.c" is not a name'],
    [
      "a unique member",
      withField(({ f }) => f.blocks({ a: { b: f.text().unique() } })),
      'has .unique() on "b" of its block "a"',
    ],
    ["an indexed member", withField(({ f }) => f.blocks({ a: { b: f.text().index() } })), 'has .index() on "b" of its'],
    [
      "a localized member",
      withField(({ f }) => f.blocks({ a: { b: f.text().localized() } })),
      'has .localized() on "b" of its',
    ],
    ["a hidden member", withField(({ f }) => f.blocks({ a: { b: f.text().hidden() } })), 'has .hidden() on "b" of its'],
    [
      "a member with a rule",
      withField(({ f }) => f.blocks({ a: { b: f.text().access({ read: true }) } })),
      'has .access() on "b"',
    ],
    [
      "a collaborative member",
      withField(({ f }) => f.blocks({ a: { b: f.textarea().collaborative() } })),
      "Only a whole field is",
    ],
    [
      "a relation in a block that would delete the record",
      withField(({ f }) => f.blocks({ a: { b: f.relation("posts").onDelete("cascade") } })),
      'has .onDelete("cascade") on "b" of its block "a"',
    ],
    [
      "an upload in a block to a collection without files",
      withField(({ f }) => f.blocks({ a: { b: f.upload("posts") } })),
      'has a part "a.b" that points to collection "posts", which has no files',
    ],
    [
      "a computed member",
      withField(({ f }) => f.blocks({ a: { b: f.computed(() => 1) } })),
      'computes "b" of its block "a"',
    ],
    [
      "a member with a wrong default",
      withField(({ f }) => f.blocks({ a: { b: f.number().default(untyped("x")) } })),
      'default of "b" of its block "a" that does not fit: Expected a number.',
    ],
    [
      "a member with a default that takes the context",
      withField(({ f }) => f.blocks({ a: { b: f.text().default(({ locale }) => locale) } })),
      'default of "b" of its block "a" that takes the context',
    ],
    ["blocks with bounds that leave nothing", withField(({ f }) => f.blocks({ a: {} }).min(3).max(2)), "Swap them."],
    ["blocks of a fraction", withField(({ f }) => f.blocks({ a: {} }).max(1.5)), "max(1.5) is not a number of"],
    [
      "a default without a type",
      withField(({ f }) => f.blocks({ a: {} }).default(untyped([{}]))),
      "0.type: Expected the name",
    ],
    ["unique blocks", withField(({ f }) => f.blocks({ a: {} }).unique()), "is JSON and cannot be unique"],
    ["indexed blocks", withField(({ f }) => f.blocks({ a: {} }).index()), "for which no index helps"],
    [
      "blocks in five levels",
      withField(({ f }) =>
        f.blocks({
          a: {
            b: f.blocks({
              a: { b: f.object({ c: f.blocks({ a: { b: f.array(f.blocks({ a: { b: f.blocks({ a: {} }) } })) } }) }) },
            }),
          },
        }),
      ),
      "nests blocks in more than 4 levels",
    ],
    [
      "a block with a label of nothing",
      withField(({ f }) => f.blocks({ a: f.block({}).label(" ") })),
      'the label of the block "a" of the field "x" is empty',
    ],
    [
      "a block with a bad icon",
      withField(({ f }) => f.blocks({ a: f.block({}).icon("A B") })),
      '.icon() of the block "a" of the field "x" takes',
    ],
    [
      "a member of a block with a label of nothing",
      withField(({ f }) => f.blocks({ a: { b: f.text().label("") } })),
      'the label of the part "b" of the block "a" of the field "x" is empty',
    ],
    ["an empty multiple select", withField(({ f }) => f.select([]).multiple()), "has no options"],
    [
      "a default of one option",
      withField(({ f }) => f.select(["a"]).default("a").multiple()),
      "has a default that does not fit: Expected a list.",
    ],
    ["nothing to compute with", withField(({ f }) => f.computed(untyped("x"))), "is computed without a function"],
    ["an indexed computed field", withField(({ f }) => f.computed(() => 1).index()), "cannot have .index()"],
    ["a virtual field without a type", withField(({ f }) => f.virtual(untyped("integer"), "1")), "without a type"],
    ["a virtual relation", withField(({ f }) => f.virtual(f.relation("posts"), "1")), "that SQL cannot return"],
    ["a virtual field without SQL", withField(({ f }) => f.virtual(f.text(), " ")), "is virtual without SQL"],
    ["two statements", withField(({ f }) => f.virtual(f.text(), "'a'; drop table posts")), "with ;, $ or a comment"],
    ["a parameter", withField(({ f }) => f.virtual(f.text(), "$1")), "with ;, $ or a comment"],
    ["a comment", withField(({ f }) => f.virtual(f.text(), "'a' -- ")), "with ;, $ or a comment"],
    ["an open quote", withField(({ f }) => f.virtual(f.text(), "'a")), "a quote that is not closed"],
    ["an escape string", withField(({ f }) => f.virtual(f.text(), "E'a\\' || '")), "or an escape string"],
    [
      "a column that does not exist",
      withField(({ f }) => f.virtual(f.text(), 'lower("createdBy")')),
      'the SQL of the field "x" names the field "createdBy", which does not exist.',
    ],
    ["a default of what is virtual", withField(({ f }) => f.virtual(f.text().default("a"), "'a'")), ".default()"],
  ])("%s is a mistake with its fix", (_name, source, message) => {
    expect(mistakesOf(source)).toEqual([expect.stringContaining('field "x"')])
    expect(mistakesOf(source)[0]).toContain(message)
  })

  test("an index of what is not stored is a mistake", () => {
    const posts = withField(({ f }) => f.virtual(f.text(), "'a'")).indexes([{ fields: ["x"] }])

    expect(mistakesOf(posts)).toEqual([expect.stringContaining('.indexes() names the field "x"')])
  })

  test("what is right is no mistake", () => {
    const posts = collection("posts")
      .fields(({ f }) => ({
        a: f.array(f.object({ id: f.number().bigint().required(), list: f.array(f.text()).default([]) })).index(),
        b: f.object({ stage: f.select(["x"]).multiple(), inner: f.object({ at: f.datetime() }).required() }),
        c: f.array(f.number().decimal(5, 2)).unique().min(0).max(0).default([]),
        d: f.virtual(f.text(), `'it''s "x"; $1 -- ' || "id"::text || "createdAt"::text`),
        e: f.computed(({ row }) => String(row["id"])).hidden(),
        g: f
          .blocks({ a: { stage: f.blocks({ a: { b: f.blocks({ a: { b: f.blocks({ text: {} }) } }) } }) } })
          .default([]),
      }))
      .title("d")

    expect(mistakesOf(posts)).toEqual([])
  })
})

describe("a collection", () => {
  test.each<[string, Source, string]>([
    [
      "title of an unknown field",
      named("posts").title(untyped("tilte")),
      'which does not exist. Did you mean "title"?',
    ],
    [
      "title that is no text",
      withField(({ f }) => f.number()).title(untyped("x")),
      '.title() names the field "x", which is not text.',
    ],
    [
      "search in an unknown field",
      named("posts").searchable({ fields: ["bdy"] }),
      '.searchable() names the field "bdy"',
    ],
    [
      "search in a field that nobody may read",
      withField(({ f }) => f.text().access({ read: false })).searchable({ fields: ["x"] }),
      '.searchable() names the field "x", whose read rule is false',
    ],
    [
      "search without a list",
      named("posts").searchable(untyped({ fields: "title" })),
      ".searchable() needs a list of field names",
    ],
    [
      "search by an unknown setting",
      named("posts").searchable(untyped({ fields: ["title"], field: "title" })),
      '.searchable() has no "field". Did you mean "fields"?',
    ],
    [
      "title that is hidden",
      withField(({ f }) => f.text().hidden()).title(untyped("x")),
      '.title() names the field "x", which is hidden',
    ],
    ["search in a number", withField(({ f }) => f.number()).searchable({ fields: ["x"] }), "which is not stored text"],
    [
      "index of an unknown field",
      named("posts").indexes([{ fields: ["titel"] }]),
      '.indexes() names the field "titel"',
    ],
    ["index of nothing", named("posts").indexes([{ fields: [] }]), ".indexes() has an index without fields"],
    [
      "index of timestamps that are off",
      named("posts")
        .options({ timestamps: false })
        .indexes([{ fields: ["createdAt"] }]),
      '.indexes() names the field "createdAt"',
    ],
    [
      "rule of an unknown operation",
      named("posts").access(untyped({ raed: true })),
      'no operation "raed". Did you mean "read"?',
    ],
    [
      "rule that is a filter",
      named("posts").access(untyped({ read: { title: "x" } })),
      "must be true, false or a function",
    ],
    ["rule that is text", named("posts").access(untyped({ read: "everyone" })), 'the access rule "read" must be'],
    [
      "unknown option",
      named("posts").options(untyped({ timestamp: false })),
      'no option "timestamp". Did you mean "timestamps"?',
    ],
  ])("with the %s is a mistake", (_name, source, message) => {
    expect(mistakesOf(source)).toEqual([expect.stringContaining(message)])
  })

  test("may index its timestamps", () => {
    expect(mistakesOf(named("posts").indexes([{ fields: ["title", "createdAt"] }]))).toEqual([])
  })
})

describe("an app", () => {
  test("is refused with all its mistakes at once, before it touches a database", async () => {
    const posts = collection("posts")
      .fields(({ f }) => ({ id: f.text(), author: f.relation("people"), kind: f.select([]) }))
      .access(untyped({ reed: true }))
    const site = global("search").fields(({ f }) => ({ name: f.text(2).default("long") }))
    const resources = [posts, site].map(({ definition }) => ({ file: `src/${definition.name}.ts`, definition }))

    const started = createApp({
      resources,
      config: { db: { url: "postgres://nobody@127.0.0.1:1/none" } },
      root: "/nowhere",
    })

    await expect(started).rejects.toBeInstanceOf(AppMistakesError)
    const error = (await started.catch((reason: unknown) => reason)) as AppMistakesError
    expect(error.mistakes.map(({ file }) => file)).toEqual([
      ...Array(3).fill("src/posts.ts"),
      ...Array(2).fill("src/search.ts"),
      "src/posts.ts",
    ])
    expect(error.message.split("\n")).toHaveLength(6)
    expect(error.message).toContain('src/posts.ts: field "kind" has no options')
  })

  test.each<[string, unknown, string]>([
    ["a setting that does not exist", { basepath: "/x" }, 'there is no setting "basepath". Did you mean "basePath"?'],
    ["a mount path with spaces", { basePath: "/a b" }, 'the setting "basePath" must be a path such as "/api".'],
    ["a short secret", { secret: "short" }, 'the setting "secret" must be a text of at least 16 characters.'],
    ["text for an object", { db: "postgres://x" }, 'the setting "db" must be an object.'],
    ["no object at all", 5, "the default export is not a configuration."],
    ["nothing", undefined, "the default export is not a configuration."],
    ["a part of a setting that does not exist", { db: { ulr: "postgres://x" } }, 'there is no setting "db.ulr".'],
  ])("%s is a mistake of the configuration", (_name, config, message) => {
    expect(findConfigMistakes(config)).toEqual([expect.stringContaining(message)])
  })

  test("an empty configuration is fine", () => {
    expect(findConfigMistakes({})).toEqual([])
    expect(findConfigMistakes({ db: undefined, basePath: "/api/v1" })).toEqual([])
  })
})

test("a field of another copy of kit is told from what is no field", async () => {
  // The built package is a different copy from the sources.
  const other: typeof import("kit") = await import("../../packages/kit/dist/bundle/index.js" as string)

  const mistakes = mistakesOf(other.collection("extras").fields(({ f }) => ({ name: f.text() })))

  expect(mistakes).toEqual([expect.stringContaining('extras.ts: field "name" was made by another copy of kit')])
})
