import { describe, expect, test } from "vitest"
import { ALLOW, ALWAYS, EVERYTHING, type Visibility } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import {
  countMatching,
  type PageRead,
  selectMatching,
  selectPageAndNext,
  selectPageWithTotal,
} from "../../src/sql/read/select.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")
const people = resourceNamed("people")
const grown = parseWhere(people, { age: { gte: 18 } }, typedParseContext(EVERYTHING))
const grownOnly: Visibility = {
  ...EVERYTHING,
  rows: (resource) => (resource === people ? { kind: "where", predicate: grown } : ALLOW),
}

interface Options {
  where?: unknown
  columns?: unknown
  with?: unknown
  orderBy?: unknown
}

function readOf(options: Options, visibility: Visibility = EVERYTHING): PageRead {
  const reading = typedParseContext(visibility)
  return {
    selection: parseSelection(posts, { columns: { title: true }, ...options }, reading),
    predicate: options.where === undefined ? ALWAYS : parseWhere(posts, options.where, reading),
    order: parseOrder(posts, options.orderBy, reading),
    window: { limit: 10, offset: 20 },
    visibility,
  }
}

describe("a page", () => {
  test("brings its total in the same statement, counted only where the page is full", () => {
    expect(selectPageWithTotal(readOf({ where: { kind: "news" } }))).toMatchObject({
      text:
        'with _page as materialized (select t0."id" as c0, t0."title" as c1 from "posts" t0 where t0."kind" = $1 ' +
        'order by t0."createdAt" desc, t0."id" desc limit $2 offset $3) ' +
        "select _page.*, case when (select count(*) from _page) < $2 then null " +
        'else (select count(*)::int from "posts" t0 where t0."kind" = $1) end from _page',
      values: ["news", 10, 20],
    })
  })

  test("counts without the joins that only the answer and the order need", () => {
    const { text } = selectPageWithTotal(readOf({ with: { author: true }, orderBy: { author: { name: "asc" } } }))

    expect(text).toContain('else (select count(*)::int from "posts" t0) end from _page')
  })

  test("without a total reads one row more", () => {
    expect(selectPageAndNext(readOf({}))).toMatchObject({
      text: 'select t0."id" as c0, t0."title" as c1 from "posts" t0 order by t0."createdAt" desc, t0."id" desc limit $1 offset $2',
      values: [11, 20],
    })
  })
})

describe("the order", () => {
  test.each<[orderBy: unknown, keys: string]>([
    [undefined, 't0."createdAt" desc, t0."id" desc'],
    [{}, 't0."createdAt" desc, t0."id" desc'],
    [{ title: "asc" }, 't0."title" asc, t0."id" asc'],
    [{ title: "desc" }, 't0."title" desc, t0."id" desc'],
    [{ title: "asc", views: "desc" }, 't0."title" asc, t0."views" desc, t0."id" desc'],
    [[{ title: "asc" }, { id: "desc" }], 't0."title" asc, t0."id" desc'],
    [{ author: "asc" }, 't0."author" asc, t0."id" asc'],
  ])("of %j ends with the id", (orderBy, keys) => {
    expect(selectPageAndNext(readOf({ orderBy })).text).toContain(` order by ${keys} limit $1`)
  })

  test("leads through relations, and only to rows that the caller may read", () => {
    const orderBy = { author: { team: { name: "desc" } } }

    expect(selectPageAndNext(readOf({ orderBy }, grownOnly))).toMatchObject({
      text:
        'select t0."id" as c0, t0."title" as c1 from "posts" t0 ' +
        'left join "people" t1 on t1."id" = t0."author" and t1."age" >= $1 ' +
        'left join "teams" t2 on t2."id" = t1."team" order by t2."name" desc, t0."id" desc limit $2 offset $3',
      values: [18, 11, 20],
    })
  })

  test("of a collection without timestamps is by id", () => {
    const plain = resourceNamed("plain")

    expect(parseOrder(plain, undefined, typedParseContext(EVERYTHING))).toEqual([
      { through: [], field: plain.id, direction: "asc" },
    ])
  })
})

describe("a record", () => {
  test("has every field in the order of the schema", () => {
    const selection = parseSelection(resourceNamed("people"), {}, typedParseContext(EVERYTHING))

    expect(selectMatching(selection, ALWAYS)).toMatchObject({
      text: 'select t0."id" as c0, t0."name" as c1, t0."age" as c2, t0."team" as c3, t0."createdAt" as c4, t0."updatedAt" as c5 from "people" t0',
      values: [],
    })
  })

  test("brings its relations in the same statement, each under its own rule and filter", () => {
    const related = {
      author: { columns: { name: true }, where: { name: "a" }, with: { team: { columns: { id: true } } } },
    }
    const { selection } = readOf({ with: related }, grownOnly)
    const predicate = parseWhere(posts, { title: "x" }, typedParseContext(EVERYTHING))

    expect(selectMatching(selection, predicate)).toMatchObject({
      text:
        'select t0."id" as c0, t0."title" as c1, t1."id" as c2, t1."name" as c3, t2."id" as c4 from "posts" t0 ' +
        'left join "people" t1 on t1."id" = t0."author" and (t1."age" >= $2 and t1."name" = $3) ' +
        'left join "teams" t2 on t2."id" = t1."team" where t0."title" = $1',
      values: ["x", 18, "a"],
    })
  })

  test("of a global has no id among its columns", () => {
    const selection = parseSelection(resourceNamed("site"), { columns: { name: true } }, typedParseContext(EVERYTHING))

    expect(selectMatching(selection, ALWAYS).text).toBe('select t0."name" as c0 from "global_site" t0')
  })
})

test("a count reads no column", () => {
  const predicate = parseWhere(posts, { author: { name: "a" } }, typedParseContext(EVERYTHING))

  expect(countMatching(posts, predicate)).toMatchObject({
    text: 'select count(*)::int from "posts" t0 where exists (select 1 from "people" t1 where t1."id" = t0."author" and t1."name" = $1)',
    values: ["a"],
  })
})

describe("fields that are not stored", () => {
  const lists = resourceNamed("lists")
  const reading = typedParseContext(EVERYTHING)

  test("are read by their SQL, and sorted by it", () => {
    const selection = parseSelection(lists, { columns: { size: true } }, reading)
    const order = parseOrder(lists, { size: "desc" }, reading)
    const page = { selection, predicate: ALWAYS, order, window: { limit: 1, offset: 0 }, visibility: EVERYTHING }

    expect(selectPageAndNext(page).text).toBe(
      'select t0."id" as c0, (length(t0."name") + 1)::integer as c1 from "lists" t0 ' +
        'order by (length(t0."name") + 1)::integer desc, t0."id" desc limit $1 offset $2',
    )
  })

  test("are computed from all that may be read, and nothing more is read where none is asked for", () => {
    const computed = parseSelection(lists, { columns: { loud: true, name: true } }, reading)
    const plain = parseSelection(lists, { columns: { loud: false } }, reading)

    const inputs = ["tags", "prices", "moments", "parts", "size", "createdAt", "updatedAt"]
    expect(computed.fields.map(({ name }) => name)).toEqual(["id", "name", ...inputs])
    expect(computed.computed?.inputs.map(({ name }) => name)).toEqual(inputs)
    expect(plain.computed).toBeUndefined()
  })
})
