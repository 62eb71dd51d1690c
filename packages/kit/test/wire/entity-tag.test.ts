import { expect, test } from "vitest"
import { matchesEntityTag } from "../../src/wire/codecs/entity-tag.ts"

test.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", W/"a"', 'W/"a"', true],
  ["*", 'W/"a"', true],
  ['"b"', '"a"', false],
  ["a", '"a"', false],
  ["", '"a"', false],
  [null, '"a"', false],
])("If-None-Match: %j matches %j: %s", (header, tag, isMatch) => {
  expect(matchesEntityTag(header, tag)).toBe(isMatch)
})
