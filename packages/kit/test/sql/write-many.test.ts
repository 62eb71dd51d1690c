import { expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { Resource, ResourceField } from "../../src/schema/compile/resource.ts"
import { ALWAYS, activeRows } from "../../src/sql/filter/predicate.ts"
import { createIndex } from "../../src/sql/tables/ddl.ts"
import { idsMatching, lockMatching, predicateKey, updateEachRow, updateRows } from "../../src/sql/write/write-many.ts"

const ID = "01890000-0000-7000-8000-00000000000a"
const notes = compile()

function compile(): Resource {
  const { definition } = collection("notes")
    .fields(({ f }) => ({ text: f.text().unique(), views: f.number().bigint(), meta: f.json() }))
    .options({ timestamps: false, revision: true, softDelete: true })
  const compiled = compileSchema([{ file: "notes.ts", definition }])
  const resource = "schema" in compiled ? compiled.schema.collections.get("notes") : undefined
  if (resource === undefined) throw new Error("The collection does not compile.")
  return resource
}

function field(name: string): ResourceField {
  const found = notes.fields.get(name)
  if (found === undefined) throw new Error(`There is no field ${name}.`)
  return found
}

test("rows are locked in the order of their ids and judged among those ids", () => {
  expect(lockMatching(notes, activeRows(notes), 5)).toEqual({
    text: 'select t0."id" from "notes" t0 where t0."deletedAt" is null order by t0."id" limit $1 for update of t0',
    values: [5],
  })
  expect(idsMatching(notes, [ID], ALWAYS)).toEqual({
    text: 'select t0."id" from "notes" t0 where t0."id" = any($1::uuid[]) order by t0."id"',
    values: [[ID]],
  })
})

test("many rows get the same values, or each its own, and every revision grows", () => {
  const same = updateRows(notes, { ids: [ID], values: new Map([[field("text"), "a"]]) }, [])
  const values = new Map<ResourceField, unknown>([
    [field("views"), 5n],
    [field("meta"), { a: null }],
  ])
  const each = updateEachRow(notes, { fields: [field("views"), field("meta")], changes: [{ id: ID, values }] }, [])

  expect(same.text).toContain('update "notes" set "text" = $1, "revision" = "notes"."revision" + 1 from _old')
  expect(same.values).toEqual(["a", [ID]])
  expect(each.text).toContain("jsonb_to_recordset($1::jsonb) as _given(id uuid, v0 bigint, v1 text), _old")
  expect(each.text).toContain('"meta" = _given.v1::jsonb')
  expect(each.values).toEqual([JSON.stringify([{ id: ID, v0: "5", v1: '{"a":null}' }]), [ID]])
})

test("equal predicates have equal keys", () => {
  expect(predicateKey(activeRows(notes))).toBe(predicateKey(activeRows(compile())))
  expect(predicateKey(activeRows(notes))).not.toBe(predicateKey(ALWAYS))
})

test("unique counts active rows alone where deleted ones are kept", () => {
  expect(notes.indexes.map((index) => createIndex(notes, index))).toEqual([
    'create unique index "notes.text.unique_active" on "notes" ("text") where "deletedAt" is null',
  ])
})
