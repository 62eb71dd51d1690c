import { AppMistakesError, type Collection, collection, createApp, type Global, global } from "kit"
import { describe, expect, test } from "vitest"
import { findConfigMistakes } from "../packages/kit/src/app/config.ts"
import { compileSchema } from "../packages/kit/src/schema/compile.ts"

type Source = Collection<any, any> | Global<any, any>

function mistakesOf(...sources: Source[]): string[] {
  const compiled = compileSchema(sources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })))
  return "mistakes" in compiled ? compiled.mistakes.map(({ file, message }) => `${file}: ${message}`) : []
}

type Tools = Parameters<Parameters<Collection["fields"]>[0]>[0]

const withField = (declare: (tools: Tools) => any) => collection("posts").fields((tools) => ({ x: declare(tools) }))

const named = (name: string) => collection(name).fields(({ f }) => ({ title: f.text() }))

/** A field as an author without a compiler may write it. */
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
    ["users", "belongs to identity"],
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
    ["id", "is kept by the server"],
    ["createdAt", "is kept by the server"],
    ["updatedAt", "is kept by the server"],
    ["deletedAt", "is kept by the server"],
    ["revision", "is kept by the server"],
    ["stage", "is kept by the server"],
    ["AND", "is kept by the server"],
    ["OR", "is kept by the server"],
    ["NOT", "is kept by the server"],
    ["version", 'starts with "version"'],
    ["versionNote", 'starts with "version"'],
    ["_hidden", "is not a name"],
    ["first-name", "is not a name"],
    ["__proto__x", "is not a name"],
    ["prototype", "is used by JavaScript itself"],
    ["ctid", "is kept by the database"],
    ["xmin", "is kept by the database"],
    ["tableoid", "is kept by the database"],
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
    ["search in a number", withField(({ f }) => f.number()).searchable({ fields: ["x"] }), "which is not text"],
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
