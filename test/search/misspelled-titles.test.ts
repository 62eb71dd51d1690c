// @module-tag not-about-engine

import { expect, test } from "vitest"
import { missedTitles } from "../support/oracles/misspelled-titles.ts"

// The full count is in test/experiments.
test("a record is found by its title with one mistake in one word", async () => {
  const cases = 40

  const missed = await missedTitles({ words: 2_000, records: 400, cases, seed: 21 })

  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(cases * 0.05)
})
