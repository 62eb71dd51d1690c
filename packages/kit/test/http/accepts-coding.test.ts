import { expect, test } from "vitest"
import { acceptsCoding } from "../../src/http/descriptions/accepts-coding.ts"

test.each([
  ["gzip", true],
  ["GZIP", true],
  ["x-gzip", true],
  ["br, gzip;q=0.3", true],
  ["deflate, *", true],
  ["*;q=0.1", true],
  ["gzip; q=1.0", true],
  ["gzip;q=0", false],
  ["*, gzip;q=0", false],
  ["gzip;q=0.000", false],
  ["gzip;q=much", false],
  ["br", false],
  ["identity", false],
  ["", false],
  [null, false],
])("%j accepts gzip: %s", (header, isAccepted) => {
  expect(acceptsCoding(header, "gzip")).toBe(isAccepted)
})
