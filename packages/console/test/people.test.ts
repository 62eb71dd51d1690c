import { expect, test } from "vitest"
import { isBanned } from "../src/screens/people/ban-state.ts"

const NOW = new Date("2026-11-19T12:00:00Z")

test.each([
  ["without an end", { banned: true, banExpires: null }, true],
  ["whose end is to come", { banned: true, banExpires: new Date("2026-11-19T12:00:01Z") }, true],
  ["whose end is over", { banned: true, banExpires: new Date("2026-11-19T11:59:59Z") }, false],
  ["that was lifted", { banned: false, banExpires: null }, false],
])("a ban %s", (_which, user, expected) => {
  expect(isBanned(user, NOW)).toBe(expected)
})
