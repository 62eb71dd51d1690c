import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bodyText } from "../../src/client/transport/transport.ts"
import { decodeExtended, encodeExtended } from "../../src/wire/codecs/extended-json.ts"

const { tree: values } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("list"), tie("object"), tie("wide")),
  leaf: fc.oneof(
    fc.constantFrom(null, undefined, "", "text", 0, 1.5, true, 7n, new Date(0), new Date(86_400_000)),
    fc.string({ maxLength: 3 }),
  ),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom("a", "b", "*", ".", "a.b", "\\", "0", ""), tie("tree"), { maxKeys: 3 }),
  wide: fc.oneof(
    fc.array(tie("leaf"), { maxLength: 3 }).map((items) => new Set(items)),
    fc.array(fc.tuple(tie("leaf"), tie("tree")), { maxLength: 3 }).map((entries) => new Map(entries as [])),
  ),
}))

describe("an extended body", () => {
  test("is read as the value that it was, just like the one that the server would write", () => {
    fc.assert(
      fc.property(values, (value) => {
        const read = decodeExtended(JSON.parse(bodyText(value, true)))

        expect(read).toStrictEqual(decodeExtended(JSON.parse(encodeExtended(value))))
      }),
      { numRuns: 3_000 },
    )
  })

  test("says once what is true of all items, also where some have nothing there", () => {
    const at = new Date(0)
    const updates = Array.from({ length: 5_000 }, (_, index) => {
      if (index % 3 === 0) return { id: `${index}`, data: {} }
      return { id: `${index}`, data: { at: index % 3 === 1 ? at : null, tags: [1n] } }
    })

    const body = bodyText({ updates }, true)

    expect(JSON.parse(body).meta).toEqual({
      values: { "updates.*.data.at": "Date", "updates.*.data.tags.*": "BigInt" },
    })
    expect(body).toBe(encodeExtended({ updates }))
  })

  test("says it of each item where they differ", () => {
    const body = bodyText({ list: [new Date(0), "text", [1n], ["1"]] }, true)

    expect(JSON.parse(body).meta).toEqual({ values: { "list.0": "Date", "list.2.*": "BigInt" } })
  })

  test("says it of each item where a list of nulls stands beside one in which they differ", () => {
    const value = [[null], [undefined, null]]

    expect(decodeExtended(JSON.parse(bodyText(value, true)))).toStrictEqual(value)
    expect(decodeExtended(JSON.parse(bodyText(value.toReversed(), true)))).toStrictEqual(value.toReversed())
  })

  test.each([
    ["plain", false],
    ["extended", true],
  ])("is refused as %s JSON where it holds what would be null", (_name, isExtended) => {
    expect(() => bodyText({ at: new Date(Number.NaN) }, isExtended)).toThrow('JSON cannot hold Invalid Date ("at").')
    expect(() => bodyText({ words: Number.NaN }, isExtended)).toThrow('JSON cannot hold NaN ("words").')
  })
})
