import { expect, test } from "vitest"
import { databaseName, findFieldNameProblem, findResourceNameProblem } from "../../src/schema/compile/names.ts"

test.each(["posts", "blogPosts", "a", "A1_b", "select", "count", "x".repeat(63)])("%s names a resource", (name) => {
  expect(findResourceNameProblem(name)).toBeUndefined()
})

test.each(["title", "URL", "a_b", "order", "count", "where", "x".repeat(63)])("%s names a field", (name) => {
  expect(findFieldNameProblem(name)).toBeUndefined()
})

test.each([undefined, null, 5, {}, "", " ", "a b", "é", "a-b", "a.b", "a$", "_a", "9a", "x".repeat(64), "__proto__"])(
  "%j names no resource",
  (name) => {
    expect(findResourceNameProblem(name)).toMatch(/\.$/)
  },
)

test("names in the database are short, and unlike whenever their parts are", () => {
  const parts = [
    ["a", "b_c"],
    ["a_b", "c"],
    ["a", "b", "c"],
    ["x".repeat(40), "y".repeat(40)],
    ["x".repeat(40), "y".repeat(41)],
  ]

  const names = parts.map(databaseName)

  expect(new Set(names).size).toBe(parts.length)
  expect(names.every((name) => name.length <= 63)).toBe(true)
  expect(databaseName(["posts", "slug", "unique"])).toBe("posts.slug.unique")
})

test("a long name is the same in every process", () => {
  expect(databaseName(["a".repeat(60), "unique"])).toBe(`${"a".repeat(54)}_f971e1ce`)
})
