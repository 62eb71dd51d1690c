import { expect, test } from "vitest"
import { AcceptedCodings, type Coding } from "../../src/http/compression/accepted-coding.ts"

const OFFERED: readonly Coding[] = ["br", "gzip"]

test.each([
  ["gzip", true],
  ["GZIP", true],
  ["x-gzip", true],
  ["br, gzip;q=0.3", true],
  ["deflate, *", true],
  ["*;q=0.1", true],
  ["gzip; q=1.0", true],
  ["gzip;level=9;q=0.5", true],
  ["gzip;q=0", false],
  ["*, gzip;q=0", false],
  ["gzip;q=0.000", false],
  ["gzip;q=much", false],
  ["gzip;q=", false],
  ["gzip;q=2", false],
  ["gzip;q=-1", false],
  ["gzip;q=0.1234", false],
  ["br", false],
  ["identity", false],
  [",;,;q=1", false],
  ["", false],
  [null, false],
])("%j accepts gzip: %s", (header, isAccepted) => {
  expect(new AcceptedCodings(header).accepts("gzip")).toBe(isAccepted)
})

test.each([
  ["gzip, br", "br"],
  ["gzip, br;q=0.9", "gzip"],
  ["gzip;q=0.5, br;q=0.5", "br"],
  ["*", "br"],
  ["*;q=0.5, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
  ["identity;q=0.5, gzip;q=0.1", undefined],
  ["identity, gzip;q=0.9", undefined],
  ["identity, gzip", "gzip"],
  ["identity;q=0", undefined],
  ["*;q=0", undefined],
  ["zstd", undefined],
  ["", undefined],
  [null, undefined],
])("%j prefers %s", (header, coding) => {
  expect(new AcceptedCodings(header).preferred(OFFERED)).toBe(coding)
})

test.each([
  ["gzip, identity;q=0", true],
  ["gzip, *;q=0", true],
  ["gzip, identity;q=0.001, *;q=0", false],
  ["gzip;q=0", false],
  [null, false],
])("%j refuses a body that is sent as it is: %s", (header, isRefused) => {
  expect(new AcceptedCodings(header).refusesPlain).toBe(isRefused)
})

test("a header that no browser would send is ignored, and not read in part", () => {
  const long = `gzip, ${"x, ".repeat(400)}gzip;q=0`

  expect(new AcceptedCodings(long).preferred(OFFERED)).toBeUndefined()
  expect(new AcceptedCodings("gzip,".repeat(40)).preferred(OFFERED)).toBe("gzip")
})
