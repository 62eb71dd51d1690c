// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { soakFilters } from "../soak/filters.ts"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"

const FILTERS = count({ short: 20, long: 200 })

test("generated filters are answered within a second, or refused as too costly", async () => {
  const { seed, below } = seededRandom()

  const figures = await soakFilters({
    start: testApp,
    below,
    filters: FILTERS,
    books: count({ short: 300, long: 3_000 }),
    reviews: count({ short: 15_000, long: 150_000 }),
  })

  expect(figures, `KIT_SEED=${seed}`).toMatchObject({ failed: 0, slow: 0, shown: [] })
  expect(figures.answered + figures.refused).toBe(FILTERS)
})
