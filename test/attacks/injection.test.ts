// @module-tag not-about-connections

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AttackWorld, attackWorld } from "../support/worlds/attack-world.ts"

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const encode = encodeURIComponent
const INVALID = { status: 400, body: { error: { code: "VALIDATION_ERROR" } } }

describe("SQL in names", () => {
  const names = [
    'title"||(select version())||"',
    "title;drop table posts",
    "title)--",
    'a"b',
    "posts.title",
    "title asc",
    "*",
    "1",
    "''",
    "title\u0000",
    "TITLE",
  ]

  test.each(names)("%j is no name", async (name) => {
    const places = [
      `where[${encode(name)}]=a`,
      `orderBy[${encode(name)}]=asc`,
      `columns[${encode(name)}]=true`,
      `groupBy=${encode(name)}`,
      `groupBy[field]=${encode(name)}`,
      `with[${encode(name)}]=true`,
      `where[title][${encode(name)}]=a`,
      `where[author][is][${encode(name)}]=a`,
      `${encode(name)}=1`,
    ]
    for (const query of places) {
      const answer = await world.attack({ path: `/posts?${query}`, as: world.admin, withinMs: 50 })

      expect(answer).toMatchObject(INVALID)
      expect(answer.text).not.toMatch(/syntax error|PostgreSQL \d|does not exist/i)
    }
  })

  test.each(["asc,(select 1)", "DESC NULLS", "desc nulls first", "ASC", "", "1", "asc;drop table posts"])(
    "%j is no direction",
    async (direction) => {
      const answer = await world.attack({ path: `/posts?orderBy[title]=${encode(direction)}` })
      const grouped = await world.attack({ path: `/posts?groupBy[field]=title&groupBy[order]=${encode(direction)}` })

      expect(answer).toMatchObject(INVALID)
      expect(grouped).toMatchObject(INVALID)
    },
  )

  test.each([
    "groupBy=title%22||(select%20version())||%22",
    "limit=1;drop%20table%20posts",
    "limit=(select%201)",
    "offset=0--",
  ])("%s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}` })

    expect(answer).toMatchObject(INVALID)
    expect(answer.text).not.toMatch(/PostgreSQL \d/)
  })
})

describe("SQL in values", () => {
  const values = [
    "' or 1=1--",
    "'; drop table posts;--",
    "$1",
    "%s",
    "\\",
    "\\'",
    "E'\\x27'",
    "{}",
    "{a,b}",
    "NULL",
    '"',
    "One' and 'a'='a",
  ]

  test.each(values)("%j is only a value", async (value) => {
    for (const operator of ["eq", "contains", "startsWith", "ilike", "in][", "notIn]["].map(
      (name) => `where[title][${name}]`,
    )) {
      const answer = await world.attack({ path: `/posts/count?${operator}=${encode(value)}` })

      if (operator.includes("like") && value.endsWith("\\")) expect(answer).toMatchObject(INVALID)
      else expect(answer).toMatchObject({ status: 200, body: { count: operator.includes("notIn") ? 2 : 0 } })
    }
  })

  test("JSON operands are values too", async () => {
    for (const [operator, operand, count] of [
      ["eq", '{"color":"red"}', 2],
      ["contains", '{"color":"\'; drop table posts;--"}', 0],
      ["hasKey", "color' or '1'='1", 0],
      ["path", '{"at":"color\\"; drop table posts","eq":"red"}', 0],
      ["path", '{"at":["color","}\'::text[]"],"eq":"red"}', 0],
      ["path", '{"at":"color","eq":"red"}', 2],
    ] as const) {
      const answer = await world.attack({ path: `/posts/count?where[meta][${operator}]=${encode(operand)}` })

      expect([operand, answer.body]).toEqual([operand, { count }])
    }
  })

  test.each([
    "{",
    "nope",
    '{"at":"a"}',
    '{"eq":1}',
    '{"at":"","eq":1}',
    '{"at":"a","like":1}',
    '{"at":"a\\u0000","eq":1}',
    "[]",
    "5",
    '{"at":"a","eq":"\\ud800"}',
  ])("the JSON path %s is refused", async (operand) => {
    const answer = await world.attack({ path: `/posts?where[meta][path]=${encode(operand)}` })

    expect(answer).toMatchObject(INVALID)
  })
})

describe("wildcards", () => {
  beforeAll(async () => {
    for (const title of ["100% sure", "a_b", "back\\slash"])
      await world.app.app.system.collections["posts"]?.create({ title })
  })

  test.each([
    ["%", "100% sure"],
    ["_", "a_b"],
    ["\\", "back\\slash"],
    ["0% S", "100% sure"],
  ])("contains %j takes it literally", async (text, title) => {
    const answer = await world.attack({ path: `/posts?where[title][contains]=${encode(text)}` })

    expect(answer.body.docs.map((post: any) => post.title)).toEqual([title])
  })

  test.each([
    ["100%", ["100% sure"]],
    ["%", []],
    ["%su", ["100% sure"]],
    ["a_b ", ["a_b"]],
    ["_c", []],
  ])("the search %j takes them for punctuation", async (text, titles) => {
    const answer = await world.attack({ path: `/posts?search=${encode(text)}` })

    expect(answer.body.docs.map((post: any) => post.title)).toEqual(titles)
  })

  test("a pattern with thousands of wildcards is refused, and literal ones cost nothing", async () => {
    await world.app.app.system.collections["posts"]?.create({ title: "long", body: "a".repeat(100_000) })
    const pattern = encode("%a".repeat(2_000))

    const like = await world.attack({ path: `/posts?where[body][like]=${pattern}`, withinMs: 100 })
    const contains = await world.attack({ path: `/posts?where[body][contains]=${pattern}`, withinMs: 200 })
    const allowed = await world.attack({
      path: `/posts?where[body][ilike]=${encode(`${"%a".repeat(16)}b`)}`,
      withinMs: 500,
    })

    expect([like.status, contains.status, allowed.status]).toEqual([400, 200, 200])
  })
})

describe("search", () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ")

  test.each(["'", ":*", "<->", "!(", "\\", "a & b |", "the and of", '"', "%", "()", "&&&", "*:*"])(
    "%j is only text",
    async (text) => {
      const answer = await world.attack({ path: `/posts?search=${encode(text)}`, withinMs: 500 })

      expect(answer.status).toBe(200)
    },
  )

  test.each([
    ["thousands of words", `search=${encode(words.slice(0, 40_000))}`],
    ["a list", "search[]=a"],
    ["an object", "search[query]=a"],
    ["an operator", "search[ne]="],
  ])("%s is refused", async (_name, query) => {
    const answer = await world.attack({ path: `/posts?${query}`, withinMs: 500 })

    expect(answer.status).toBe(400)
  })
})

describe("locales", () => {
  test.each(["en'--", "../x", "__proto__", "de", "EN", "**", "", "en%00"])("?locale=%s is refused", async (locale) => {
    const answer = await world.attack({ path: `/posts?locale=${locale}`, withinMs: 50 })

    expect(answer).toMatchObject(INVALID)
  })

  test.each(["-".repeat(8_192), "en;q=".repeat(1_000), `${"a,".repeat(4_000)}`, "*;q=NaN", "\u00ff"])(
    "the Accept-Language header number %# is taken or ignored quickly",
    async (header) => {
      const answer = await world.attack({ path: "/posts", headers: { "accept-language": header }, withinMs: 50 })

      expect(answer.status).toBe(200)
    },
  )
})

describe("text that Postgres cannot hold", () => {
  test.each([
    '{"title":"a\\u0000b"}',
    '{"title":"\\ud800"}',
    '{"title":"\\udc00x"}',
    '{"title":"x","meta":{"a":"\\u0000"}}',
    '{"title":"x","meta":{"\\u0000":1}}',
    '{"title":"x","meta":["\\ud800"]}',
  ])("the body %s is refused", async (body) => {
    const answer = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })

    expect(answer).toMatchObject(INVALID)
  })

  test.each([
    "where[title]=a%00",
    "where[title][in][]=%00",
    "search=%00",
    "where[title]=%ED%A0%80",
    "where[title]=%FF",
    "where[%00]=a",
    "where[meta][hasKey]=%00",
    "%00=1",
    "where[title]=%C0%80",
    "where[title]=%",
  ])("the query %s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}` })

    expect(answer).toMatchObject(INVALID)
  })

  test("a body that is not UTF-8 is refused", async () => {
    const body = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])

    const answer = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  })
})

describe("paths", () => {
  test.each([
    "/posts/%27",
    "/posts/%2e%2e%2fusers",
    "/posts/..%2fmembers",
    "/posts/../members",
    "/posts%2Fcount",
    "/%70osts%00",
    "/posts;x=1",
    "//posts",
    "/posts//count",
    "/posts/count/",
    "/POSTS",
    "/globals",
    "/globals/__proto__",
    "/__proto__",
    "/constructor",
    "/_kit_seeds",
    "/pg_catalog",
    "/_kit/metrics",
    `/posts/${"x".repeat(10_240)}`,
  ])("%s leads to nothing", async (path) => {
    const answer = await world.attack({ path, as: world.admin })

    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
    expect(answer.text.length).toBeLessThan(1_000)
  })

  test.each(["upload", "update-batch", "delete-many", "files"])(
    "the reserved word %s never reaches a record, whatever the method",
    async (word) => {
      // The paths of bulk writes and of uploads take only POST.
      const status = ["update-batch", "delete-many", "upload"].includes(word) ? 405 : 404
      for (const attack of [{}, { method: "PATCH", body: '{"title":"x"}' }, { method: "DELETE" }]) {
        const answer = await world.attack({ ...attack, path: `/posts/${word}`, as: world.admin })

        expect(answer.status).toBe(status)
      }
    },
  )

  test.each(["PATCH", "DELETE", "POST", "PUT"])("%s on the count and on descriptions is refused", async (method) => {
    for (const word of ["count", "meta", "schema"]) {
      const answer = await world.attack({ method, path: `/posts/${word}`, body: "{}", as: world.admin })

      expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } })
    }
  })

  test.each(["GET", "PATCH", "DELETE", "PUT"])("%s on the query path is refused", async (method) => {
    const answer = await world.attack({ method, path: "/posts/query", body: "{}", as: world.admin })

    expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" } })
  })

  test.each(["/posts/%", "/posts/%ff", "/%c0%80"])("%s is not encoded correctly", async (path) => {
    const answer = await world.attack({ path })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  })
})
