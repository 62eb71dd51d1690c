// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const visits = collection("visits")
  .fields(({ f }) => ({ at: f.datetime(), day: f.date(), size: f.number().integer() }))
  .options({ timestamps: false })
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [visits] })
})

afterAll(() => app[Symbol.asyncDispose]())

/** Stores visits at these moments or on these days, and returns the first days of their periods with their numbers. */
async function periods(values: readonly (string | null)[], groupBy: object): Promise<(readonly [unknown, number])[]> {
  const { collections } = app.app.system
  await collections["visits"]?.deleteMany({ all: true })
  for (const value of values) {
    await collections["visits"]?.create(value?.includes("T") ? { at: value } : { day: value })
  }
  const { groups } = await app.client().collections["visits"].aggregate({ groupBy, count: true })
  return groups.map(({ key, count }: { key: object; count: number }) => [Object.values(key)[0], count] as const)
}

describe("the periods of moments", () => {
  const MOMENTS = ["2025-12-31T22:59:59.999Z", "2025-12-31T23:00:00Z", "2026-01-01T00:00:00Z", "2026-03-31T22:30:00Z"]

  test("begin in UTC unless a time zone is named", async () => {
    expect(await periods(MOMENTS, { field: "at", by: "month" })).toEqual([
      ["2025-12-01", 2],
      ["2026-01-01", 1],
      ["2026-03-01", 1],
    ])
    expect(await periods(MOMENTS, { field: "at", by: "day", timeZone: "UTC" })).toEqual([
      ["2025-12-31", 2],
      ["2026-01-01", 1],
      ["2026-03-31", 1],
    ])
  })

  test("begin when the clocks of the time zone say so, also in summer", async () => {
    expect(await periods(MOMENTS, { field: "at", by: "month", timeZone: "Europe/Berlin" })).toEqual([
      ["2025-12-01", 1],
      ["2026-01-01", 2],
      ["2026-04-01", 1],
    ])
    expect(await periods(MOMENTS, { field: "at", by: "year", timeZone: "America/New_York" })).toEqual([
      ["2025-01-01", 3],
      ["2026-01-01", 1],
    ])
  })

  test("a day has 23 hours when summer begins, and 25 when it ends", async () => {
    const hours = (from: string, count: number) =>
      Array.from({ length: count }, (_, hour) => new Date(Date.parse(from) + hour * 3_600_000).toISOString())
    const groupBy = { field: "at", by: "day", timeZone: "Europe/Berlin" }

    expect(await periods(hours("2026-03-28T23:00:00Z", 24), groupBy)).toEqual([
      ["2026-03-29", 23],
      ["2026-03-30", 1],
    ])
    expect(await periods(hours("2026-10-24T22:00:00Z", 26), groupBy)).toEqual([
      ["2026-10-25", 25],
      ["2026-10-26", 1],
    ])
  })

  test("a time zone with half an hour", async () => {
    const moments = ["2026-05-03T18:29:59Z", "2026-05-03T18:30:00Z"]

    expect(await periods(moments, { field: "at", by: "day", timeZone: "Asia/Kolkata" })).toEqual([
      ["2026-05-03", 1],
      ["2026-05-04", 1],
    ])
  })

  test("moments that are missing form a group of their own", async () => {
    expect(await periods(["2026-05-03T18:29:59Z", "2026-01-01"], { field: "at", by: "day" })).toEqual([
      ["2026-05-03", 1],
      [null, 1],
    ])
  })
})

describe("the periods of dates", () => {
  const DAYS = ["2024-12-29", "2024-12-30", "2025-01-01", "2025-01-05", "2025-01-06", "2024-02-29", null]

  test("weeks begin on Monday, also across the turn of the year", async () => {
    expect(await periods(DAYS, { field: "day", by: "week" })).toEqual([
      ["2024-02-26", 1],
      ["2024-12-23", 1],
      ["2024-12-30", 3],
      ["2025-01-06", 1],
      [null, 1],
    ])
  })

  test.each<[string, readonly (readonly [string | null, number])[]]>([
    [
      "year",
      [
        ["2024-01-01", 3],
        ["2025-01-01", 3],
        [null, 1],
      ],
    ],
    [
      "month",
      [
        ["2024-02-01", 1],
        ["2024-12-01", 2],
        ["2025-01-01", 3],
        [null, 1],
      ],
    ],
  ])("a %s", async (by, groups) => {
    expect(await periods(DAYS, { field: "day", by })).toEqual(groups)
  })

  test("days are the dates themselves", async () => {
    expect(await periods(["2025-01-01", "2025-01-01", "2025-01-02"], { field: "day", by: "day" })).toEqual([
      ["2025-01-01", 2],
      ["2025-01-02", 1],
    ])
  })

  test("dates far away have periods, too", async () => {
    expect(await periods(["0001-01-01", "9999-12-31"], { field: "day", by: "year" })).toEqual([
      ["0001-01-01", 1],
      ["9999-01-01", 1],
    ])
  })
})

test("periods of several fields and plain fields make one key", async () => {
  const { collections } = app.app.system
  await collections["visits"]?.deleteMany({ all: true })
  for (const size of [1, 1, 2])
    await collections["visits"]?.create({ at: "2026-05-04T10:00:00Z", day: "2026-04-01", size })
  const groupBy = [{ field: "at", by: "month" }, { field: "day", by: "week" }, "size"]

  expect(await app.client().collections["visits"].aggregate({ groupBy, count: true })).toEqual({
    groups: [
      { key: { at: "2026-05-01", day: "2026-03-30", size: 1 }, count: 2 },
      { key: { at: "2026-05-01", day: "2026-03-30", size: 2 }, count: 1 },
    ],
    hasMore: false,
  })
})

test("all years have the weeks of ISO 8601", async () => {
  // January 4 is always in the first week.
  const days = Array.from({ length: 40 }, (_, index) => `${2000 + index}-01-04`)
  const mondays = days.map((day) => {
    const date = new Date(`${day}T00:00:00Z`)
    return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
  })

  expect(await periods(days, { field: "day", by: "week" })).toEqual(mondays.map((monday) => [monday, 1]))
})
