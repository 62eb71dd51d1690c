// @module-tag experiment

import { expect, test } from "vitest"
import { missedTitles } from "../support/oracles/misspelled-titles.ts"

test("among more than 20,000 words, 95 % of 500 misspelled titles find their record among the first three", async () => {
  const cases = 500

  const missed = await missedTitles({ words: 24_000, records: 4_000, cases, seed: 22 })

  console.log(`${cases - missed.length} of ${cases} misspelled titles found`)
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(cases * 0.05)
})
