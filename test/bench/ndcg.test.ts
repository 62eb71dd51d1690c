// @module-tag not-about-engine

import { expect, test } from "vitest"
import { ndcg } from "../../bench/search/ndcg.mjs"

// The gains by hand: grade 3 counts 7, grade 2 counts 3, grade 1 counts 1; the places are divided by 1, 1.58496 and 2.
const grades = { a: 3, b: 2, c: 1 }
const IDEAL = 7 + 3 / 1.5849625 + 1 / 2

test.each([
  ["the ideal order", ["a", "b", "c"], 1],
  ["records without a grade after the others", ["a", "b", "c", "x", "y"], 1],
  ["the reverse order", ["c", "b", "a"], (1 + 3 / 1.5849625 + 7 / 2) / IDEAL],
  ["a record without a grade before the best one", ["x", "a"], 7 / 1.5849625 / IDEAL],
  ["nothing relevant", ["x", "y"], 0],
  ["nothing at all", [], 0],
])("the gain of %s", (_name, ids, expected) => {
  expect(ndcg(ids, grades, 10)).toBeCloseTo(expected, 6)
})

test("what comes after the depth counts neither in the result nor in the ideal", () => {
  expect(ndcg(["x", "a"], grades, 1)).toBe(0)
  expect(ndcg(["a", "x", "b"], grades, 2)).toBeCloseTo(7 / (7 + 3 / 1.5849625), 6)
})
