import { expect, test } from "vitest"
import { blocksText, readBlocks } from "../src/fields/blocks/block-clipboard.ts"
import { blocks, part } from "./part-schemas.ts"

const card = { heading: part("text"), size: part("number"), kind: part("select", { options: [option("big")] }) }
const list = blocks({ card, columns: { left: blocks({ card }) } })

test("Blocks are pasted as new ones, with the members that the list has", () => {
  const text = blocksText([
    { type: "columns", id: "c", left: [{ type: "card", id: "k", heading: "In it", size: 2, kind: "big" }] },
  ])

  const { blocks: pasted, ...left } = readBlocks(text, list, 10)

  const inner = { type: "card", id: expect.any(String), heading: "In it", size: 2, kind: "big" }
  expect(pasted).toEqual([{ type: "columns", id: expect.any(String), left: [inner] }])
  expect(JSON.stringify(pasted)).not.toMatch(/"id":"[ck]"/)
  expect(left).toEqual({ unknownTypes: [], lostMembers: [], tooMany: 0, isForeign: false })
})

test("What the list does not have is left out and named", () => {
  const text = blocksText([
    { type: "hero", heading: "x" },
    { type: "card", heading: { not: "a text" }, kind: "small", color: "red", size: null },
    { type: "card", heading: "one too many" },
  ])

  const read = readBlocks(text, list, 1)

  expect(read.blocks).toEqual([{ type: "card", id: expect.any(String) }])
  expect(read).toMatchObject({ unknownTypes: ["hero"], lostMembers: ["text", "select", "color"], tooMany: 1 })
})

test.each(["", "Some words", "[]", '{"kitBlocks":3}'])("The text %j has no blocks", (text) => {
  expect(readBlocks(text, list, 10)).toMatchObject({ blocks: [], isForeign: true })
})

test("Names that every object has are no blocks and no members", () => {
  const text = '{"kitBlocks":[{"type":"constructor"},{"type":"card","toString":"x","__proto__":{"heading":"y"}}]}'

  const read = readBlocks(text, list, 10)

  expect(read.blocks).toEqual([{ type: "card", id: expect.any(String) }])
  expect(read.unknownTypes).toEqual(["constructor"])
})

function option(value: string) {
  return { value, label: value, color: null }
}
