import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    section: f.select(["news", "sport"]),
    price: f.number(),
    secret: f.text().hidden(),
    costs: f.number().access({ read: ({ session }) => session?.user.id === "eva" }),
  }))
  .title("title")
  .searchable({ fields: ["body"], facets: ["section", "price", "costs"] })
  .access({ read: true })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .searchable({})
  .access({ read: ({ session }) => session !== null })

const plain = collection("plain")
  .fields(({ f }) => ({ title: f.text() }))
  .title("title")
  .access({ read: true })

const vault = collection("vault")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .searchable({})

const eva: Session = { user: { id: "eva" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, people, plain, vault] })
})

afterAll(() => app[Symbol.asyncDispose]())

async function post(body: unknown, session?: Session) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return await app.fetch("/search", { method: "POST", body: text, ...(session && { session }) })
}

/** Returns the path and the message of the field error with which the search is refused. */
async function refusal(body: unknown, session?: Session) {
  const { status, body: answer } = await post(body, session)
  expect({ status, code: answer.error.code }).toEqual({ status: 400, code: "VALIDATION_ERROR" })
  const [{ path, message }] = answer.error.fieldErrors
  return `${path}: ${message}`
}

describe("a member of a wrong type", () => {
  const ROWS: [unknown, string][] = [
    [{}, "query: Expected a text. An empty one finds all records, the newest first."],
    [{ query: null }, "query: Expected a text. An empty one finds all records, the newest first."],
    [{ query: 7 }, "query: Expected a text. An empty one finds all records, the newest first."],
    [{ query: "a\0b" }, "query: Expected well-formed text without U+0000."],
    ['{"query":"\\ud800"}', "query: Expected well-formed text without U+0000."],
    [{ query: "x".repeat(501) }, "query: Search for at most 500 characters."],
    [{ query: "", mode: "fuzzy" }, "mode: Expected one of: lexical, semantic, hybrid."],
    [{ query: "", limit: 0 }, "limit: Expected a whole number from 1 to 100."],
    [{ query: "", limit: 101 }, "limit: Expected a whole number from 1 to 100."],
    [{ query: "", limit: "10" }, "limit: Expected a whole number from 1 to 100."],
    [{ query: "", offset: -1 }, "offset: Expected a whole number from 0 to 10000."],
    [{ query: "", offset: 10_001 }, "offset: Expected a whole number from 0 to 10000."],
    [{ query: "", offset: 1.5 }, "offset: Expected a whole number from 0 to 10000."],
    [{ query: "", collections: "posts" }, "collections: Expected a list of names of collections."],
    [{ query: "", collections: [] }, "collections: The list is empty. Leave it out to search all collections."],
    [{ query: "", collections: ["posts", 1] }, "collections.1: Expected the name of a collection."],
    [{ query: "", collections: ["posts", "posts"] }, 'collections.1: "posts" is in the list already.'],
    [{ query: "", where: [] }, 'where: Expected a filter for each collection, such as { posts: { status: "new" } }.'],
    [{ query: "", highlights: "yes" }, "highlights: Expected true or false."],
    [{ query: "", stage: 1 }, "stage: Expected the name of a stage."],
    [{ query: "", stage: "published" }, "stage: No searched collection has this stage."],
    [{ query: "", locale: "xx" }, "locale: Expected one of: en; or * for all of them."],
    [{ query: "", locale: "*" }, "locale: A search reads one locale. Name it."],
    [{ query: "", localeFallback: 1 }, "localeFallback: Expected true or false."],
    [{ query: "", querry: "" }, 'querry: There is no "querry" here. Did you mean "query"?'],
  ]

  test.each(ROWS)("is named with its path: %j", async (body, problem) => {
    expect(await refusal(body)).toBe(problem)
  })

  test.each([[[]], ["null"], ['"text"'], [JSON.stringify([1])]])("as the body is refused: %s", async (body) => {
    expect((await post(body)).status).toBe(400)
  })

  test("is refused in the query string, where options have no place", async () => {
    const { status, body } = await app.fetch("/search?limit=3", { method: "POST", body: '{"query":""}' })

    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual([{ path: "limit", message: "Send the options in the body." }])
  })
})

describe("a search by meaning", () => {
  test.each(["semantic", "hybrid"])("%s says what to configure in an app without an embedder", async (mode) => {
    expect(await refusal({ query: "x", mode })).toBe(
      `mode: A ${mode} search needs an embedder. Set "search.embedder" in the configuration of the app.`,
    )
  })
})

describe("a collection that cannot be searched", () => {
  test("is refused like one that does not exist, whatever the reason", async () => {
    for (const name of ["plain", "vault", "people", "nothing"]) {
      const found = await refusal({ query: "", collections: ["posts", name] })

      expect(found).toBe(`collections.1: There is no collection "${name}" to search. Known: posts.`)
    }
  })

  test("is suggested only to those who may read it", async () => {
    expect(await refusal({ query: "", collections: ["peple"] })).toMatch(/Known: posts\.$/)
    expect(await refusal({ query: "", collections: ["peple"] }, eva)).toMatch(/Did you mean "people"\?$/)
  })

  test("is left out of a search that names no collections", async () => {
    const { status, body } = await post({ query: "" })

    expect(status).toBe(200)
    expect(body).toEqual({ docs: [], total: 0 })
  })
})

describe("a filter", () => {
  const ROWS: [object, string][] = [
    [{ posts: { titel: "x" } }, 'where.posts.titel: There is no field "titel". Did you mean "title"?'],
    [{ posts: { title: { contans: "x" } } }, "where.posts.title.contans: "],
    [{ posts: { secret: "x" } }, 'where.posts.secret: There is no field "secret".'],
    [{ posts: { costs: 1 } }, 'where.posts.costs: There is no field "costs".'],
    [{ posts: [] }, "where.posts: "],
    [{ posts: null }, "where.posts: "],
    [{ plain: {} }, 'where.plain: "plain" is not a searched collection. Known: posts.'],
    [{ people: {} }, 'where.people: "people" is not a searched collection. Known: posts.'],
    [{ vault: {} }, 'where.vault: "vault" is not a searched collection. Known: posts.'],
  ]

  test.each(ROWS)("with a mistake is refused with the path of find: %j", async (where, problem) => {
    expect(await refusal({ query: "", where })).toContain(problem)
  })

  test("for a collection that is not among those named is refused", async () => {
    expect(await refusal({ query: "", collections: ["posts"], where: { people: {} } }, eva)).toBe(
      'where.people: "people" is not a searched collection. Known: posts.',
    )
  })
})

describe("a facet", () => {
  const ROWS: [unknown, string][] = [
    [{}, 'facets: Expected a list such as [{ field: "section" }].'],
    [["section"], 'facets.0: Expected an object such as { field: "section" }.'],
    [[{}], "facets.0.field: Expected the name of a field."],
    [[{ field: "section", limt: 1 }], 'facets.0.limt: There is no "limt" here. Did you mean "limit"?'],
    [[{ field: "section", limit: 0 }], "facets.0.limit: Expected a whole number from 1 to 100."],
    [[{ field: "section", limit: 101 }], "facets.0.limit: Expected a whole number from 1 to 100."],
    [[{ field: "section", sortBy: "name" }], 'facets.0.sortBy: Expected "count" or "value".'],
    [[{ field: "section" }, { field: "section" }], 'facets.1.field: "section" is in the list already.'],
    [Array.from({ length: 21 }, () => ({ field: "section" })), "facets: Request at most 20 facets."],
    [
      [{ field: "price", ranges: [] }],
      "facets.0.ranges: Expected a list of 1 to 50 ranges such as { from: 10, to: 20 }.",
    ],
    [[{ field: "price", ranges: [{}] }], "facets.0.ranges.0: Give from, to or both."],
    [
      [{ field: "price", ranges: [{ form: 1 }] }],
      'facets.0.ranges.0.form: There is no "form" here. Did you mean "from"?',
    ],
    [[{ field: "price", ranges: [{ from: "x" }] }], "facets.0.ranges.0.from: "],
    [[{ field: "price", ranges: [{ to: null }] }], "facets.0.ranges.0.to: "],
    [[{ field: "price", ranges: [{ from: 2, to: 2 }] }], "facets.0.ranges.0: Expected from to be less than to."],
    [[{ field: "price", ranges: [{ from: 3, to: 2 }] }], "facets.0.ranges.0: Expected from to be less than to."],
    [[{ field: "section", ranges: [{ from: 1 }] }], 'facets.0.ranges.0: "section" has no ranges.'],
    [[{ field: "price", ranges: [{ from: 1 }], limit: 3 }], "facets.0.limit: Ranges are all counted"],
    [[{ field: "price", ranges: [{ from: 1 }], sortBy: "count" }], "facets.0.sortBy: Ranges are all counted"],
    [[{ field: "sektion" }], 'facets.0.field: There is no facet "sektion". Did you mean "section"?'],
  ]

  test.each(ROWS)("with a mistake is refused with its path: %j", async (facets, problem) => {
    expect(await refusal({ query: "", facets })).toContain(problem)
  })

  test("over a field that the caller may not read is refused like one that does not exist", async () => {
    for (const field of ["costs", "secret", "title", "nothing"]) {
      expect(await refusal({ query: "", facets: [{ field }] })).toBe(
        `facets.0.field: There is no facet "${field}". Known: section, price.`,
      )
    }
    expect((await post({ query: "", facets: [{ field: "costs" }] }, eva)).body.facets).toEqual({ costs: [] })
  })
})

test("a description names the facets of a searchable collection that the caller may know", async () => {
  const searchOf = async (name: string, session?: Session) =>
    (await app.client(session).collections[name].meta()).search

  expect(await searchOf("posts")).toEqual({ facets: ["section", "price"] })
  expect(await searchOf("posts", eva)).toEqual({ facets: ["section", "price", "costs"] })
  expect(await searchOf("plain")).toBeNull()
})

test("GET and other methods on the path are refused", async () => {
  expect((await app.fetch("/search")).status).toBe(405)
})
