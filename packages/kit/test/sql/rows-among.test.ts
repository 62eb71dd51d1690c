import { expect, test } from "vitest"
import { guardedField, guardedFilter } from "../../src/sql/filter/guarded-filter.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { ALWAYS, EVERYTHING, type Predicate } from "../../src/sql/filter/predicate.ts"
import { visibleSql, whereSql } from "../../src/sql/filter/where.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { Parameters } from "../../src/sql/text/fragment.ts"
import { resourceNamed } from "./newsroom.ts"

const lists = resourceNamed("lists")
const filter = (where: unknown) => parseWhere(lists, where, typedParseContext(EVERYTHING))
const rule = filter({ name: "a" })
const SIZE = `(length(t0."name") + 1)::integer`

function sqlOf(predicate: Predicate): string {
  const parameters = new Parameters()
  return whereSql(predicate, parameters.alias(), parameters)
}

test.each([
  [{ size: { gt: 1 } }, `(t0."name" = $1 and (case when t0."name" = $2 then ${SIZE} end) > $3)`],
  [{ NOT: { size: 1 } }, `(t0."name" = $1 and ((case when t0."name" = $2 then ${SIZE} end) = $3) is not true)`],
  // Said as before, so that an index can serve it.
  [{ tags: { contains: "b" } }, `(t0."name" = $1 and t0."tags" @> $2::text[])`],
])("the SQL of a virtual field is evaluated in the rows of the rule alone: %j", (where, text) => {
  expect(sqlOf(guardedFilter(rule, filter(where)))).toBe(text)
})

test("where every row counts, nothing is guarded", () => {
  expect(sqlOf(guardedFilter(ALWAYS, filter({ size: { gt: 1 } })))).toBe(`${SIZE} > $1`)
})

test("a rule of the field and the rule of the rows have to hold", () => {
  const size = lists.fields.get("size")
  if (size === undefined) throw new Error("There is no such field.")
  const parameters = new Parameters()

  const text = visibleSql(guardedField(rule, maskedField(size, filter({ name: "b" }))), parameters.alias(), parameters)

  expect(text).toBe(`(case when (t0."name" = $1 and t0."name" = $2) then ${SIZE} end)`)
})
