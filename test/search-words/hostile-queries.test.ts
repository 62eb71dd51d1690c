// @module-tag full-count
// @module-tag not-about-connections

import fc from "fast-check"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { expectQuick } from "./quick-search.ts"

const MAX_MS = 2_000

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    secret: f.text().access({ read: ({ session }) => session !== null }),
  }))
  .title("title")
  .searchable({ fields: ["body", "secret"] })
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
  await app.app.system.collections["posts"]?.create({ title: "It's a <b> test", body: "one two", secret: "hushhush" })
})

afterAll(() => app[Symbol.asyncDispose]())

// Parts of the languages that a query passes through: ours, that of tsquery, and SQL.
const PIECES = [
  ...["'", "''", "\\", "\\'", ":", ":*", ":A", ":B*", "&", "|", "!", "!!", "(", ")", "<->", "<2>", "<", ">", "-", "--"],
  ...['"', '""', "OR", "AND", "or", "NOT", "$1", ";", "--", "/*", "*/", "%", "_", "*", "\u0001", "\u0002", "\u0004"],
  ...[
    "the",
    "of",
    "test",
    "one",
    "t",
    "café",
    "全文検索",
    "😀",
    "👨‍👩‍👧",
    "شكرا",
    "İ",
    "ß",
    "ﷺ",
    "㎯",
    "\u202e",
    "\u200b",
  ],
  ...["well-known", "a-b-c-d-e-f", "https://a.b/c?d=e#f", "me@x.org", "1e400", "-1", "3.14.15", "v1.2.3-rc.4", "/a/b"],
]

const hostile = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom("", " ", "  ")), { maxLength: 60 })
    .map((parts) => parts.flat().join("").slice(0, 500).toWellFormed()),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 200 }),
)

test("no query fails, with any mode of highlights", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, fc.boolean(), async (query, highlights) => {
      const answered = await app.fetch("/search", { method: "POST", body: JSON.stringify({ query, highlights }) })
      const isValid = query.isWellFormed() && !query.includes("\0") && query.length <= 500
      expect({ query, status: answered.status }).toEqual({ query, status: isValid ? 200 : 400 })
    }),
    { numRuns: count({ short: 120, long: 400 }) },
  )
})

test("no search of find fails", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (search) => {
      const { status } = await app.fetch(`/posts?search=${encodeURIComponent(search.toWellFormed())}`)
      expect({ search, is: status < 500 }).toEqual({ search, is: true })
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test.each([
  ["a quote", "'"],
  ["a prefix operator", ":*"],
  ["a phrase operator", "<->"],
  ["an open parenthesis", "!("],
  ["backslashes", "\\\\"],
  ["many words", "word ".repeat(100)],
  ["many prefixes", "a:* ".repeat(125)],
  ["one long word", "㎯".repeat(500)],
  ["many hyphens", "a-".repeat(250)],
  ["only words that the language ignores", "the of and to in "],
  ["many negations", "-a ".repeat(166)],
  ["many alternatives", "a OR ".repeat(100)],
  ["slashes", "/".repeat(500)],
  ["an endless address", "a.b/c@d_".repeat(62)],
])("%s is answered quickly", async (_name, query) => {
  await expectQuick(app, { query, highlights: true }, MAX_MS)
})

test.each([
  ["10,000 words", "word ".repeat(10_000)],
  ["U+0000", "a\0b"],
  ["half of a character", "a\ud800"],
])("%s is refused", async (_name, query) => {
  const { status, body } = await app.fetch("/search", { method: "POST", body: JSON.stringify({ query }) })

  expect({ status, path: body.error.fieldErrors[0].path }).toEqual({ status: 400, path: "query" })
})

test("a word of a field that the caller may not read finds nothing", async () => {
  const search = await app.fetch("/search", { method: "POST", body: JSON.stringify({ query: "hushhush" }) })
  const find = await app.fetch("/posts?search=hushhush")

  expect({ search: search.body.total, find: find.body.docs }).toEqual({ search: 0, find: [] })
  expect((await app.client({ user: { id: "eva" } }).search.search({ query: "hushhush" })).total).toBe(1)
})
