import { expect, test } from "vitest"
import { parseDuration } from "../../src/testing/duration.ts"

test.each([
  ["500ms", 500],
  ["90s", 90_000],
  ["1.5h", 5_400_000],
  ["1h30m", 5_400_000],
  ["7d", 604_800_000],
  ["2w", 1_209_600_000],
  ["0s", 0],
])("%s is %d ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test.each(["", "1", "h", "1 h", "-1h", "1h ", "1y", "1e3s"])("%j is refused with examples", (text) => {
  expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration. Write "500ms"`)
})
