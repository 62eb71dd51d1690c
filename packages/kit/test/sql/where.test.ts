import { describe, expect, test } from "vitest"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { ALLOW, DENY, EVERYTHING, type Visibility } from "../../src/sql/filter/predicate.ts"
import { whereSql } from "../../src/sql/filter/where.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { Parameters } from "../../src/sql/text/fragment.ts"
import { resourceNamed } from "./newsroom.ts"

const ID = "01890000-0000-7000-8000-00000000000a"

const LETTERS = [..."abcdefghijklmnopqrstu"]

function sqlOf(
  where: unknown,
  visibility: Visibility = EVERYTHING,
  name = "posts",
): { text: string; values: unknown[] } {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const predicate = parseWhere(resourceNamed(name), where, typedParseContext(visibility))
  return { text: whereSql(predicate, alias, parameters), values: parameters.values }
}

describe("a field that a rule shows in some rows", () => {
  const posts = resourceNamed("posts")
  const people = resourceNamed("people")
  const mask = parseWhere(posts, { kind: "news" }, typedParseContext(EVERYTHING))
  const fields = new Map([...posts.fields].map(([name, field]) => [name, maskedField(field, mask)]))
  const visibility = { ...EVERYTHING, fields: (resource: object) => (resource === posts ? fields : people.fields) }

  test.each<[where: unknown, text: string]>([
    [{ title: "a" }, '(t0."kind" = $1 and t0."title" = $2)'],
    [{ views: { gt: 1 } }, '(t0."kind" = $1 and t0."views" > $2)'],
    [{ title: { ne: "a" } }, '(case when t0."kind" = $1 then t0."title" end) is distinct from $2'],
    [{ title: null }, '(case when t0."kind" = $1 then t0."title" end) is null'],
    [{ meta: { path: { at: "a", ne: 1 } } }, '(case when t0."kind" = $1 then t0."meta" end) #> $2::text[]'],
    [{ author: { is: { age: 5 } } }, '(t0."kind" = $1 and exists (select 1 from "people" t1'],
    [{ author: { isNot: { age: 5 } } }, '((t0."kind" = $1) is not true or not exists (select 1 from "people" t1'],
  ])("%j has no value in the others", (where, text) => {
    expect(sqlOf(where, visibility).text).toContain(text)
  })
})

describe("operators", () => {
  test.each<[where: unknown, text: string, ...values: unknown[]]>([
    [{ title: "a" }, 't0."title" = $1', "a"],
    [{ title: { ne: "a" } }, 't0."title" is distinct from $1', "a"],
    [{ title: { in: ["a", "b"] } }, 't0."title" = any($1::text[])', ["a", "b"]],
    [{ title: { in: [] } }, 't0."title" = any($1::text[])', []],
    [{ title: { notIn: ["a"] } }, '(t0."title" = any($1::text[])) is not true', ["a"]],
    [{ title: { in: LETTERS } }, 't0."title" in (select unnest($1::text[]))', LETTERS],
    [{ title: { notIn: LETTERS } }, '(t0."title" in (select unnest($1::text[]))) is not true', LETTERS],
    [{ title: null }, 't0."title" is null'],
    [{ title: { ne: null } }, 't0."title" is not null'],
    [{ title: { isNull: false } }, 't0."title" is not null'],
    [{ title: { isNotNull: false } }, 't0."title" is null'],
    [{ title: { like: "a%" } }, 't0."title" like $1', "a%"],
    [{ title: { ilike: "a%" } }, 't0."title" ilike $1', "a%"],
    [{ title: { notLike: "a%" } }, '(t0."title" like $1) is not true', "a%"],
    [{ title: { notIlike: "a%" } }, '(t0."title" ilike $1) is not true', "a%"],
    [{ title: { contains: "50%_\\" } }, 't0."title" ilike $1', "%50\\%\\_\\\\%"],
    [{ title: { startsWith: "a" } }, 't0."title" ilike $1', "a%"],
    [{ title: { endsWith: "a" } }, 't0."title" ilike $1', "%a"],
    [{ price: { gt: 1 } }, 't0."price" > $1', "1.00"],
    [{ price: { in: ["1.5", 2] } }, 't0."price" = any($1::numeric(10, 2)[])', ["1.50", "2.00"]],
    [{ views: { gte: 1 } }, 't0."views" >= $1', 1n],
    [{ views: { lt: "5" } }, 't0."views" < $1', 5n],
    [{ views: { lte: 5 } }, 't0."views" <= $1', 5n],
    [{ views: { between: [1, 2] } }, 't0."views" between $1 and $2', 1n, 2n],
    [{ at: new Date(0) }, 't0."at" = $1', "1970-01-01T00:00:00.000Z"],
    [{ at: { in: ["1970-01-01"] } }, 't0."at" = any($1::timestamptz(3)[])', ["1970-01-01T00:00:00.000Z"]],
    [{ kind: { ne: "news" } }, 't0."kind" is distinct from $1', "news"],
    [{ meta: [1] }, 't0."meta" = $1::jsonb', "[1]"],
    [{ meta: { ne: { a: 1 } } }, 't0."meta" is distinct from $1::jsonb', '{"a":1}'],
    [{ meta: { contains: { a: 1 } } }, 't0."meta" @> $1::jsonb', '{"a":1}'],
    [{ meta: { hasKey: "a" } }, 'jsonb_exists(t0."meta", $1)', "a"],
    [{ meta: { path: { at: "a.b", eq: 1 } } }, '(t0."meta" #> $1::text[]) = $2::jsonb', ["a", "b"], "1"],
    [
      { meta: { path: { at: ["a.b"], gt: 1 } } },
      '(jsonb_typeof(t0."meta" #> $1::text[]) = jsonb_typeof($2::jsonb) and (t0."meta" #> $1::text[]) > $2::jsonb)',
      ["a.b"],
      "1",
    ],
    [{ author: ID }, 't0."author" = $1', ID],
    [{ id: { in: [ID] } }, 't0."id" = any($1::uuid[])', [ID]],
  ])("%j", (where, text, ...values) => {
    expect(sqlOf(where)).toEqual({ text, values })
  })
})

describe("operators of lists and of virtual fields", () => {
  test.each<[where: unknown, text: string, ...values: unknown[]]>([
    [{ tags: { contains: "a" } }, 't0."tags" @> $1::text[]', ["a"]],
    [{ tags: { containsAll: ["a", "b"] } }, 't0."tags" @> $1::text[]', ["a", "b"]],
    [{ tags: { containsAny: [] } }, 't0."tags" && $1::text[]', []],
    [{ prices: { contains: 1 } }, 't0."prices" @> $1::numeric(6, 2)[]', ["1.00"]],
    [{ moments: { contains: new Date(0) } }, 't0."moments" @> $1::timestamptz(3)[]', ["1970-01-01T00:00:00.000Z"]],
    [{ tags: { isEmpty: true } }, 'coalesce(cardinality(t0."tags"), 0) = 0'],
    [{ tags: { isNotEmpty: true } }, 'coalesce(cardinality(t0."tags"), 0) > 0'],
    [{ tags: { isEmpty: false } }, 'coalesce(cardinality(t0."tags"), 0) > 0'],
    [{ tags: { length: 2 } }, 'cardinality(t0."tags") = $1', 2],
    [{ tags: null }, 't0."tags" is null'],
    [{ tags: { isNotNull: true } }, 't0."tags" is not null'],
    [{ parts: { contains: { sku: "a" } } }, 't0."parts" @> $1::jsonb', '[{"sku":"a"}]'],
    [{ parts: { containsAll: [{ sku: "a" }] } }, 't0."parts" @> $1::jsonb', '[{"sku":"a"}]'],
    [{ parts: { containsAny: [{ a: 1 }, 2] } }, 't0."parts" @> any($1::jsonb[])', ['[{"a":1}]', "[2]"]],
    [{ parts: { length: 1 } }, 'jsonb_array_length(t0."parts") = $1', 1],
    [{ parts: { isEmpty: true } }, 'coalesce(jsonb_array_length(t0."parts"), 0) = 0'],
    [{ size: { gt: 5 } }, '(length(t0."name") + 1)::integer > $1', 5],
    [{ size: null }, '(length(t0."name") + 1)::integer is null'],
  ])("%j", (where, text, ...values) => {
    expect(sqlOf(where, EVERYTHING, "lists")).toEqual({ text, values })
  })
})

describe("logic", () => {
  test.each<[where: unknown, text: string, ...values: unknown[]]>([
    [{}, "true"],
    [{ AND: [] }, "true"],
    [{ OR: [] }, "false"],
    [{ NOT: {} }, "false"],
    [{ title: "a", kind: "news" }, '(t0."title" = $1 and t0."kind" = $2)', "a", "news"],
    [{ views: { gt: 1, lt: 5 } }, '(t0."views" > $1 and t0."views" < $2)', 1n, 5n],
    [{ OR: [{ title: "a" }, { kind: "news" }] }, '(t0."title" = $1 or t0."kind" = $2)', "a", "news"],
    [{ NOT: { title: "a" } }, '(t0."title" = $1) is not true', "a"],
    [{ NOT: { NOT: { title: "a" } } }, 't0."title" = $1', "a"],
    [
      { NOT: { title: "a", OR: [{ kind: "news" }, { views: 1 }] } },
      '((t0."title" = $1) is not true or ((t0."kind" = $2) is not true and (t0."views" = $3) is not true))',
      "a",
      "news",
      1n,
    ],
    [
      { OR: [{ title: "a", kind: "news" }, { NOT: { AND: [{ views: 1 }] } }] },
      '((t0."title" = $1 and t0."kind" = $2) or ((t0."views" = $3) is not true))',
      "a",
      "news",
      1n,
    ],
  ])("%j", (where, text, ...values) => {
    expect(sqlOf(where)).toEqual({ text, values })
  })
})

describe("relations", () => {
  const exists = (part: string) => `exists (select 1 from "people" t1 where t1."id" = t0."author" and ${part})`

  test.each<[where: unknown, text: string, ...values: unknown[]]>([
    [{ author: { name: "a" } }, exists('t1."name" = $1'), "a"],
    [{ author: { is: { name: "a" } } }, exists('t1."name" = $1'), "a"],
    [{ author: { isNot: { name: "a" } } }, `not ${exists('t1."name" = $1')}`, "a"],
    [{ author: { is: null } }, 't0."author" is null'],
    [{ author: { isNot: null } }, '(t0."author" is null) is not true'],
    [{ author: {} }, exists("true")],
    [
      { author: { team: { name: "a" } } },
      exists('exists (select 1 from "teams" t2 where t2."id" = t1."team" and t2."name" = $1)'),
      "a",
    ],
    [{ author: { is: { age: 1 }, ne: ID } }, `(${exists('t1."age" = $1')} and t0."author" is distinct from $2)`, 1, ID],
  ])("%j", (where, text, ...values) => {
    expect(sqlOf(where)).toEqual({ text, values })
  })

  test("the rows of a hop are those that the caller may read", () => {
    const people = resourceNamed("people")
    const grown = parseWhere(people, { age: { gte: 18 } }, typedParseContext(EVERYTHING))
    const grownOnly: Visibility = {
      ...EVERYTHING,
      rows: (resource) => (resource === people ? { kind: "where", predicate: grown } : ALLOW),
    }
    const nobody: Visibility = { ...EVERYTHING, rows: () => DENY }

    expect(sqlOf({ author: { name: "a" } }, grownOnly)).toEqual({
      text: exists('(t1."age" >= $1 and t1."name" = $2)'),
      values: [18, "a"],
    })
    expect(sqlOf({ author: { name: "a" } }, nobody).text).toBe(exists('(false and t1."name" = $1)'))
  })
})
