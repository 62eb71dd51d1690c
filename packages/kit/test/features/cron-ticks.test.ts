import { expect, test } from "vitest"
import { lastTick, nextTick } from "../../src/features/jobs/cron-ticks.ts"
import { parseCron } from "../../src/schema/builders/cron-pattern.ts"

/** The ticks after a moment, as many as are expected. */
function ticks(pattern: string, { from, count, zone }: { from: string; count: number; zone?: string }): string[] {
  const parsed = parseCron(pattern, zone)
  const found: string[] = []
  let at = new Date(from)
  while (found.length < count) {
    at = nextTick(parsed, at)
    found.push(at.toISOString().replace(":00.000Z", "Z"))
  }
  return found
}

test.each<[string, string, string[]]>([
  ["0 8 * * *", "2026-03-01T08:00:00Z", ["2026-03-02T08:00Z", "2026-03-03T08:00Z"]],
  ["*/30 * * * *", "2026-03-01T23:10:05Z", ["2026-03-01T23:30Z", "2026-03-02T00:00Z", "2026-03-02T00:30Z"]],
  ["0 0 31 * *", "2026-01-31T00:00:00Z", ["2026-03-31T00:00Z", "2026-05-31T00:00Z", "2026-07-31T00:00Z"]],
  ["0 0 1 * *", "2026-12-31T23:59:59Z", ["2027-01-01T00:00Z", "2027-02-01T00:00Z"]],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
  ["0 0 29 2 *", "2096-03-01T00:00:00Z", ["2104-02-29T00:00Z"]],
  ["0 12 * * mon", "2026-11-14T00:00:00Z", ["2026-11-16T12:00Z", "2026-11-23T12:00Z"]],
  ["0 12 13 * fri", "2026-11-01T00:00:00Z", ["2026-11-06T12:00Z", "2026-11-13T12:00Z", "2026-11-20T12:00Z"]],
])("%s after %s", (pattern, from, expected) => {
  expect(ticks(pattern, { from, count: expected.length })).toEqual(expected)
})

// In Bratislava clocks go from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October 2026.
test.each<[string, string, string, string[]]>([
  ["a time before and after", "0 8 * * *", "2026-03-28T00:00:00Z", ["2026-03-28T07:00Z", "2026-03-29T06:00Z"]],
  [
    "a time that is left out comes later by the hour that is missing",
    "30 2 * * *",
    "2026-03-28T00:00:00Z",
    ["2026-03-28T01:30Z", "2026-03-29T01:30Z", "2026-03-30T00:30Z"],
  ],
  [
    "a time that comes twice counts once",
    "30 2 * * *",
    "2026-10-24T00:00:00Z",
    ["2026-10-24T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"],
  ],
  [
    "what runs every hour leaves out no hour of the longer day",
    "30 * * * *",
    "2026-10-25T00:00:00Z",
    ["2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T02:30Z"],
  ],
  [
    "what runs every hour runs once an hour on the shorter day",
    "30 * * * *",
    "2026-03-29T00:00:00Z",
    ["2026-03-29T00:30Z", "2026-03-29T01:30Z", "2026-03-29T02:30Z"],
  ],
])("when clocks change, %s", (_name, pattern, from, expected) => {
  expect(ticks(pattern, { from, count: expected.length, zone: "Europe/Bratislava" })).toEqual(expected)
})

test.each([
  ["Asia/Kathmandu", "0 0 * * *", "2026-01-01T00:00:00Z", "2026-01-01T18:15Z"],
  ["Pacific/Kiritimati", "0 1 1 1 *", "2026-06-01T00:00:00Z", "2026-12-31T11:00Z"],
  ["America/New_York", "0 9 * * mon", "2026-11-15T00:00:00Z", "2026-11-16T14:00Z"],
  ["Pacific/Pago_Pago", "59 23 31 12 *", "2026-06-01T00:00:00Z", "2027-01-01T10:59Z"],
])("%s has its own calendar", (zone, pattern, from, expected) => {
  expect(ticks(pattern, { from, count: 1, zone })).toEqual([expected])
})

test("the last tick is the moment itself or the one before it", () => {
  const pattern = parseCron("0 8 * * *", "Europe/Bratislava")

  expect(lastTick(pattern, new Date("2026-07-01T06:00:00Z"))).toEqual(new Date("2026-07-01T06:00:00Z"))
  expect(lastTick(pattern, new Date("2026-07-01T05:59:59.999Z"))).toEqual(new Date("2026-06-30T06:00:00Z"))
})

test("the last tick of a rare pattern may be years ago", () => {
  expect(lastTick(parseCron("0 0 29 2 *"), new Date("2026-01-01T00:00:00Z"))).toEqual(new Date("2024-02-29T00:00:00Z"))
})

test("going forward and going back meet the same ticks", () => {
  const pattern = parseCron("*/17 1-4 * * *", "America/New_York")
  const forward: number[] = []
  for (let at = new Date("2026-03-06T00:00:00Z"); at < new Date("2026-03-11T00:00:00Z"); at = nextTick(pattern, at)) {
    forward.push(at.getTime())
  }
  const back: number[] = []
  let at = lastTick(pattern, new Date("2026-03-10T23:59:59Z"))
  while (at.getTime() > new Date("2026-03-06T00:00:00Z").getTime()) {
    back.unshift(at.getTime())
    at = lastTick(pattern, new Date(at.getTime() - 1))
  }

  expect(forward.slice(1)).toEqual(back)
  expect(back.length).toBeGreaterThan(60)
})
