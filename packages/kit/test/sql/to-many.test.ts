import { expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { Resource } from "../../src/schema/compile/resource.ts"
import { ALWAYS, EVERYTHING } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { maxRelatedRecords, parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { countMatching, selectMatching } from "../../src/sql/read/select.ts"

const articles = compile()
const reading = typedParseContext(EVERYTHING)

function compile(): Resource {
  const definitions = [
    collection("articles").fields(({ f }) => ({
      comments: f.relation("comments").hasMany({ via: "article" }),
      tags: f.relation("tags").manyToMany({ through: "tagging" }),
    })),
    collection("comments").fields(({ f }) => ({ article: f.relation("articles"), votes: f.number().bigint() })),
    collection("tags").fields(({ f }) => ({ name: f.text() })),
  ].map(({ definition }) => ({ file: definition.name, definition }))
  const compiled = compileSchema(definitions)
  const resource = "schema" in compiled ? compiled.schema.collections.get("articles") : undefined
  if (resource === undefined) throw new Error("The collections of this test are wrong.")
  return resource
}

test.each([
  [
    { comments: { some: { votes: 1 } } },
    'exists (select 1 from "comments" t1 where t1."article" = t0."id" and t1."votes" = $1)',
  ],
  [{ comments: {} }, 'exists (select 1 from "comments" t1 where t1."article" = t0."id")'],
  [{ comments: { none: {} } }, 'not exists (select 1 from "comments" t1 where t1."article" = t0."id")'],
  [
    { tags: { every: { name: "x" } } },
    'not exists (select 1 from "tagging.links" t2 join "tags" t1 on t1."id" = t2."tags_id" where t2."articles_id" = t0."id" and (t1."name" = $1) is not true)',
  ],
])("%j asks for the related rows", (where, condition) => {
  const { text } = countMatching(articles, parseWhere(articles, where, reading))

  expect(text).toBe(`select count(*)::int from "articles" t0 where ${condition}`)
})

test("related records are a JSON list in the select list, and exact numbers in it are text", () => {
  const asked = { comments: { columns: { votes: true }, limit: 3, _count: true } }
  const selection = parseSelection(articles, { columns: { id: true }, with: asked }, reading)

  const { text, values } = selectMatching(selection, ALWAYS)

  const inner =
    'select t1."id" as c0, t1."votes"::text as c1 from "comments" t1 where t1."article" = t0."id" order by t1."createdAt" desc, t1."id" desc limit $1 offset $2'
  const list = `(select coalesce(json_agg(t2), '[]'::json) from (${inner}) t2)`
  const count = '(select count(*)::int from "comments" t3 where t3."article" = t0."id")'
  expect(text).toBe(`select t0."id" as c0, ${list} as c1, ${count} as c2 from "articles" t0`)
  expect(values).toEqual([3, 0])
})

test("the records that a read may hydrate are counted over all levels", () => {
  const asked = { comments: { limit: 10, with: { article: { with: { tags: { limit: 5 } } } } }, tags: { limit: 0 } }

  expect(maxRelatedRecords(parseSelection(articles, { with: asked }, reading))).toBe(10 * (1 + 1 * (1 + 5)))
})
