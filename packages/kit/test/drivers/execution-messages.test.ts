import fc from "fast-check"
import { expect, test } from "vitest"
import { executionMessages } from "../../src/drivers/postgres/execution-messages.ts"
import type { StatementShape } from "../../src/drivers/postgres/statement-shape-cache.ts"

const SHAPE: StatementShape = {
  text: "select $1",
  name: "kit_7",
  rowMode: "array",
  queryMode: "extended",
  isWatched: false,
  setsStatementTimeout: false,
  isRead: true,
}

const scalar = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
)

test("the buffer names the statement, has every parameter as text, and ends with Execute and Sync", () => {
  fc.assert(
    fc.property(fc.array(scalar, { maxLength: 20 }), (values) => {
      const texts = values.map((value) => (value === null ? null : Buffer.from(String(value)).toString()))

      const bound = readBind(executionMessages(SHAPE, values))

      expect(bound).toEqual({ name: "kit_7", texts, rest: EXECUTE_AND_SYNC })
    }),
  )
})

test("a statement has as many parameters as Postgres takes, and pg reports the error of more", () => {
  const most = new Array<string>(65_535).fill("1")

  expect(readBind(executionMessages(SHAPE, most))).toEqual({ name: "kit_7", texts: most, rest: EXECUTE_AND_SYNC })
  expect(executionMessages(SHAPE, [...most, "1"])).toBeUndefined()
})

test("a parameter that pg has to convert is left to pg", () => {
  for (const value of [["a"], { a: 1 }, Buffer.from("a")])
    expect(executionMessages(SHAPE, ["a", value])).toBeUndefined()
})

// Execute with an empty portal name and no limit of rows, then Sync, as the protocol of PostgreSQL describes them.
const EXECUTE_AND_SYNC = "45 00000009 00 00000000 53 00000004".replaceAll(" ", "")

// Reads a Bind message as PostgreSQL does: portal, statement, formats, parameters, formats of the result.
function readBind(messages: Buffer | undefined) {
  if (messages?.toString("latin1", 0, 1) !== "B") throw new Error("There is no Bind message.")
  const end = 1 + messages.readInt32BE(1)
  const nameEnd = messages.indexOf(0, 6)
  let at = nameEnd + 3
  const texts = Array.from({ length: messages.readUInt16BE(at) }, () => {
    const length = messages.readInt32BE(at + 2)
    const text = length < 0 ? null : messages.toString("utf8", at + 6, at + 6 + length)
    at += 4 + Math.max(0, length)
    return text
  })
  const formats = [messages.readInt16BE(nameEnd + 1), messages.readInt16BE(at + 2)]
  if (messages[5] !== 0 || formats.some((count) => count !== 0) || at + 4 !== end) throw new Error("Malformed.")
  return { name: messages.toString("latin1", 6, nameEnd), texts, rest: messages.toString("hex", end) }
}
