import { expect, test } from "vitest"
import * as Y from "yjs"
import { changeBetween, positionAfter } from "../src/fields/together/text-delta.ts"
import { writeMembers } from "../src/fields/together/write-members.ts"

test.each([
  ["abc", "abXc", 3, { index: 2, deleted: 0, inserted: "X" }],
  ["aaa", "aaaa", 2, { index: 1, deleted: 0, inserted: "a" }],
  ["abc", "ac", 1, { index: 1, deleted: 1, inserted: "" }],
  ["abc", "xyz", 3, { index: 0, deleted: 3, inserted: "xyz" }],
  ["", "new", 3, { index: 0, deleted: 0, inserted: "new" }],
  ["gone", "", 0, { index: 0, deleted: 4, inserted: "" }],
  ["same", "same", 2, { index: 2, deleted: 0, inserted: "" }],
])("From %j to %j with the cursor at %i", (before, after, cursor, change) => {
  expect(changeBetween(before, after, cursor)).toEqual(change)
})

test.each([
  ["an insertion before it", [{ insert: "xx" }], 5],
  ["an insertion at it", [{ retain: 3 }, { insert: "xx" }], 3],
  ["an insertion after it", [{ retain: 4 }, { insert: "xx" }], 3],
  ["a deletion before it", [{ retain: 1 }, { delete: 1 }], 2],
  ["a deletion around it", [{ retain: 1 }, { delete: 5 }], 1],
  ["several changes", [{ insert: "ab" }, { retain: 1 }, { delete: 1 }, { insert: "c" }], 5],
])("The cursor at 3 follows %s", (_, delta, position) => {
  expect(positionAfter(delta, 3)).toBe(position)
})

test("Only members that were changed are written, so that those of others stay", () => {
  const { board, base } = sharedBoard()
  const cards = board.get("cards")
  if (!(cards instanceof Y.Map)) throw new Error("The cards are no shared object.")
  // Somebody else changes a card and adds a member.
  cards.set("a", "theirs")
  board.set("theirs", true)

  writeMembers(board, base, { cards: { a: "one", b: "mine" }, list: [1, { x: 2 }] })

  expect(board.toJSON()).toEqual({ cards: { a: "theirs", b: "mine" }, list: [1, { x: 2 }], theirs: true })
  expect(board.get("cards")).toBe(cards)
})

test("A member that was taken out of the text is removed", () => {
  const { board, base } = sharedBoard()

  writeMembers(board, base, { list: [1] })

  expect(board.toJSON()).toEqual({ list: [1] })
})

function sharedBoard() {
  const board = new Y.Doc().getMap("board")
  const base = { cards: { a: "one" }, list: [1] }
  writeMembers(board, {}, base)
  return { board, base }
}
