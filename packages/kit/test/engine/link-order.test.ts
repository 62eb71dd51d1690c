import { expect, test } from "vitest"
import { inGivenOrder, moved } from "../../src/engine/write/relations/link-order.ts"
import type { LinkMove } from "../../src/schema/fields/relation.ts"

const list = (text: string) => text.split(" ").filter((id) => id !== "")

test.each<[move: LinkMove, linked: string, expected: string]>([
  [{ id: "c", before: "a" }, "a b c", "c a b"],
  [{ id: "a", before: "c" }, "a b c", "b a c"],
  [{ id: "a", before: "b" }, "a b c", "a b c"],
  [{ id: "a", after: "c" }, "a b c", "b c a"],
  [{ id: "c", after: "a" }, "a b c", "a c b"],
  [{ id: "b", after: "a" }, "a b c", "a b c"],
  [{ id: "b", to: "start" }, "a b c", "b a c"],
  [{ id: "b", to: "end" }, "a b c", "a c b"],
  [{ id: "a", to: "start" }, "a", "a"],
])("%j makes of %s the list %s", (move, linked, expected) => {
  expect(moved(list(linked), move)).toEqual(list(expected))
})

test.each<[given: string, linked: string, expected: string]>([
  ["c b a", "a b c", "c b a"],
  ["b a", "a H b", "b H a"],
  ["a b", "H b I a", "H a I b"],
  ["b c", "H b c", "H b c"],
  ["a x b", "b a", "a b"],
  ["", "a b", "a b"],
])("%s, sorted among %s, makes %s", (given, linked, expected) => {
  expect(inGivenOrder(list(linked), list(given))).toEqual(list(expected))
})
