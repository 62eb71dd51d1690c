import { expect, test } from "vitest"
import type { ResourceField } from "../../src/schema/compile/resource.ts"
import { ALWAYS, EVERYTHING, NEVER } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { deleteRow, insertRow, lockRow, updateRow } from "../../src/sql/write/write.ts"
import { resourceNamed } from "./newsroom.ts"

const ID = "01890000-0000-7000-8000-00000000000a"
const posts = resourceNamed("posts")

function field(name: string): ResourceField {
  const found = posts.fields.get(name)
  if (found === undefined) throw new Error(`There is no field ${name}.`)
  return found
}

const values = new Map<ResourceField, unknown>([
  [field("title"), "a"],
  [field("meta"), { a: 1 }],
  [field("at"), new Date(0)],
  [field("slug"), null],
])
const stored = ["a", '{"a":1}', "1970-01-01T00:00:00.000Z", null]

// The write, the note of its change, and what is returned, in one statement.
function noted(write: string, returned: string): unknown {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const note = '_noted as \\(insert into "_kit_changes" .* from _written\\)'
  return expect.stringMatching(
    new RegExp(`_written as \\(${literal(write)} returning .*\\), ${note} select ${literal(returned)} from _written$`),
  )
}

test("an insert binds every value and returns what is asked for", () => {
  expect(insertRow(posts, values, [posts.id, field("title")])).toEqual({
    text: noted('insert into "posts" ("title", "meta", "at", "slug") values ($1, $2, $3, $4)', '"id", "title"'),
    values: stored,
    appendsChanges: true,
  })
})

test("an insert that asks for nothing returns the id", () => {
  expect(insertRow(posts, new Map([[posts.id, ID]]), [])).toEqual({
    text: noted('insert into "posts" ("id") values ($1)', '"id"'),
    values: [ID],
    appendsChanges: true,
  })
})

test("an update sets the given fields of one row", () => {
  expect(updateRow(posts, { id: ID, values }, [posts.id])).toEqual({
    text: noted(
      'update "posts" set "title" = $1, "meta" = $2, "at" = $3, "slug" = $4 from _old where "posts"."id" = _old.id',
      '"id"',
    ),
    values: [...stored, ID],
    appendsChanges: true,
  })
})

test("a delete removes one row", () => {
  expect(deleteRow(posts, ID, [posts.id])).toEqual({
    text: noted('delete from "posts" where "id" = $1', '"id"'),
    values: [ID],
    appendsChanges: true,
  })
})

test("a lock answers whether the row satisfies each predicate, and null is no", () => {
  const mine = parseWhere(posts, { author: { name: "a" } }, typedParseContext(EVERYTHING))

  expect(lockRow(posts, ID, [ALWAYS, NEVER, mine])).toEqual({
    text:
      'select true, (false) is true, (exists (select 1 from "people" t1 where t1."id" = t0."author" and t1."name" = $1)) is true ' +
      'from "posts" t0 where t0."id" = $2 for update of t0',
    values: ["a", ID],
  })
})

test("a write returns virtual fields over the row it leaves", () => {
  const lists = resourceNamed("lists")
  const virtual = lists.fields.get("size")

  expect(deleteRow(lists, ID, virtual ? [lists.id, virtual] : []).text).toBe(
    `with _written as (delete from "lists" where "id" = $1 returning "lists"."id", "lists"."name", "lists"."createdAt", "lists"."updatedAt", (length("lists"."name") + 1)::integer as "size"), _noted as (insert into "_kit_changes" (resource_kind, resource, record, kind, before, after) select 'collection', 'lists', _written."id", 'delete', jsonb_build_object('id', _written."id", 'name', _written."name", 'createdAt', _written."createdAt", 'updatedAt', _written."updatedAt"), null::jsonb from _written) select "id", "size" from _written`,
  )
})
