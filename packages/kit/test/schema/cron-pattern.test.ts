import { expect, test } from "vitest"
import { parseCron } from "../../src/schema/builders/cron-pattern.ts"

const EVERY_HOUR = Array.from({ length: 24 }, (_, hour) => hour)

test("a pattern is five fields of values, ranges, steps, lists and names", () => {
  const pattern = parseCron("*/20,5 * 1-3,31 jan,MAR-may/2 Mon-fri")

  expect(pattern).toMatchObject({
    minutes: [0, 5, 20, 40],
    hours: EVERY_HOUR,
    daysOfMonth: [1, 2, 3, 31],
    months: [1, 3, 5],
    daysOfWeek: [1, 2, 3, 4, 5],
    matchesEitherDay: true,
    timeZone: "UTC",
  })
})

test.each([
  ["0 0 * * 7", [0]],
  ["0 0 * * 5-7", [0, 5, 6]],
  ["0 0 * * sun", [0]],
  ["0 0 * * */2", [0, 2, 4, 6]],
  ["0 0 * * *", [0, 1, 2, 3, 4, 5, 6]],
])("the days of the week of %s", (text, days) => {
  expect(parseCron(text).daysOfWeek).toEqual(days)
})

test("a value with a step runs on to the end of its field", () => {
  expect(parseCron("5/15 22/1 * * *")).toMatchObject({ minutes: [5, 20, 35, 50], hours: [22, 23] })
})

test.each([
  ["0 8 * *", /has 4 fields/],
  ["", /fields/],
  ["60 * * * *", /"60" is not a valid minute/],
  ["* 24 * * *", /"24" is not a valid hour/],
  ["* * 0 * *", /"0" is not a valid day of the month/],
  ["* * * 13 *", /"13" is not a valid month/],
  ["* * * * 8", /"8" is not a valid day of the week/],
  ["* * * foo *", /"foo" is not a valid month/],
  ["5-1 * * * *", /"5-1" is not a valid minute/],
  ["*/0 * * * *", /not a valid minute/],
  ["*/ * * * *", /not a valid minute/],
  ["1-2-3 * * * *", /not a valid minute/],
  ["1/2/3 * * * *", /not a valid minute/],
  [", * * * *", /not a valid minute/],
  ["-1 * * * *", /not a valid minute/],
  ["0 0 L * *", /not a valid day of the month/],
  ["0 0 30 2 *", /a day that no month has/],
  ["0 0 31 4,6 *", /a day that no month has/],
])("%s is refused", (text, message) => {
  expect(() => parseCron(text)).toThrow(message)
})

test("an unknown time zone is refused", () => {
  expect(() => parseCron("0 0 * * *", "Europe/Atlantis")).toThrow(/"Europe\/Atlantis" is not a time zone/)
})
