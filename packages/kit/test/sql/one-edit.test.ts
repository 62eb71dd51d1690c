import { describe, expect, test } from "vitest"
import { naiveDistance } from "../../../../test/support/oracles/edit-distance.ts"
import { seededRandom } from "../../../../test/support/seeded-random.ts"
import { isWithinOneEdit, sharedEnds } from "../../src/sql/search/vocabulary/one-edit.ts"

describe("one edit", () => {
  test.each([
    ["", ""],
    ["", "a"],
    ["word", "word"],
    ["word", "wrod"],
    ["word", "words"],
    ["word", "ord"],
    ["word", "worb"],
    ["aab", "aba"],
    ["straße", "strase"],
    ["𝒶bc", "bc"],
  ])("makes %j of %j", (left, right) => {
    expect(isWithinOneEdit(left, right)).toBe(true)
    expect(isWithinOneEdit(right, left)).toBe(true)
  })

  test.each([
    ["", "ab"],
    ["abc", "bcd"],
    ["abc", "cba"],
    ["abcd", "badc"],
    ["word", "wodr "],
  ])("does not make %j of %j", (left, right) => {
    expect(isWithinOneEdit(left, right)).toBe(false)
  })

  test.each([seededRandom()])(
    "is what an edit distance says, and leaves one of the shared ends (seed $seed)",
    (random) => {
      const word = () => Array.from({ length: random.below(7) }, () => "abc"[random.below(3)]).join("")
      for (let round = 0; round < 5_000; round++) {
        const [left, right] = [word(), word()]
        const isNear = naiveDistance(left, right) <= 1
        const { start, reversedEnd } = sharedEnds(left)
        const shared = right.startsWith(start) || [...right].reverse().join("").startsWith(reversedEnd)
        expect([left, right, isWithinOneEdit(left, right)]).toEqual([left, right, isNear])
        expect([left, right, isNear && !shared]).toEqual([left, right, false])
      }
    },
  )
})
